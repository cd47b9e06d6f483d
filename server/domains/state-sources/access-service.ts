import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { StateAccess } from '../../adapters/state-backend/types.ts';
import { InvalidInput, NotFound } from '../../lib/errors.ts';
import { backendError } from './failure.ts';
import type { OpenedAccount, StateAccounts } from './types.ts';

const NAMES: Readonly<Record<CloudProvider, string>> = { aws: 'AWS', azure: 'Azure', gcp: 'Google Cloud' };

/** Chooses the cloud account that reads a bucket. The service's own identity is never used. */
export function createStateAccess({ accounts }: { accounts: StateAccounts }) {
  /**
   * Checks the account that a caller names for a source.
   *
   * @throws InvalidInput if the organization has no such account, or it belongs to another provider
   */
  async function assertUsable(org_id: string, provider: CloudProvider | null, account_id: string): Promise<void> {
    const account = await findAccount(org_id, account_id);
    if (account === undefined) throw invalid('names no cloud account of this organization');
    if (account.provider !== provider) {
      const needed = provider === null ? 'this source needs no account' : `this source needs one of ${NAMES[provider]}`;
      throw invalid(`is an account of ${NAMES[account.provider]}; ${needed}`);
    }
  }

  /**
   * Opens the credentials for a bucket.
   *
   * @param account_id null: the organization's only account of the provider
   * @throws ServiceError 502 `state_backend_error` that says which account is missing
   */
  async function open(org_id: string, provider: CloudProvider, account_id: string | null): Promise<StateAccess> {
    const chosen_id = account_id ?? (await accounts.findOnlyAccount(org_id, provider));
    const account = chosen_id && (await findAccount(org_id, chosen_id));
    if (!account) throw backendError(describeMissing(provider, account_id));
    assertEnabled(account);
    return { credentials: account.credentials, token_subject: account.token_subject };
  }

  async function findAccount(org_id: string, account_id: string): Promise<OpenedAccount | undefined> {
    try {
      return await accounts.openAccount(org_id, account_id);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  return { assertUsable, open };
}

export type StateAccessService = ReturnType<typeof createStateAccess>;

function describeMissing(provider: CloudProvider, account_id: string | null): string {
  const problem =
    account_id === null
      ? `the organization does not have exactly one ${NAMES[provider]} account`
      : `its ${NAMES[provider]} account was deleted`;
  return `no cloud account for this source: ${problem}; register it again with cloud_account_id`;
}

function assertEnabled({ enabled, provider }: OpenedAccount): void {
  if (!enabled) throw backendError(`the ${NAMES[provider]} account of this source is disabled; enable it first`);
}

function invalid(problem: string): InvalidInput {
  const details = [{ path: '/body/cloud_account_id', message: problem, code: 'invalid_request' }];
  return new InvalidInput(`cloud_account_id ${problem}`, 'invalid_request', { details });
}

import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import { credentialSeals } from './seals.ts';
import type { Sessions } from './session-service.ts';
import * as store from './store.ts';
import type { OpenedAccount } from './types.ts';

export interface OpeningDeps extends Pick<ServiceDeps, 'db' | 'sealer'> {
  sessions: Sessions;
}

/** Decrypts the credentials of accounts, for scans and for state sources. */
export function createOpening({ db, sealer, sessions }: OpeningDeps) {
  /**
   * An account with its credentials in clear text, disabled ones included. Pass it to an adapter, and nowhere else.
   *
   * @throws NotFound; SealError if no key of this deployment decrypts the credentials
   */
  async function openAccount(org_id: string, id: string): Promise<OpenedAccount> {
    const sealed = assertFound(await db.readInOrg(org_id, (read) => store.findSealed(read, org_id, id)));
    return openSealed(org_id, sealed);
  }

  function openSealed(org_id: string, sealed: store.SealedAccount): OpenedAccount {
    const { id, external_id, enabled, credentials_ct } = sealed;
    const credentials = credentialSeals(sealer, org_id, id).open(credentials_ct);
    return { ...sessions.toTarget({ org_id, external_id }, sealed, credentials), enabled };
  }

  /** ID of the organization's only account of a cloud; undefined if there is none, or several. */
  async function findOnlyAccount(orgId: string, provider: CloudProvider): Promise<string | undefined> {
    return (await db.readInOrg(orgId, (read) => store.findOnly(read, orgId, provider)))?.id;
  }

  return { openAccount, openSealed, findOnlyAccount };
}

export type Opening = ReturnType<typeof createOpening>;

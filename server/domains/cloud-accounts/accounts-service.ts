import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, InvalidInput, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { describeCredentials, normalizeAccountId, parseCredentials } from './credentials.ts';
import type { Identities } from './identity-service.ts';
import { credentialSeals } from './seals.ts';
import type { Sessions } from './session-service.ts';
import * as store from './store.ts';
import type { AccountInput, AccountUpdate, Claim, CloudAccount, StoredCredentials } from './types.ts';

export interface AccountRecordsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom'>;
  audit: Pick<AuditWriter, 'record'>;
  sessions: Sessions;
  identities: Identities;
  /** Is called in the transaction that deletes an account, under the lock of the organization. */
  onDeleted: (trx: Db, account: { org_id: string; id: string }) => Promise<void>;
}

export function createAccountRecords(deps: AccountRecordsDeps) {
  const { db, sealer, orgs, audit, sessions, identities, onDeleted, now } = deps;

  /** One page, newest first. */
  async function list(
    orgId: string,
    filter: { provider?: CloudProvider | undefined },
    page: { limit: number; offset: number },
  ): Promise<{ cloud_accounts: CloudAccount[]; total: number }> {
    return db.inOrg(orgId, (trx) => store.listAccounts(trx, orgId, filter, page));
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<CloudAccount> {
    return assertFound(await db.readInOrg(orgId, (read) => store.findAccount(read, orgId, id)));
  }

  /**
   * Adds an account after its cloud has confirmed that the credentials belong to it.
   *
   * @throws InvalidInput; Conflict `cloud_account_exists`; PaymentRequired if the organization has as many as its plan
   *   allows; ServiceError 422 or 503, see `Identities.prove`
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: AccountInput,
    keep?: Keep<CloudAccount>,
  ): Promise<CloudAccount> {
    const { provider, regions = [] } = input;
    const credentials = parseCredentials(provider, input.credential_type, input.credentials);
    const external_account_id = normalizeAccountId(provider, input.external_account_id);
    const claim: Claim = { id: newId(), provider, external_account_id, regions };
    const external_id = await db.inOrg(orgId, async (trx) => {
      // Before the cloud is asked; the answer takes seconds.
      await assertAddable(trx, orgId, claim);
      return assertFound(await store.findExternalId(trx, orgId));
    });
    const proven = await prove(principal, { org_id: orgId, external_id }, claim, credentials);
    const { id: created_by, email } = principal.user;
    const at = now();
    const row = { display_name: input.display_name.trim(), enabled: true, created_by, created_at: at, updated_at: at };

    const account = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await assertAddable(trx, orgId, claim);
      await store.insertAccount(trx, orgId, { ...claim, ...row, ...proven });
      const created = assertFound(await store.findAccount(trx, orgId, claim.id));
      await keep?.(trx, created);
      return created;
    });
    const { id: account_id, credential_type, display_name } = account;
    const detail = { account_id, provider, credential_type, external_account_id, display_name };
    await audit.record({ action: 'cloud_account.created', org_id: orgId, actor_email: email, detail });
    return account;
  }

  async function assertAddable(trx: Db, orgId: string, claim: Claim): Promise<void> {
    if (await store.isTaken(trx, orgId, claim)) {
      const message = `this organization already has the ${claim.provider} account "${claim.external_account_id}"; change its credentials instead`;
      throw new Conflict(message, 'cloud_account_exists');
    }
    await orgs.assertRoom(trx, orgId, 'cloud_accounts');
  }

  async function prove(
    principal: Principal,
    owner: { org_id: string; external_id: string },
    claim: Claim,
    credentials: StoredCredentials,
  ): Promise<store.CredentialColumns> {
    const target = sessions.toTarget(owner, claim, credentials);
    const identity = await identities.prove(principal, owner.org_id, target);
    return {
      credential_type: credentials.credential_type,
      credentials_ct: credentialSeals(sealer, owner.org_id, claim.id).seal(credentials),
      credential_hint: describeCredentials(credentials),
      identity,
      status: 'active',
      status_reason: null,
      last_validated_at: now(),
    };
  }

  /**
   * Changes an account. New credentials replace the old ones after the cloud has confirmed them.
   *
   * @param assertKnown throws if the caller knows another state than the current one
   * @throws NotFound; InvalidInput; ServiceError 422 or 503, see `Identities.prove`
   */
  async function update(
    principal: Principal,
    orgId: string,
    id: string,
    changes: AccountUpdate,
    assertKnown: (account: CloudAccount) => void,
  ): Promise<CloudAccount> {
    assertKnown(await get(orgId, id));
    const proven = await proveUpdate(principal, orgId, id, changes);
    const { account, changed } = await db.inOrg(orgId, async (trx) => {
      if (!(await store.lockAccount(trx, orgId, id))) throw new NotFound();
      const before = assertFound(await store.findAccount(trx, orgId, id));
      assertKnown(before);
      const { display_name, regions = before.regions, enabled = before.enabled } = changes;
      const fresh = { display_name: display_name?.trim() ?? before.display_name, regions, enabled };
      if (proven === undefined && isSame(before, fresh)) return { account: before, changed: false };
      await store.updateAccount(trx, orgId, id, { ...fresh, ...proven, updated_at: now() });
      return { account: assertFound(await store.findAccount(trx, orgId, id)), changed: true };
    });
    if (changed) {
      const detail = {
        account_id: id,
        credential_type: account.credential_type,
        credentials_changed: proven !== undefined,
      };
      const actor_email = principal.user.email;
      await audit.record({ action: 'cloud_account.updated', org_id: orgId, actor_email, detail });
    }
    return account;
  }

  /** New credentials, confirmed by the cloud; undefined if they do not change. */
  async function proveUpdate(principal: Principal, org_id: string, id: string, changes: AccountUpdate) {
    const { credential_type, credentials: fields } = changes;
    if (fields === undefined) {
      if (credential_type === undefined) return undefined;
      throw new InvalidInput('credentials is required with credential_type: send the new credentials with their type');
    }
    const stored = assertFound(await db.readInOrg(org_id, (read) => store.findSealed(read, org_id, id)));
    const credentials = parseCredentials(stored.provider, credential_type ?? stored.credential_type, fields);
    return prove(principal, { org_id, external_id: stored.external_id }, stored, credentials);
  }

  /**
   * Deletes an account and erases its credentials.
   *
   * @throws NotFound
   */
  async function remove({ user }: Principal, orgId: string, id: string): Promise<void> {
    await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      if (!(await store.deleteAccount(trx, orgId, id, now()))) throw new NotFound();
      await onDeleted(trx, { org_id: orgId, id });
    });
    const detail = { account_id: id };
    await audit.record({ action: 'cloud_account.deleted', org_id: orgId, actor_email: user.email, detail });
  }

  return { list, get, create, update, remove };
}

type Editable = Pick<CloudAccount, 'display_name' | 'regions' | 'enabled'>;

function isSame(before: Editable, after: Editable): boolean {
  const { display_name, regions, enabled } = before;
  return (
    display_name === after.display_name &&
    enabled === after.enabled &&
    JSON.stringify(regions) === JSON.stringify(after.regions)
  );
}

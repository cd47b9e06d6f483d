import type { WorkloadIssuers } from '../../adapters/workload-identity/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Keep, lockOrg } from '../../db/index.ts';
import { InvalidInput, NotFound, ServiceError } from '../../lib/errors.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { cleanName } from '../orgs/index.ts';
import { assertImmutable } from './conditions.ts';
import { describeFederation } from './info.ts';
import * as store from './store.ts';
import type { EphemeralKeys, FederationSettings, FederationTrust, TrustInput } from './types.ts';

const MAX_TRUSTS = 100;
const RETENTION_MS = 90 * 86_400_000;

export interface FederationDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'authz' | 'now'> {
  issuers: WorkloadIssuers;
  apiKeys: EphemeralKeys;
  audit: AuditWriter;
  settings: FederationSettings;
}

export function createFederation(deps: FederationDeps) {
  const { db, sweep_db, issuers, apiKeys, audit, authz, settings, now } = deps;

  /**
   * Creates a trust: tokens of the issuer that meet the conditions can be exchanged for keys that act for the caller.
   *
   * @throws InvalidInput for an invalid name, conditions that use only names, an unusable issuer (`url_not_allowed` for
   *   its URL), or too many trusts
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: TrustInput,
    keep?: Keep<FederationTrust>,
  ): Promise<FederationTrust> {
    const { id: user_id, email } = principal.user;
    const trust = { enabled: true, ...input, name: cleanName(input.name, 'name') };
    assertImmutable(trust.issuer, trust.conditions);
    await issuers.assertUsable(trust.issuer);

    const created_at = now();
    const created = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      if ((await store.countTrusts(trx, orgId)) >= MAX_TRUSTS) {
        throw new InvalidInput(`an organization can have ${MAX_TRUSTS} trusts; delete one first`);
      }
      const id = await store.insertTrust(trx, orgId, { ...trust, created_by: user_id, created_at });
      const stored = { ...trust, id, created_by: { id: user_id, email }, created_at, last_used_at: null };
      await keep?.(trx, stored);
      return stored;
    });
    await audit.record({
      action: 'federation_trust.created',
      org_id: orgId,
      actor_email: email,
      detail: { trust_id: created.id, issuer: trust.issuer, scopes: [...trust.scopes] },
    });
    return created;
  }

  /** All trusts of the organization, newest first. */
  async function list(orgId: string): Promise<FederationTrust[]> {
    return db.readInOrg(orgId, (read) => store.listTrusts(read, orgId));
  }

  /**
   * Deletes a trust and revokes all its keys.
   *
   * @throws NotFound
   */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    const { id: user_id, email } = principal.user;
    const at = now();
    const revoked = await db.inOrg(orgId, async (trx) => {
      if (!(await store.deleteTrust(trx, orgId, id, at))) throw new NotFound();
      return apiKeys.revokeKeysByTrust(trx, orgId, id, { user_id, at });
    });
    for (const key_id of revoked) authz.announce({ what: 'key', id: key_id });
    const detail = { trust_id: id };
    await audit.record({ action: 'federation_trust.deleted', org_id: orgId, actor_email: email, detail });
  }

  /** @throws ServiceError 503 `federation_not_configured` */
  function info() {
    const { api_url, subject } = settings;
    if (api_url === null || subject === null) throw federationNotConfigured('API_URL and FEDERATION_SUBJECT');
    return describeFederation({ ...settings, api_url, subject });
  }

  async function deleteOldExchanges(): Promise<void> {
    const before = new Date(now().getTime() - RETENTION_MS);
    await inBatches((limit) => store.deleteExchanges(sweep_db, before, limit));
  }

  return { create, list, remove, info, deleteOldExchanges };
}

export type Federation = ReturnType<typeof createFederation>;

/** Only the operator can change it, so clients need not retry soon. */
export function federationNotConfigured(variables: string): ServiceError {
  const message = `this deployment has no workload identity federation; its operator must set ${variables}`;
  return new ServiceError(503, 'federation_not_configured', message, { retry_after: 3_600 });
}

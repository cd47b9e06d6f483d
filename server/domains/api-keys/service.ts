import { randomInt } from 'node:crypto';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { type Credential, createCredential } from '../../lib/credential.ts';
import { NotFound, Unauthenticated } from '../../lib/errors.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditDetails, AuditWriter } from '../audit/index.ts';
import { cleanName, type Orgs } from '../orgs/index.ts';
import { parseExpiry } from './expiry.ts';
import { BASE, formatKey, isKey, SECRET_LENGTH, toDisplayPrefix } from './key-format.ts';
import * as store from './store.ts';
import type {
  ApiKey,
  ApiKeyInput,
  AuthenticatedKey,
  CreatedApiKey,
  EphemeralKey,
  IntegrationKey,
  KeyFilter,
} from './types.ts';

/** Precision of the last use of a key. */
const USE_RESOLUTION_MS = 60_000;
const DAY_MS = 86_400_000;
/** An ephemeral key is kept for a day after it expired, a revoked one for as long as the longest lists show its use. */
const RETENTION_DAYS = { ephemeral: 1, revoked: 400 };
/** Scopes of integrations: they submit plans and read the results. */
const INTEGRATION_SCOPES = ['analysis:write', 'analysis:read'];

export interface ApiKeysDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'authz' | 'log' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom'>;
  audit: AuditWriter;
}

export function createApiKeys({ db, platform_db, sweep_db, orgs, audit, authz, log, now }: ApiKeysDeps) {
  /**
   * Creates a key that acts for the caller within the organization.
   *
   * @returns the record, and the key itself, which cannot be read again
   * @throws InvalidInput for an invalid name or expiration; PaymentRequired if the organization has as many keys as its
   *   plan allows
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: ApiKeyInput,
    keep?: Keep<CreatedApiKey>,
  ): Promise<CreatedApiKey> {
    const name = cleanName(input.name, 'name');
    const expires_at = parseExpiry(input.expires_at, now());
    const scopes = [...input.scopes];
    const { id: user_id, email } = principal.user;
    const { key, ...stored } = makeKey();
    const { key_prefix } = stored;
    const created_at = now();
    const row = { name, kind: 'standard' as const, ...stored, scopes, user_id, trust_id: null, expires_at, created_at };

    const created = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await orgs.assertRoom(trx, orgId, 'api_keys');
      const record: ApiKey = {
        id: await store.insertKey(trx, orgId, row),
        name,
        key_prefix,
        scopes,
        kind: 'standard',
        created_by: { id: user_id, email },
        created_at,
        last_used_at: null,
        expires_at,
        revoked_at: null,
        revoked_by: null,
      };
      await keep?.(trx, { record, key });
      return { record, key };
    });
    await audit.record({
      action: 'api_key.created',
      org_id: orgId,
      actor_email: email,
      detail: { key_id: created.record.id, name, key_prefix, scopes },
    });
    return created;
  }

  /** One page, newest first; includes keys of token exchanges and revoked ones only on request. */
  async function list(
    orgId: string,
    filter: KeyFilter,
    page: { limit: number; offset: number },
  ): Promise<{ api_keys: ApiKey[]; total: number }> {
    return db.inOrg(orgId, (trx) => store.listKeys(trx, orgId, filter, page));
  }

  /**
   * Revokes a key permanently. The revocation and its audit row are one transaction.
   *
   * @throws NotFound, also for a key that was already revoked
   */
  async function revoke(principal: Principal, orgId: string, id: string): Promise<void> {
    const revoked = await db.inOrg(orgId, (trx) => revokeIn(trx, orgId, id, principal.user));
    if (!revoked) throw new NotFound();
    authz.announce({ what: 'key', id });
  }

  /**
   * Revokes a key with the last statements of the caller's transaction; the caller broadcasts it after the commit.
   *
   * @param by null for the service itself
   * @returns whether the key was active until now
   */
  async function revokeIn(
    trx: Db,
    orgId: string,
    id: string,
    by: { id: string; email: string } | null,
  ): Promise<boolean> {
    const revoked = await store.revokeKey(trx, orgId, id, { user_id: by?.id ?? null, at: now() });
    if (revoked === undefined) return false;
    const detail = { key_id: id, key_prefix: revoked.key_prefix };
    await audit.recordIn(trx, { action: 'api_key.revoked', org_id: orgId, actor_email: by?.email ?? '', detail });
    return true;
  }

  /**
   * Authenticates with a key. A text without the form of a key is rejected without a database query.
   *
   * @throws Unauthenticated `invalid_api_key`, with the same message whatever is wrong
   */
  async function authenticate({ token, digest }: Credential): Promise<AuthenticatedKey> {
    const found = isKey(token) ? await store.findLiveKey(platform_db, digest, now()) : undefined;
    if (found === undefined) {
      throw new Unauthenticated('this API key is not valid: unknown, revoked or expired', 'invalid_api_key');
    }
    await recordUse(found);
    const { id, kind, org_id, scopes, user_id, email, display_name, issuer, expires_at } = found;
    return { key: { id, kind, org_id, scopes }, owner: { id: user_id, email, display_name, issuer }, expires_at };
  }

  async function recordUse({ id, last_used_at }: store.PresentedKey): Promise<void> {
    const at = now();
    if (last_used_at !== null && at.getTime() - last_used_at.getTime() < USE_RESOLUTION_MS) return;
    try {
      await store.touchKey(platform_db, id, at);
    } catch (error) {
      log.warn({ err: error, key_id: id }, 'the use of an API key was not recorded');
    }
  }

  /** Creates a short-lived key within the caller's transaction; it counts toward no limit. */
  async function mintEphemeral(trx: Db, orgId: string, input: EphemeralKey): Promise<{ id: string; token: string }> {
    const { key, ...stored } = makeKey();
    const id = await store.insertKey(trx, orgId, { ...input, ...stored, kind: 'ephemeral', created_at: now() });
    return { id, token: key };
  }

  /**
   * Creates the key of an integration within the caller's transaction. It counts toward the limit but is never
   * rejected, and does not expire.
   *
   * @returns `detail`: what the caller audits as `api_key.created` after its commit
   */
  async function mintIntegration(
    trx: Db,
    orgId: string,
    { name, user_id }: IntegrationKey,
  ): Promise<{ id: string; token: string; detail: AuditDetails['api_key.created'] }> {
    const { key, ...stored } = makeKey();
    const scopes = [...INTEGRATION_SCOPES];
    const row = { name, user_id, scopes, ...stored, kind: 'integration' as const, trust_id: null, expires_at: null };
    const id = await store.insertKey(trx, orgId, { ...row, created_at: now() });
    return { id, token: key, detail: { key_id: id, name, key_prefix: stored.key_prefix, scopes } };
  }

  /**
   * Revokes the keys of a trust within the caller's transaction; the caller broadcasts it afterwards.
   *
   * @returns the ids of the keys that were active until now
   */
  async function revokeKeysByTrust(
    trx: Db,
    orgId: string,
    trustId: string,
    by: { user_id: string; at: Date },
  ): Promise<string[]> {
    return store.revokeKeysByTrust(trx, orgId, trustId, by);
  }

  async function deleteEnded(): Promise<void> {
    const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
    const before = { ephemeral: daysAgo(RETENTION_DAYS.ephemeral), revoked: daysAgo(RETENTION_DAYS.revoked) };
    await inBatches((limit) => store.deleteEndedKeys(sweep_db, before, limit));
  }

  return {
    create,
    list,
    revoke,
    revokeIn,
    authenticate,
    mintEphemeral,
    mintIntegration,
    revokeKeysByTrust,
    deleteEnded,
  };
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** The digest is stored instead of the key. A key is random, so a slow hash would add no protection. */
function makeKey(): { key: string; hash: Buffer; key_prefix: string } {
  const key = formatKey(Array.from({ length: SECRET_LENGTH }, () => randomInt(BASE)));
  return { key, hash: createCredential('api_key', key).digest, key_prefix: toDisplayPrefix(key) };
}

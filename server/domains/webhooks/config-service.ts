import { randomBytes } from 'node:crypto';
import { pickFields } from '../../contract/pick-fields.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, InvalidInput } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import { SealError } from '../../lib/seal.ts';
import type { ApiKeys } from '../api-keys/index.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { openAddress, sealTarget } from './address.ts';
import { configSeals } from './seals.ts';
import { formatSecret, ROTATION_MS, secretPrefix } from './secret.ts';
import * as store from './store.ts';
import { type AssertPublicUrl, parseTarget } from './target.ts';
import type { Tokens } from './token-service.ts';
import { NO_TOKEN, type TokenRow } from './tokens-store.ts';
import type {
  ConfigAccess,
  ConfigWithSecret,
  Target,
  WebhookConfig,
  WebhookConfigChanges,
  WebhookConfigInput,
} from './types.ts';

const SECRET_BYTES = 32;
const LONGEST_KEY_NAME = 100;

export interface WebhookConfigsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'authz' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom'>;
  apiKeys: Pick<ApiKeys, 'mintIntegration' | 'revokeIn'>;
  audit: AuditWriter;
  tokens: Pick<Tokens, 'check'>;
  assertPublicUrl: AssertPublicUrl;
}

export function createWebhookConfigs(deps: WebhookConfigsDeps) {
  const { db, sealer, orgs, apiKeys, audit, tokens, authz, assertPublicUrl, now } = deps;

  async function list(orgId: string, page: { limit: number; offset: number }) {
    return db.inOrg(orgId, (trx) => store.listConfigs(trx, orgId, page));
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<WebhookConfig> {
    return assertFound(await db.readInOrg(orgId, (read) => store.findConfig(read, orgId, id)));
  }

  /** What a bot needs to work for a repository; undefined if it is disabled, deleted, or not a repository. */
  async function access(orgId: string, id: string): Promise<ConfigAccess | undefined> {
    const found = await db.readInOrg(orgId, (read) => store.findAccess(read, orgId, id));
    if (found === undefined) return undefined;
    const { open } = configSeals(sealer, orgId, id);
    const { api_key_ct, api_token_ct, ...config } = found;
    const dpa_token = api_key_ct === null ? null : open('api_key_ct', api_key_ct);
    return { ...config, dpa_token, api_token: api_token_ct === null ? null : open('api_token_ct', api_token_ct) };
  }

  /**
   * Creates a configuration for a repository or a server. A repository also gets an API key for analyzing its plans.
   *
   * @throws InvalidInput, `url_not_allowed` for a URL that must not be called; Conflict `webhook_config_exists`;
   *   PaymentRequired if the organization has as many as its plan allows; ServiceError 422 for an invalid token
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: WebhookConfigInput,
    keep?: Keep<ConfigWithSecret>,
  ): Promise<ConfigWithSecret> {
    const { id: created_by, email } = principal.user;
    const target = parseTarget(input, assertPublicUrl);
    const id = newId();
    // Before the token is validated at the host of the repository.
    if (input.api_token !== undefined) await db.inOrg(orgId, (trx) => assertRoom(trx, orgId));
    const token = await checkToken(orgId, id, target, input);
    const { seal } = configSeals(sealer, orgId, id);
    const raw_secret = formatSecret(randomBytes(SECRET_BYTES));
    const secret = { secret_prefix: secretPrefix(raw_secret), secret_ct: seal('secret_ct', raw_secret) };
    const { label = null, enabled = true } = input;
    const at = now();
    const stored = sealTarget(sealer, { orgId, id }, target);

    const { config, key } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await assertRoom(trx, orgId);
      await assertFree(trx, orgId, target, stored.provider_base_url);
      const key = target.repo_path === null ? undefined : await mint(trx, orgId, target.repo_path, created_by);
      const api_key = { api_key_id: key?.id ?? null, api_key_ct: key ? seal('api_key_ct', key.token) : null };
      const rest = { id, label, enabled, created_by, created_at: at, updated_at: at };
      await store.insertConfig(trx, orgId, { ...stored, ...rest, ...secret, ...token, ...api_key });
      const config = assertFound(await store.findConfig(trx, orgId, id));
      await keep?.(trx, { config, raw_secret });
      return { config, key };
    });
    const event = { org_id: orgId, actor_email: email };
    await audit.record({ ...event, action: 'webhook_config.created', detail: createdDetail(config) });
    if (key !== undefined) await audit.record({ ...event, action: 'api_key.created', detail: key.detail });
    return { config, raw_secret };
  }

  async function assertRoom(trx: Db, orgId: string): Promise<void> {
    await orgs.assertRoom(trx, orgId, 'webhook_configs');
  }

  async function checkToken(orgId: string, id: string, target: Target, input: WebhookConfigInput): Promise<TokenRow> {
    const { api_token, api_token_expires_at } = input;
    if (api_token !== undefined) return tokens.check(orgId, id, target, { api_token, api_token_expires_at });
    if (api_token_expires_at === undefined || api_token_expires_at === null) return NO_TOKEN;
    throw new InvalidInput('api_token is required with api_token_expires_at');
  }

  async function mint(trx: Db, orgId: string, repo_path: string, user_id: string) {
    return apiKeys.mintIntegration(trx, orgId, { name: repo_path.slice(-LONGEST_KEY_NAME), user_id });
  }

  /** @param masked the public part of the URL */
  async function assertFree(trx: Db, orgId: string, target: Target, masked: string): Promise<void> {
    const is_taken = target.provider === 'generic' ? isAddressTaken : store.isRepositoryTaken;
    if (!(await is_taken(trx, orgId, target))) return;
    const what = target.repo_path ?? masked;
    throw new Conflict(
      `a webhook configuration for "${what}" already exists; use or delete it`,
      'webhook_config_exists',
    );
  }

  async function isAddressTaken(trx: Db, orgId: string, { provider_base_url: address }: Target): Promise<boolean> {
    const lookalikes = await store.listLookalikes(trx, orgId, address);
    return lookalikes.some((one) => readableAddress(orgId, one) === address);
  }

  /** undefined if no key decrypts it, so that it does not block others. */
  function readableAddress(orgId: string, one: Parameters<typeof openAddress>[2]): string | undefined {
    try {
      return openAddress(sealer, orgId, one);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  /**
   * Enables, disables or renames; an empty change writes nothing.
   *
   * @throws NotFound
   */
  async function update(
    principal: Principal,
    orgId: string,
    id: string,
    changes: WebhookConfigChanges,
  ): Promise<WebhookConfig> {
    const { config, changed } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const before = assertFound(await store.findConfig(trx, orgId, id));
      const { enabled = before.enabled, label = before.label } = changes;
      if (enabled === before.enabled && label === before.label) return { config: before, changed: false };
      const fresh = { enabled, label, updated_at: now() };
      await store.updateConfig(trx, orgId, id, fresh);
      return { config: { ...before, ...fresh }, changed: true };
    });
    if (changed) {
      const detail = { config_id: id, enabled: config.enabled };
      await audit.record({
        action: 'webhook_config.updated',
        org_id: orgId,
        actor_email: principal.user.email,
        detail,
      });
    }
    return config;
  }

  /**
   * Creates a new secret; the old one stays valid for a day.
   *
   * @throws NotFound
   */
  async function rotateSecret(
    principal: Principal,
    orgId: string,
    id: string,
    keep?: Keep<ConfigWithSecret>,
  ): Promise<ConfigWithSecret> {
    const { seal, open } = configSeals(sealer, orgId, id);
    const raw_secret = formatSecret(randomBytes(SECRET_BYTES));
    const secret_prefix = secretPrefix(raw_secret);
    const at = now();
    const config = await db.inOrg(orgId, async (trx) => {
      const { secret_ct } = assertFound(await store.lockSecret(trx, orgId, id));
      await store.replaceSecret(trx, orgId, id, {
        secret_ct: seal('secret_ct', raw_secret),
        secret_prefix,
        prev_secret_ct: seal('prev_secret_ct', open('secret_ct', secret_ct)),
        prev_secret_until: new Date(at.getTime() + ROTATION_MS),
        updated_at: at,
      });
      const rotated = assertFound(await store.findConfig(trx, orgId, id));
      await keep?.(trx, { config: rotated, raw_secret });
      return rotated;
    });
    const detail = { config_id: id, secret_prefix };
    const actor_email = principal.user.email;
    await audit.record({ action: 'webhook_config.secret_rotated', org_id: orgId, actor_email, detail });
    return { config, raw_secret };
  }

  /**
   * Deletes a configuration, its secrets and its key.
   *
   * @throws NotFound
   */
  async function remove({ user }: Principal, orgId: string, id: string): Promise<void> {
    const { api_key_id } = await db.inOrg(orgId, async (trx) => {
      const deleted = assertFound(await store.deleteConfig(trx, orgId, id, now()));
      if (deleted.api_key_id !== null) await apiKeys.revokeIn(trx, orgId, deleted.api_key_id, user);
      return deleted;
    });
    if (api_key_id !== null) authz.announce({ what: 'key', id: api_key_id });
    const detail = { config_id: id };
    await audit.record({ action: 'webhook_config.deleted', org_id: orgId, actor_email: user.email, detail });
  }

  /** @throws InvalidInput if one of these configurations does not exist */
  async function assertExist(trx: Db, orgId: string, ids: readonly string[], path: string): Promise<void> {
    if (ids.length === 0) return;
    const existing = new Set(await store.listExisting(trx, orgId, ids));
    const unknown = ids.filter((id) => !existing.has(id.toLowerCase()));
    if (unknown.length === 0) return;
    const problem = `no webhook configuration has the ID ${unknown.join(', ')}`;
    const details = unknown.map((id) => ({
      path: `${path}/${ids.indexOf(id)}`,
      message: problem,
      code: 'invalid_request',
    }));
    throw new InvalidInput(problem, 'invalid_request', { details });
  }

  return { list, get, assertExist, access, create, update, rotateSecret, remove };
}

export type WebhookConfigs = ReturnType<typeof createWebhookConfigs>;

function createdDetail(config: WebhookConfig) {
  return {
    ...pickFields(config, [
      'provider',
      'repo_path',
      'provider_base_url',
      'secret_prefix',
      'api_token_prefix',
      'api_token_status',
    ]),
    config_id: config.id,
    api_token_expires: config.api_token_expires_at?.toISOString() ?? null,
  };
}

import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg, type SealedColumn } from '../../db/index.ts';
import { assertFound, InvalidInput, NotFound } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import { SealError } from '../../lib/seal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { deleteBreakers } from './breaker-store.ts';
import * as store from './config-store.ts';
import type { LlmConfig, LlmProvider, OpenedConfig, StoredConfig } from './types.ts';

export interface LlmConfigsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  audit: AuditWriter;
  /** Rejects a URL that is not a public https server. @throws InvalidInput `url_not_allowed` */
  assertPublicUrl: (url: string, field: string) => void;
  /** The platform's own account; null = the deployment has none. */
  platform: LlmConfig | null;
}

/** The model accounts of organizations. */
export function createLlmConfigs({ db, sealer, audit, assertPublicUrl, platform, now }: LlmConfigsDeps) {
  /**
   * Sets the account of an organization, replacing the previous one, and closes its breaker.
   *
   * @throws InvalidInput, `url_not_allowed` for a URL that must not be called
   */
  async function put(principal: Principal, orgId: string, config: LlmConfig): Promise<StoredConfig> {
    if (config.provider === 'azure_openai') assertEndpoint(config.azure_endpoint);
    const { provider } = config;
    const config_ct = sealer.seal(SEALED_ACCOUNTS, { org_id: orgId, provider }, Buffer.from(JSON.stringify(config)));
    const { config: stored, created } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await deleteBreakers(trx, orgId);
      return store.putConfig(trx, orgId, { provider, config_ct, now: now() });
    });
    await record(principal, orgId, created ? 'llm_config.created' : 'llm_config.updated', provider);
    return stored;
  }

  function assertEndpoint(azure_endpoint: string): void {
    assertPublicUrl(azure_endpoint, 'azure_endpoint');
    if (!/[?#]/.test(azure_endpoint)) return;
    throw new InvalidInput('azure_endpoint must not contain a query or a fragment: remove "?" or "#" and what follows');
  }

  /** @throws NotFound */
  async function get(orgId: string): Promise<StoredConfig> {
    const config = assertFound(await db.readInOrg(orgId, (read) => store.findConfig(read, orgId)));
    return config;
  }

  /** @throws NotFound */
  async function remove(principal: Principal, orgId: string): Promise<void> {
    const provider = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await deleteBreakers(trx, orgId);
      return store.deleteConfig(trx, orgId);
    });
    if (provider === undefined) throw new NotFound();
    await record(principal, orgId, 'llm_config.deleted', provider);
  }

  /** The provider of the organization's own account; undefined if it has none. */
  async function findProvider(read: Db, orgId: string): Promise<LlmProvider | undefined> {
    return (await store.findConfig(read, orgId))?.provider;
  }

  /** The account for an organization's calls, with its secrets in clear text. */
  async function open(orgId: string): Promise<OpenedConfig> {
    const sealed = await db.readInOrg(orgId, (read) => store.findSealedConfig(read, orgId));
    if (sealed === undefined) return platform === null ? { kind: 'none' } : { kind: 'platform', config: platform };
    try {
      const plain = sealer.open(SEALED_ACCOUNTS, { org_id: orgId, provider: sealed.provider }, sealed.config_ct);
      return { kind: 'byok', config: JSON.parse(plain.toString()), updated_at: sealed.updated_at };
    } catch (error) {
      if (error instanceof SealError) return { kind: 'unreadable', skip_reason: error.error_class };
      throw error;
    }
  }

  async function record(
    { user }: Principal,
    org_id: string,
    action: 'llm_config.created' | 'llm_config.updated' | 'llm_config.deleted',
    provider: LlmProvider,
  ): Promise<void> {
    await audit.record({ action, org_id, actor_email: user.email, detail: { provider } });
  }

  return { put, get, remove, findProvider, open };
}

export type LlmConfigs = ReturnType<typeof createLlmConfigs>;

/** Bound to its row: it cannot be decrypted in another organization or for another provider. */
export const SEALED_ACCOUNTS: SealedColumn = {
  table: 'llm_configs',
  column: 'config_ct',
  org_column: 'org_id',
  key: 'org_id',
  reads: ['provider'],
  aad: ({ org_id = '', provider = '' }) => `llm_configs.config_ct|${org_id}|${provider}`,
};

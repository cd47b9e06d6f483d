import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import { maskAddress } from './address.ts';
import { NO_TOKEN, type TokenRow } from './tokens-store.ts';
import type { ScmProvider, StoredTarget, Target, TokenStatus, WebhookConfig } from './types.ts';

const SHOWN = [
  'c.id',
  'c.provider',
  'c.repo_path',
  'c.provider_base_url',
  'c.target_ct',
  'c.label',
  'c.enabled',
  'c.secret_prefix',
  'c.api_token_prefix',
  'c.api_token_status',
  'c.api_token_expires_at',
  'last.created_at as last_delivery_at',
  'last.status as last_delivery_status',
  'c.created_at',
  'c.updated_at',
] as const;

export interface NewConfig extends StoredTarget, TokenRow {
  id: string;
  label: string | null;
  enabled: boolean;
  secret_prefix: string;
  secret_ct: Buffer;
  api_key_id: string | null;
  api_key_ct: Buffer | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** Existing configurations with their last delivery. */
function selectLive(db: Db, orgId: string) {
  return db('webhook_configs as c')
    .joinRaw(
      `left join lateral (select d.created_at, d.status from webhook_deliveries d
       where d.org_id = c.org_id and d.config_id = c.id order by d.created_at desc, d.id desc limit 1) last on true`,
    )
    .where('c.org_id', orgId)
    .whereNull('c.deleted_at');
}

/** One page, newest first, and the total. */
export async function listConfigs(
  db: Db,
  orgId: string,
  page: { limit: number; offset: number },
): Promise<{ webhook_configs: WebhookConfig[]; total: number }> {
  const rows: ConfigRow[] = await takeNewest(selectLive(db, orgId), page, 'c').select(...SHOWN);
  return { webhook_configs: rows.map(toConfig), total: await countConfigs(db, orgId) };
}

export async function findConfig(db: Db, orgId: string, id: string): Promise<WebhookConfig | undefined> {
  const row: ConfigRow | undefined = await selectLive(db, orgId)
    .where('c.id', id)
    .first(...SHOWN);
  return row && toConfig(row);
}

type ConfigRow = WebhookConfig & Pick<StoredTarget, 'target_ct'>;

/** Records of older releases also show only the public part of their URL. */
function toConfig({ target_ct, ...config }: ConfigRow): WebhookConfig {
  const is_clear = config.provider === 'generic' && target_ct === null;
  return is_clear ? { ...config, provider_base_url: maskAddress(config.provider_base_url) } : config;
}

export interface SealedAccess {
  id: string;
  provider: ScmProvider;
  provider_base_url: string;
  repo_path: string;
  api_key_ct: Buffer | null;
  api_token_ct: Buffer | null;
  api_token_status: TokenStatus | null;
  api_user_id: string | null;
}

/** What a bot needs to work for a repository; undefined if it is disabled, deleted, or not a repository. */
export async function findAccess(db: Db, orgId: string, id: string): Promise<SealedAccess | undefined> {
  return db('webhook_configs')
    .where({ org_id: orgId, id, enabled: true })
    .whereNot({ provider: 'generic' })
    .whereNull('deleted_at')
    .first(
      'id',
      'provider',
      'provider_base_url',
      'repo_path',
      'api_key_ct',
      'api_token_ct',
      'api_token_status',
      'api_user_id',
    );
}

export async function countConfigs(db: Db, orgId: string): Promise<number> {
  return countRows(db('webhook_configs').where({ org_id: orgId }).whereNull('deleted_at'));
}

/** Whether the organization has a configuration of this repository. */
export async function isRepositoryTaken(db: Db, orgId: string, target: Target): Promise<boolean> {
  const row = await db('webhook_configs')
    .where({ org_id: orgId, ...target })
    .whereNull('deleted_at')
    .first('id');
  return row !== undefined;
}

/** The generic webhooks of an organization whose URL may be this one, because the public part is equal. */
/** Those of these configurations that exist; disabled ones as well. */
export async function listExisting(db: Db, orgId: string, ids: readonly string[]): Promise<string[]> {
  return db('webhook_configs').where({ org_id: orgId }).whereIn('id', ids).whereNull('deleted_at').pluck('id');
}

export async function listLookalikes(
  db: Db,
  orgId: string,
  address: string,
): Promise<({ id: string } & Pick<StoredTarget, 'provider_base_url' | 'target_ct'>)[]> {
  return db('webhook_configs')
    .where({ org_id: orgId, provider: 'generic' })
    .whereIn('provider_base_url', [address, maskAddress(address)])
    .whereNull('deleted_at')
    .select('id', 'provider_base_url', 'target_ct');
}

export async function insertConfig(db: Db, orgId: string, config: NewConfig): Promise<void> {
  await db('webhook_configs').insert({ org_id: orgId, ...config });
}

export interface ClearTarget {
  id: string;
  org_id: string;
}

/** Generic webhooks of all organizations whose URL an older release stored in clear text, including deleted ones. */
export async function listClearTargets(db: Db, after: string | undefined, limit: number): Promise<ClearTarget[]> {
  const clear = db('webhook_configs').where({ provider: 'generic' }).whereNull('target_ct');
  if (after !== undefined) clear.where('id', '>', after);
  return clear.orderBy('id').limit(limit).select('id', 'org_id');
}

/** Replaces the clear-text URL with the encrypted one; for a deleted configuration, nothing is kept. */
export async function replaceClearTarget(
  db: Db,
  { org_id, id }: ClearTarget,
  seal: (target: Target) => StoredTarget,
): Promise<void> {
  const clear = db('webhook_configs').where({ org_id, id, provider: 'generic' }).whereNull('target_ct');
  const row = await clear
    .clone()
    .forUpdate()
    .first('provider', 'repo_path', 'provider_base_url', 'target_ct', 'deleted_at');
  if (row === undefined) return;
  const { deleted_at, ...target } = row;
  await clear.update(deleted_at === null ? seal(target) : wipedTarget(target));
}

/** Changes an existing configuration; enabling it resets its failure count. */
export async function updateConfig(
  db: Db,
  orgId: string,
  id: string,
  changes: { enabled?: boolean; label?: string | null; updated_at: Date },
): Promise<void> {
  const streak = changes.enabled === true ? { failed_streak: 0 } : {};
  await db('webhook_configs')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .update({ ...changes, ...streak });
}

/** The encrypted secret of an existing configuration; locks its row. */
export async function lockSecret(db: Db, orgId: string, id: string): Promise<{ secret_ct: Buffer } | undefined> {
  return db('webhook_configs').where({ org_id: orgId, id }).whereNull('deleted_at').forUpdate().first('secret_ct');
}

export async function replaceSecret(
  db: Db,
  orgId: string,
  id: string,
  fresh: {
    secret_ct: Buffer;
    secret_prefix: string;
    prev_secret_ct: Buffer;
    prev_secret_until: Date;
    updated_at: Date;
  },
): Promise<void> {
  await db('webhook_configs').where({ org_id: orgId, id }).update(fresh);
}

/** Deletes a configuration and all its secrets. @returns its integration key; undefined if it did not exist */
export async function deleteConfig(
  db: Db,
  orgId: string,
  id: string,
  now: Date,
): Promise<{ api_key_id: string | null } | undefined> {
  const row = await db('webhook_configs')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .forUpdate()
    .first('api_key_id', 'provider', 'provider_base_url', 'target_ct');
  if (row === undefined) return undefined;
  const wiped = { prev_secret_ct: null, prev_secret_until: null, api_key_id: null, api_key_ct: null };
  await db('webhook_configs')
    .where({ org_id: orgId, id })
    .update({
      ...wiped,
      ...NO_TOKEN,
      ...wipedTarget(row),
      secret_ct: Buffer.alloc(0),
      enabled: false,
      deleted_at: now,
      updated_at: now,
    });
  return { api_key_id: row.api_key_id };
}

/** A target without its URL; the public part is kept. */
function wipedTarget({ provider, provider_base_url, target_ct }: StoredTarget): Partial<StoredTarget> {
  if (provider !== 'generic') return {};
  const masked = target_ct === null ? maskAddress(provider_base_url) : provider_base_url;
  return { provider_base_url: masked, target_ct: Buffer.alloc(0) };
}

import type { Db } from '../../db/index.ts';
import { NO_TOKEN, type TokenRow } from './tokens-store.ts';
import type { ScmProvider, Target, WebhookConfig } from './types.ts';

const SHOWN = [
  'c.id',
  'c.provider',
  'c.repo_path',
  'c.provider_base_url',
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

export interface NewConfig extends Target, TokenRow {
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

/** Live configurations with the last that was sent or received. */
function shown(db: Db, orgId: string) {
  return db('webhook_configs as c')
    .joinRaw(
      `left join lateral (select d.created_at, d.status from webhook_deliveries d
       where d.org_id = c.org_id and d.config_id = c.id order by d.created_at desc, d.id desc limit 1) last on true`,
    )
    .where('c.org_id', orgId)
    .whereNull('c.deleted_at');
}

/** One page, newest first, and how many there are. */
export async function listConfigs(
  db: Db,
  orgId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ webhook_configs: WebhookConfig[]; total: number }> {
  const webhook_configs: WebhookConfig[] = await shown(db, orgId)
    .orderBy([
      { column: 'c.created_at', order: 'desc' },
      { column: 'c.id', order: 'desc' },
    ])
    .limit(limit)
    .offset(offset)
    .select(...SHOWN);
  return { webhook_configs, total: await countConfigs(db, orgId) };
}

export async function findConfig(db: Db, orgId: string, id: string): Promise<WebhookConfig | undefined> {
  return shown(db, orgId)
    .where('c.id', id)
    .first(...SHOWN);
}

export interface SealedAccess {
  id: string;
  provider: ScmProvider;
  provider_base_url: string;
  repo_path: string;
  api_key_ct: Buffer | null;
  api_token_ct: Buffer | null;
  api_user_id: string | null;
}

/** What a repository is worked for with; undefined when it is switched off, gone, or no repository. */
export async function findAccess(db: Db, orgId: string, id: string): Promise<SealedAccess | undefined> {
  return db('webhook_configs')
    .where({ org_id: orgId, id, enabled: true })
    .whereNot({ provider: 'generic' })
    .whereNull('deleted_at')
    .first('id', 'provider', 'provider_base_url', 'repo_path', 'api_key_ct', 'api_token_ct', 'api_user_id');
}

export async function countConfigs(db: Db, orgId: string): Promise<number> {
  const [row] = await db('webhook_configs')
    .where({ org_id: orgId })
    .whereNull('deleted_at')
    .count<{ count: string }[]>('* as count');
  return Number(row?.count ?? 0);
}

/** Whether the org has a live configuration of this very target. */
export async function isTaken(db: Db, orgId: string, target: Target): Promise<boolean> {
  const row = await db('webhook_configs')
    .where({ org_id: orgId, ...target })
    .whereNull('deleted_at')
    .first('id');
  return row !== undefined;
}

export async function insertConfig(db: Db, orgId: string, config: NewConfig): Promise<void> {
  await db('webhook_configs').insert({ org_id: orgId, ...config });
}

/** Changes a live configuration; what must be running again counts its failures anew. */
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

/** The sealed secret of a live configuration, its row locked. */
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

/** Ends a configuration and wipes every secret it had. @returns its integration key; undefined when it was not there */
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
    .first('api_key_id');
  if (row === undefined) return undefined;
  const wiped = { prev_secret_ct: null, prev_secret_until: null, api_key_id: null, api_key_ct: null };
  await db('webhook_configs')
    .where({ org_id: orgId, id })
    .update({ ...wiped, ...NO_TOKEN, secret_ct: Buffer.alloc(0), enabled: false, deleted_at: now, updated_at: now });
  return row;
}

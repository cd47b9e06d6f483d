import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import type { WebhookProvider } from '../webhooks/index.ts';
import type { NotificationTarget, Route } from './types.ts';

const SHOWN = [
  't.id',
  't.kind',
  't.label',
  't.enabled',
  't.min_level',
  't.channel',
  't.addresses',
  't.url',
  't.webhook_config_id',
  'last.created_at as last_delivery_at',
  'last.status as last_delivery_status',
  'last.error as last_error',
  't.created_at',
  't.updated_at',
] as const;

/** Existing targets with their last delivery. */
function selectLive(db: Db, orgId: string) {
  return db('notification_targets as t')
    .joinRaw(
      `left join lateral (select d.created_at, d.status, d.error from notification_deliveries d
       where d.org_id = t.org_id and d.target_id = t.id order by d.created_at desc, d.id desc limit 1) last on true`,
    )
    .where('t.org_id', orgId)
    .whereNull('t.deleted_at');
}

/** One page, newest first, and the total. */
export async function listTargets(
  db: Db,
  orgId: string,
  page: { limit: number; offset: number },
): Promise<{ targets: NotificationTarget[]; total: number }> {
  const targets: NotificationTarget[] = await takeNewest(selectLive(db, orgId), page, 't').select(...SHOWN);
  return { targets, total: await countTargets(db, orgId) };
}

export async function findTarget(db: Db, orgId: string, id: string): Promise<NotificationTarget | undefined> {
  return selectLive(db, orgId)
    .where('t.id', id)
    .first(...SHOWN);
}

export async function countTargets(db: Db, orgId: string): Promise<number> {
  return countRows(db('notification_targets').where({ org_id: orgId }).whereNull('deleted_at'));
}

export interface NewTarget
  extends Omit<NotificationTarget, 'last_delivery_at' | 'last_delivery_status' | 'last_error'> {
  url_ct: Buffer | null;
  created_by: string;
}

export async function insertTarget(db: Db, orgId: string, target: NewTarget): Promise<void> {
  await db('notification_targets').insert({ org_id: orgId, ...target });
}

export async function updateTarget(
  db: Db,
  orgId: string,
  id: string,
  changes: Partial<Pick<NotificationTarget, 'label' | 'enabled' | 'min_level'>> & { updated_at: Date },
): Promise<void> {
  await db('notification_targets').where({ org_id: orgId, id }).update(changes);
}

/** Deletes a target with its secret. @returns whether it existed */
export async function deleteTarget(db: Db, orgId: string, id: string, at: Date): Promise<boolean> {
  const gone = await db('notification_targets')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .update({ deleted_at: at, updated_at: at, url_ct: null });
  return gone > 0;
}

/** Routes of the enabled targets of an organization. */
export async function listRoutes(db: Db, orgId: string): Promise<Route[]> {
  return db('notification_targets')
    .where({ org_id: orgId, enabled: true })
    .whereNull('deleted_at')
    .orderBy('id')
    .select(
      db.raw("'target:' || id as key, null::uuid as schedule_id"),
      'kind',
      'min_level',
      'id as target_id',
      'channel',
      'webhook_config_id',
    );
}

/** Providers of those of these webhook configurations that exist, by ID; disabled ones as well. */
export async function listProviders(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<Map<string, WebhookProvider>> {
  const rows: { id: string; provider: WebhookProvider }[] = await db('webhook_configs')
    .where({ org_id: orgId })
    .whereIn('id', ids)
    .whereNull('deleted_at')
    .select('id', 'provider');
  return new Map(rows.map(({ id, provider }) => [id, provider]));
}

/** What a delivery needs of an existing target. */
export interface TargetPlace {
  id: string;
  enabled: boolean;
  channel: string | null;
  addresses: string[];
  url_ct: Buffer | null;
}

export async function findPlace(db: Db, orgId: string, id: string): Promise<TargetPlace | undefined> {
  return db('notification_targets')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .first('id', 'enabled', 'channel', 'addresses', 'url_ct');
}

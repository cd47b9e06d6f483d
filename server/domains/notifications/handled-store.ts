import type { RiskLevel } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import type { Handled } from './handled.ts';
import type { AccountDrift, TargetKind } from './types.ts';

/** What people decided about the drift of an account. */
export interface Attention {
  snoozed_until: Date | null;
  snoozed_by: string | null;
  /** The level and the items when it was snoozed. */
  snoozed_level: RiskLevel | null;
  snoozed_items_id: string | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
}

const ATTENTION = [
  'snoozed_until',
  'snoozed_by',
  'snoozed_level',
  'snoozed_items_id',
  'acknowledged_at',
  'acknowledged_by',
] as const;

/** The caller holds the lock of the episode. */
export async function findAttention(db: Db, orgId: string, cloud_account_id: string): Promise<Attention> {
  return db('notification_episodes')
    .where({ org_id: orgId, cloud_account_id })
    .first(...ATTENTION);
}

export async function saveAttention(
  db: Db,
  orgId: string,
  cloud_account_id: string,
  attention: Partial<Attention>,
): Promise<void> {
  await db('notification_episodes').where({ org_id: orgId, cloud_account_id }).update(attention);
}

export interface OpenThread {
  id: string;
  accounts: AccountDrift[];
  handled: Handled[];
}

/** @returns undefined if the drift is gone */
export async function findOpenThread(db: Db, orgId: string, id: string): Promise<OpenThread | undefined> {
  return db('notification_threads')
    .where({ org_id: orgId, id })
    .whereNull('resolved_at')
    .first('id', 'accounts', 'handled');
}

/** All messages that tell of the open drift of one of these accounts; locks their rows. */
export async function lockThreads(db: Db, orgId: string, cloud_account_ids: readonly string[]): Promise<OpenThread[]> {
  const places = cloud_account_ids.map((cloud_account_id) => JSON.stringify([{ cloud_account_id, status: 'open' }]));
  return db('notification_threads')
    .where({ org_id: orgId })
    .whereNull('resolved_at')
    .whereRaw('accounts @> any (?::jsonb[])', [places])
    .orderBy('id')
    .forUpdate()
    .select('id', 'accounts', 'handled');
}

/** @returns the new revision of the thread */
export async function saveHandled(db: Db, orgId: string, id: string, handled: readonly Handled[]): Promise<number> {
  const [row]: { revision: number }[] = await db('notification_threads')
    .where({ org_id: orgId, id })
    .update({ handled: JSON.stringify(handled), revision: db.raw('revision + 1') })
    .returning('revision');
  return row?.revision ?? 1;
}

/** Where the message of a thread goes; undefined if nothing was sent or queued. */
export async function findThreadPlace(
  db: Db,
  orgId: string,
  thread_id: string,
): Promise<{ target_id: string | null; kind: TargetKind; channel: string | null } | undefined> {
  return db('notification_deliveries')
    .where({ org_id: orgId, thread_id })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first('target_id', 'target_kind as kind', 'channel');
}

import { type Db, findNthNewest } from '../../db/index.ts';
import type { NthNewest } from '../../lib/hourly-limit.ts';
import type { DeliveryStatus, StoredTarget } from './types.ts';

export interface LockedConfig extends Omit<StoredTarget, 'repo_path'> {
  id: string;
  enabled: boolean;
}

/** An existing configuration; locks its row. */
export async function lockConfig(db: Db, orgId: string, id: string): Promise<LockedConfig | undefined> {
  return db('webhook_configs')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .forUpdate()
    .first('id', 'provider', 'provider_base_url', 'target_ct', 'enabled');
}

/** When the nth newest message of that kind since then was sent; undefined if there are fewer. */
export async function findNthSent(
  db: Db,
  orgId: string,
  config_id: string,
  event: string,
  range: NthNewest,
): Promise<Date | undefined> {
  return findNthNewest(db('webhook_deliveries').where({ org_id: orgId, config_id, event, direction: 'out' }), range);
}

export interface SentDelivery {
  id: string;
  config_id: string;
  /** The message's id, the same for each attempt. */
  provider_delivery_id: string;
  event: string;
  status: DeliveryStatus;
  error: string | null;
  payload_ct: Buffer | null;
  /** When it is sent; null if it has ended. */
  next_attempt_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

export async function insertSent(db: Db, orgId: string, delivery: SentDelivery): Promise<void> {
  const { created_at } = delivery;
  await db('webhook_deliveries').insert({ org_id: orgId, direction: 'out', begun_at: created_at, ...delivery });
}

export interface KeptDelivery {
  direction: 'in' | 'out';
  status: DeliveryStatus;
  finished_at: Date | null;
  is_kept: boolean;
}

/** A delivery of a configuration; locks its row. */
export async function lockDelivery(
  db: Db,
  orgId: string,
  { config_id, id }: { config_id: string; id: string },
): Promise<KeptDelivery | undefined> {
  return db('webhook_deliveries')
    .where({ org_id: orgId, config_id, id })
    .forUpdate()
    .first('direction', 'status', 'finished_at', db.raw('payload_ct is not null as is_kept'));
}

/** Restarts the delivery. */
export async function reopen(
  db: Db,
  orgId: string,
  id: string,
  { status, next_attempt_at, at }: { status: 'accepted' | 'pending'; next_attempt_at: Date; at: Date },
): Promise<void> {
  const afresh = { attempts: 0, http_status: null, duration_ms: null, error: null, finished_at: null };
  await db('webhook_deliveries')
    .where({ org_id: orgId, id })
    .update({ ...afresh, status, next_attempt_at, begun_at: at });
}

export interface ClaimedDelivery {
  id: string;
  config_id: string;
  provider_delivery_id: string;
  payload_ct: Buffer;
  /** Including this attempt. */
  attempts: number;
}

/** Claims a due message, so that no other worker sends it before `until`. */
export async function claimSending(
  db: Db,
  orgId: string,
  id: string,
  { due, until }: { due: Date; until: Date },
): Promise<ClaimedDelivery | undefined> {
  const [row]: ClaimedDelivery[] = await pending(db, orgId, id)
    .where('next_attempt_at', '<=', due)
    .update({ attempts: db.raw('attempts + 1'), next_attempt_at: until })
    .returning(['id', 'config_id', 'provider_delivery_id', 'payload_ct', 'attempts']);
  return row;
}

export interface AttemptRow {
  status: DeliveryStatus;
  http_status: number | null;
  error: string | null;
  duration_ms: number;
  next_attempt_at: Date | null;
  finished_at: Date | null;
}

/** Records the outcome of an attempt, unless a later one has begun. @returns whether it was recorded */
export async function noteAttempt(
  db: Db,
  orgId: string,
  { id, attempts }: { id: string; attempts: number },
  row: AttemptRow,
): Promise<boolean> {
  return (
    (await pending(db, orgId, id)
      .where({ attempts })
      .update({ ...row })) > 0
  );
}

/** Records the outcome of a test. */
export async function noteTest(db: Db, orgId: string, id: string, row: AttemptRow): Promise<void> {
  await db('webhook_deliveries')
    .where({ org_id: orgId, id })
    .update({ ...row, attempts: 1 });
}

/** Makes a waiting message due now. @returns whether it was waiting */
export async function makeDue(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  return (await pending(db, orgId, id).update({ next_attempt_at: now })) > 0;
}

/** Counts consecutive failures. @returns their number */
export async function countOutcome(db: Db, orgId: string, config_id: string, delivered: boolean): Promise<number> {
  const [row]: { failed_streak: number }[] = await db('webhook_configs')
    .where({ org_id: orgId, id: config_id })
    .update({ failed_streak: delivered ? 0 : db.raw('failed_streak + 1') })
    .returning('failed_streak');
  return row?.failed_streak ?? 0;
}

/** Disables an existing configuration. @returns whether it was enabled */
export async function disable(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  const live = db('webhook_configs').where({ org_id: orgId, id, enabled: true }).whereNull('deleted_at');
  return (await live.update({ enabled: false, updated_at: now })) > 0;
}

function pending(db: Db, orgId: string, id: string) {
  return db('webhook_deliveries').where({ org_id: orgId, id, direction: 'out', status: 'pending' });
}

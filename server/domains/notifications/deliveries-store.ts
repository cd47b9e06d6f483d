import { type Db, findNthNewest } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import type { NthNewest } from '../../lib/hourly-limit.ts';
import type { DeliveryAction, DeliveryStatus, NotificationDelivery, Route } from './types.ts';

export const DELIVERY_FIELDS = [
  'id',
  'event_id',
  'event',
  'action',
  'target_id',
  'target_kind',
  'channel',
  'webhook_config_id',
  'schedule_id',
  'status',
  'http_status',
  'attempts',
  'next_attempt_at',
  'duration_ms',
  'error',
  'created_at',
  'finished_at',
] as const;

export interface NewDelivery {
  id: string;
  event_id: string | null;
  event: string;
  action: DeliveryAction;
  thread_id: string | null;
  /** The revision of the thread that the delivery shows at least. */
  revision: number | null;
  /** The account whose step the delivery tells. */
  cloud_account_id: string | null;
  created_at: Date;
  /** An email without an event. */
  mail_ct?: Buffer | null;
}

type DeliveryRoute = Pick<Route, 'target_id' | 'kind' | 'channel'> &
  Partial<Pick<Route, 'webhook_config_id' | 'schedule_id'>>;

/** @param next_attempt_at when it is due */
export async function insertPending(
  db: Db,
  orgId: string,
  { target_id, kind, channel, webhook_config_id = null, schedule_id = null }: DeliveryRoute,
  delivery: NewDelivery & { next_attempt_at: Date },
): Promise<void> {
  const target = { target_id, target_kind: kind, channel, webhook_config_id, schedule_id };
  await db('notification_deliveries').insert({ org_id: orgId, ...target, ...delivery, status: 'pending' });
}

/** A delivery that was attempted once and has ended, such as a test. */
export async function insertEnded(
  db: Db,
  orgId: string,
  { target_id, kind, channel }: Pick<Route, 'target_id' | 'kind' | 'channel'>,
  delivery: Omit<NewDelivery, 'thread_id' | 'revision' | 'cloud_account_id'> & Omit<AttemptRow, 'next_attempt_at'>,
): Promise<void> {
  const target = { target_id, target_kind: kind, channel };
  await db('notification_deliveries').insert({ org_id: orgId, ...target, attempts: 1, ...delivery });
}

export interface ClaimedDelivery extends Omit<NewDelivery, 'mail_ct'> {
  mail_ct: Buffer | null;
  target_id: string | null;
  target_kind: Route['kind'];
  channel: string | null;
  webhook_config_id: string | null;
  schedule_id: string | null;
  /** Including this attempt. */
  attempts: number;
  /** When an attempt began to post whose outcome is not known; null = none. */
  posting_at: Date | null;
}

/** Claims a due delivery, so that no other worker sends it before `until`. */
export async function claim(
  db: Db,
  orgId: string,
  id: string,
  { due, until }: { due: Date; until: Date },
): Promise<ClaimedDelivery | undefined> {
  const [row]: ClaimedDelivery[] = await pending(db, orgId, id)
    .where('next_attempt_at', '<=', due)
    .update({ attempts: db.raw('attempts + 1'), next_attempt_at: until })
    .returning([
      'id',
      'event_id',
      'event',
      'action',
      'thread_id',
      'revision',
      'cloud_account_id',
      'created_at',
      'target_id',
      'target_kind',
      'channel',
      'webhook_config_id',
      'schedule_id',
      'mail_ct',
      'attempts',
      'posting_at',
    ]);
  return row;
}

/** Gives a claim back without an attempt. */
export async function unclaim(
  db: Db,
  orgId: string,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  next_attempt_at: Date,
): Promise<void> {
  await pending(db, orgId, id)
    .where({ attempts })
    .update({ attempts: attempts - 1, next_attempt_at });
}

/** Notes that a message is about to be posted. */
export async function markPosting(
  db: Db,
  orgId: string,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  posting_at: Date,
): Promise<void> {
  await pending(db, orgId, id).where({ attempts }).update({ posting_at });
}

export interface AttemptRow {
  status: DeliveryStatus;
  http_status: number | null;
  error: string | null;
  duration_ms: number;
  next_attempt_at: Date | null;
  finished_at: Date | null;
}

export interface NotedAttempt extends AttemptRow {
  /** Undefined if a message may have been posted; null if it was, or was not. */
  posting_at?: null;
}

/** Records the outcome of an attempt, and forgets an email that is not sent again, unless a later one has begun. @returns whether it was recorded */
export async function noteAttempt(
  db: Db,
  orgId: string,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  row: NotedAttempt,
): Promise<boolean> {
  return (
    (await pending(db, orgId, id)
      .where({ attempts })
      .update(row.status === 'pending' ? { ...row } : { ...row, mail_ct: null })) > 0
  );
}

/** An ended delivery; locks its row. */
export async function lockDelivery(
  db: Db,
  orgId: string,
  id: string,
): Promise<
  (Pick<NotificationDelivery, 'status' | 'target_id'> & Pick<NewDelivery, 'event_id' | 'thread_id'>) | undefined
> {
  return db('notification_deliveries')
    .where({ org_id: orgId, id })
    .forUpdate()
    .first('status', 'target_id', 'event_id', 'thread_id');
}

/** Restarts a delivery. */
export async function reopen(db: Db, orgId: string, id: string, at: Date): Promise<void> {
  const afresh = { attempts: 0, http_status: null, duration_ms: null, error: null, finished_at: null };
  await db('notification_deliveries')
    .where({ org_id: orgId, id })
    .update({ ...afresh, status: 'pending', next_attempt_at: at });
}

export async function findDelivery(db: Db, orgId: string, id: string): Promise<NotificationDelivery | undefined> {
  return db('notification_deliveries')
    .where({ org_id: orgId, id })
    .first(...DELIVERY_FIELDS);
}

export interface DeliveryFilter {
  target_id?: string | undefined;
  status?: DeliveryStatus | undefined;
}

/** One page, newest first, and the total. */
export async function listDeliveries(
  db: Db,
  orgId: string,
  { target_id, status }: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<{ deliveries: NotificationDelivery[]; total: number }> {
  const matching = db('notification_deliveries').where({ org_id: orgId });
  if (target_id !== undefined) matching.where({ target_id });
  if (status !== undefined) matching.where({ status });
  const deliveries: NotificationDelivery[] = await takeNewest(matching, page).select(...DELIVERY_FIELDS);
  return { deliveries, total: await countRows(matching) };
}

/** When the nth newest test of a target since then was sent; undefined if there are fewer. */
export async function findNthTest(
  db: Db,
  orgId: string,
  target_id: string,
  event: string,
  range: NthNewest,
): Promise<Date | undefined> {
  return findNthNewest(db('notification_deliveries').where({ org_id: orgId, target_id, event }), range);
}

/** Due deliveries of all organizations, oldest first. */
export async function listDue(db: Db, before: Date, limit: number): Promise<{ id: string; org_id: string }[]> {
  return db('notification_deliveries')
    .where({ status: 'pending' })
    .where('next_attempt_at', '<=', before)
    .orderBy('next_attempt_at')
    .limit(limit)
    .select('id', 'org_id');
}

/** Makes a waiting delivery due now. @returns whether it was waiting */
export async function makeDue(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  return (await pending(db, orgId, id).update({ next_attempt_at: now })) > 0;
}

/** @returns the number of deleted deliveries */
export async function deleteDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('notification_deliveries')
    .where('created_at', '<', before)
    .whereNot({ status: 'pending' })
    .limit(limit)
    .select('id');
  return db('notification_deliveries').whereIn('id', old).delete();
}

function pending(db: Db, orgId: string, id: string) {
  return db('notification_deliveries').where({ org_id: orgId, id, status: 'pending' });
}

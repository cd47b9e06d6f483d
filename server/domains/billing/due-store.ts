/** Work that is repeated for each organization. What fails is due again later and later, behind all that waits longer. */
import type { Db } from '../../db/index.ts';
import type { Duplicate } from './types.ts';

const FIRST_DELAY = '10 minutes';
const LONGEST_DELAY = '1 day';
/** Doubled this often, the first delay is longer than the longest one. */
const MOST_DOUBLINGS = 8;

/** Organizations whose subscription is due to be read, the longest due first. */
export async function listUnread(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows: { org_id: string }[] = await liveAccounts(db)
    .whereNotNull('a.customer_id')
    .whereRaw('(a.read_due_at is null or a.read_due_at <= ?)', [now])
    .orderByRaw('a.read_due_at nulls first, a.org_id')
    .limit(limit);
  return rows.map(({ org_id }) => org_id);
}

/** Organizations that pay for seats above their plan and were not reported on this day, the longest due first. */
export async function listUnreportedSeats(
  db: Db,
  { day, now }: { day: string; now: Date },
  limit: number,
): Promise<string[]> {
  const rows: { org_id: string }[] = await liveAccounts(db)
    .where('o.seat_overage', true)
    .whereRaw('(a.seats_reported_on is null or a.seats_reported_on < ?::date)', [day])
    .whereRaw('(a.seats_due_at is null or a.seats_due_at <= ?)', [now])
    .orderByRaw('a.seats_due_at nulls first, a.org_id')
    .limit(limit);
  return rows.map(({ org_id }) => org_id);
}

function liveAccounts(db: Db) {
  return db('billing_accounts as a').join('orgs as o', 'o.id', 'a.org_id').whereNull('o.deleted_at').select('a.org_id');
}

/** Organizations with duplicates that are due to be canceled, the longest due first. */
export async function listWithDuplicates(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows: { org_id: string }[] = await db('billing_duplicates')
    .where('due_at', '<=', now)
    .groupBy('org_id')
    .orderByRaw('min(due_at), org_id')
    .limit(limit)
    .select('org_id');
  return rows.map(({ org_id }) => org_id);
}

export async function setSeatsReported(db: Db, org_id: string, day: string): Promise<void> {
  const reported = { seats_reported_on: day, seats_due_at: null, seats_failures: 0 };
  await db('billing_accounts').where({ org_id }).update(reported);
}

/** A subscription could not be read. */
export async function postponeRead(db: Db, org_id: string, now: Date): Promise<void> {
  await postpone(db, ['billing_accounts', 'read_due_at', 'read_failures'], org_id, now);
}

/** Seats could not be reported. */
export async function postponeSeats(db: Db, org_id: string, now: Date): Promise<void> {
  await postpone(db, ['billing_accounts', 'seats_due_at', 'seats_failures'], org_id, now);
}

/** Duplicates could not be canceled. */
export async function postponeDuplicates(db: Db, org_id: string, now: Date): Promise<void> {
  await postpone(db, ['billing_duplicates', 'due_at', 'failures'], org_id, now);
}

async function postpone(
  db: Db,
  [table, due_at, failures]: readonly [table: string, due_at: string, failures: string],
  org_id: string,
  now: Date,
): Promise<void> {
  const delay = `least(interval '${FIRST_DELAY}' * 2 ^ least(??, ${MOST_DOUBLINGS}), interval '${LONGEST_DELAY}')`;
  await db.raw(`update ?? set ?? = ?::timestamptz + ${delay}, ?? = ?? + 1 where org_id = ?`, [
    ...[table, due_at, now, failures],
    ...[failures, failures, org_id],
  ]);
}

export async function listDuplicates(db: Db, org_id: string): Promise<Duplicate[]> {
  return db('billing_duplicates').where({ org_id }).select('subscription_id', 'org_id', 'customer_id');
}

/** @returns those that were not known before */
export async function insertDuplicates(trx: Db, found: readonly Duplicate[], now: Date): Promise<Duplicate[]> {
  if (found.length === 0) return [];
  const rows = found.map((one) => ({ ...one, found_at: now, due_at: now }));
  return trx('billing_duplicates')
    .insert(rows)
    .onConflict('subscription_id')
    .ignore()
    .returning(['subscription_id', 'org_id', 'customer_id']);
}

/** @returns whether it was there */
export async function deleteDuplicate(trx: Db, { org_id, subscription_id }: Duplicate): Promise<boolean> {
  return (await trx('billing_duplicates').where({ org_id, subscription_id }).delete()) > 0;
}

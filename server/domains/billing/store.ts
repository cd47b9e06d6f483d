import type { Db } from '../../db/index.ts';
import type { AccountState, BillingAccount, StoredEvent } from './types.ts';

const ACCOUNT_COLUMNS = [
  'org_id',
  'customer_id',
  'subscription_id',
  'status',
  'granted_plan',
  'current_period_end',
  'cancel_at_period_end',
  'version',
  'updated_at',
] as const;
const EVENT_COLUMNS = ['id', 'org_id', 'stripe_event_id', 'type', 'customer_id'] as const;

export async function findAccount(db: Db, org_id: string): Promise<BillingAccount | undefined> {
  return db('billing_accounts').where({ org_id }).first(ACCOUNT_COLUMNS);
}

/** Creates the row if there is none, and locks it. */
export async function lockAccount(trx: Db, org_id: string, now: Date): Promise<BillingAccount> {
  const times = { created_at: now, updated_at: now };
  await trx('billing_accounts')
    .insert({ org_id, ...times })
    .onConflict('org_id')
    .ignore();
  return trx('billing_accounts').where({ org_id }).forUpdate().first(ACCOUNT_COLUMNS);
}

/** Sets the customer of an account that has none. */
export async function setCustomer(trx: Db, org_id: string, customer_id: string, now: Date): Promise<void> {
  await trx('billing_accounts')
    .where({ org_id })
    .whereNull('customer_id')
    .update({ customer_id, version: trx.raw('version + 1'), updated_at: now });
}

export async function saveState(trx: Db, org_id: string, state: AccountState, now: Date): Promise<void> {
  const changed = { ...state, version: trx.raw('version + 1'), read_at: now, updated_at: now };
  await trx('billing_accounts').where({ org_id }).update(changed);
}

/** The live organization that a customer pays for. */
export async function findOrgOfCustomer(db: Db, customer_id: string): Promise<string | undefined> {
  const row = await db('billing_accounts as a')
    .join('orgs as o', 'o.id', 'a.org_id')
    .where('a.customer_id', customer_id)
    .whereNull('o.deleted_at')
    .first('a.org_id');
  return row?.org_id;
}

/** A live organization that has no other customer. */
export async function findOrgWithoutCustomer(db: Db, org_id: string): Promise<string | undefined> {
  const row = await db('orgs as o')
    .leftJoin('billing_accounts as a', 'a.org_id', 'o.id')
    .where('o.id', org_id)
    .whereNull('o.deleted_at')
    .whereNull('a.customer_id')
    .first('o.id');
  return row?.id;
}

/** @returns whether it was not stored before */
export async function insertEvent(trx: Db, event: StoredEvent, now: Date): Promise<boolean> {
  const row = { ...event, received_at: now, queued_at: now };
  const inserted = await trx('billing_events').insert(row).onConflict('stripe_event_id').ignore().returning('id');
  return inserted.length > 0;
}

export async function findWaitingEvent(db: Db, id: string): Promise<StoredEvent | undefined> {
  return db('billing_events').where({ id, status: 'received' }).first(EVENT_COLUMNS);
}

/** @returns whether it was not applied before */
export async function markApplied(trx: Db, id: string, now: Date): Promise<boolean> {
  const row = { status: 'applied', applied_at: now };
  return (await trx('billing_events').where({ id, status: 'received' }).update(row)) > 0;
}

/** Events whose queue entry is lost, oldest first; they count as queued again. */
export async function takeLostEvents(trx: Db, before: Date, now: Date, limit: number): Promise<StoredEvent[]> {
  const { rows } = await trx.raw(
    `update billing_events set queued_at = ? where id in (
       select id from billing_events where status = 'received' and queued_at < ?
       order by queued_at, id limit ? for update skip locked)
     returning id, org_id, stripe_event_id, type, customer_id`,
    [now, before, limit],
  );
  return rows;
}

/** Organizations whose subscription was last read before this time, the longest ago first. */
export async function listUnread(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows: { org_id: string }[] = await db('billing_accounts as a')
    .join('orgs as o', 'o.id', 'a.org_id')
    .whereNotNull('a.customer_id')
    .whereNull('o.deleted_at')
    .whereRaw('(a.read_at is null or a.read_at < ?)', [before])
    .orderByRaw('a.read_at nulls first, a.org_id')
    .limit(limit)
    .select('a.org_id');
  return rows.map(({ org_id }) => org_id);
}

/** Organizations with seats above their plan, or with some reported, that were not reported on this day. */
export async function listUnreportedSeats(db: Db, day: string, limit: number): Promise<string[]> {
  const rows: { org_id: string }[] = await db('billing_accounts as a')
    .join('orgs as o', 'o.id', 'a.org_id')
    .where('o.seat_overage', true)
    .whereNull('o.deleted_at')
    .whereRaw('(a.seats_reported_on is null or a.seats_reported_on < ?::date)', [day])
    .orderBy('a.org_id')
    .limit(limit)
    .select('a.org_id');
  return rows.map(({ org_id }) => org_id);
}

export async function setSeatsReported(db: Db, org_id: string, day: string): Promise<void> {
  await db('billing_accounts').where({ org_id }).update({ seats_reported_on: day });
}

export async function deleteEvents(sweep_db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sweep_db.raw(
    'delete from billing_events where id in (select id from billing_events where received_at < ? limit ?)',
    [before, limit],
  );
  return rowCount;
}

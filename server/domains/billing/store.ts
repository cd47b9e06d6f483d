import type { Db } from '../../db/index.ts';
import { errorCode } from '../../lib/error-code.ts';
import type { AccountState, BillingAccount, ParkedReason, StoredEvent } from './types.ts';

const UNIQUE_VIOLATION = '23505';

const ACCOUNT_COLUMNS = [
  'org_id',
  'customer_id',
  'subscription_id',
  'status',
  'granted_plan',
  'current_period_end',
  'cancel_at_period_end',
  'version',
  'checkout_session_id',
  'updated_at',
] as const;
const EVENT_COLUMNS = ['id', 'org_id', 'stripe_event_id', 'type', 'customer_id', 'requeues'] as const;
/** Until an event that was not applied is queued again; then twice as long each time. */
const FIRST_DELAY = '5 minutes';
const LONGEST_DELAY = '1 day';
/** Doubled this often, the first delay is longer than the longest one. */
const MOST_DOUBLINGS = 9;

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

/**
 * Sets the customer of an account that has none, or replaces one that was deleted at the provider.
 *
 * @param former null if there is none
 */
export async function setCustomer(
  trx: Db,
  { org_id, former, customer_id }: { org_id: string; former: string | null; customer_id: string },
  now: Date,
): Promise<void> {
  await trx('billing_accounts')
    .where({ org_id, customer_id: former })
    .update({ customer_id, version: trx.raw('version + 1'), updated_at: now });
}

/** Whether a transaction failed because the customer pays for another organization. */
export function isTakenCustomer(error: unknown): boolean {
  const { constraint } = error as { constraint?: string };
  return errorCode(error) === UNIQUE_VIOLATION && constraint === 'billing_accounts_customer_id_key';
}

/** Notes the page on which a person pays. @returns false if another one was noted since `before` was read */
export async function swapCheckout(db: Db, org_id: string, before: string | null, after: string): Promise<boolean> {
  const row = { checkout_session_id: after };
  return (await db('billing_accounts').where({ org_id, checkout_session_id: before }).update(row)) > 0;
}

/** @param times.due when the subscription is read again, even if no event arrives */
export async function saveState(
  trx: Db,
  org_id: string,
  state: AccountState,
  { now, due }: { now: Date; due: Date },
): Promise<void> {
  const read = { read_due_at: due, read_failures: 0, updated_at: now };
  const changed = { ...state, ...read, version: trx.raw('version + 1') };
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

export async function isLiveOrg(db: Db, id: string): Promise<boolean> {
  return (await db('orgs').where({ id }).whereNull('deleted_at').first('id')) !== undefined;
}

/**
 * Stores an event; one that is parked or has failed waits again when it is delivered again.
 *
 * @returns its id; undefined if it was stored before
 */
export async function insertEvent(
  trx: Db,
  event: StoredEvent,
  { now, due_at }: { now: Date; due_at: Date },
): Promise<string | undefined> {
  const waiting = { status: 'received', parked_reason: null, failed_reason: null, requeues: 0, due_at };
  const { org_id, customer_id } = event;
  const [stored] = await trx('billing_events')
    .insert({ ...event, ...waiting, received_at: now })
    .onConflict('stripe_event_id')
    .merge({ ...waiting, org_id, customer_id })
    .whereIn('billing_events.status', ['parked', 'failed'])
    .returning('id');
  return stored?.id;
}

/** @returns whether it waited */
export async function parkEvent(db: Db, id: string, parked_reason: ParkedReason): Promise<boolean> {
  const row = { status: 'parked', parked_reason };
  return (await db('billing_events').where({ id, status: 'received' }).update(row)) > 0;
}

/** Whether an event was stored before, and is neither parked nor failed; most repeated deliveries are of such events. */
export async function isSettled(db: Db, stripe_event_id: string): Promise<boolean> {
  const row = await db('billing_events')
    .where({ stripe_event_id })
    .whereNotIn('status', ['parked', 'failed'])
    .first('id');
  return row !== undefined;
}

export async function findWaitingEvent(db: Db, id: string): Promise<StoredEvent | undefined> {
  return db('billing_events').where({ id, status: 'received' }).first(EVENT_COLUMNS);
}

/** @returns whether it was not applied before */
export async function markApplied(trx: Db, id: string, now: Date): Promise<boolean> {
  const row = { status: 'applied', applied_at: now };
  return (await trx('billing_events').where({ id, status: 'received' }).update(row)) > 0;
}

/** Notes that an event is not tried again. @returns whether it waited */
export async function failEvent(db: Db, id: string, failed_reason: string): Promise<boolean> {
  const row = { status: 'failed', failed_reason };
  return (await db('billing_events').where({ id, status: 'received' }).update(row)) > 0;
}

/**
 * Events that were not applied in time, the longest due first: the queue lost them, or each attempt failed. They are due
 * again later and later.
 */
export async function takeDueEvents(trx: Db, now: Date, limit: number): Promise<StoredEvent[]> {
  const { rows } = await trx.raw(
    `update billing_events
     set requeues = requeues + 1,
       due_at = ?::timestamptz + least(interval '${FIRST_DELAY}' * 2 ^ least(requeues + 1, ${MOST_DOUBLINGS}), interval '${LONGEST_DELAY}')
     where id in (
       select id from billing_events where status = 'received' and due_at <= ?
       order by due_at, id limit ? for update skip locked)
     returning ${EVENT_COLUMNS.join(', ')}`,
    [now, now, limit],
  );
  return rows;
}

export async function deleteEvents(sweep_db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sweep_db.raw(
    'delete from billing_events where id in (select id from billing_events where received_at < ? limit ?)',
    [before, limit],
  );
  return rowCount;
}

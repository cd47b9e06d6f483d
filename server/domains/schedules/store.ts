import type { Db } from '../../db/index.ts';
import { countRows, takeNewest } from '../../db/paging.ts';
import type { FiringSchedule, RunState, Schedule, ScheduleFields } from './types.ts';

const COLUMNS = [
  's.id',
  's.org_id',
  's.name',
  's.schedule',
  's.cloud_account_id',
  's.enabled',
  's.filter_regions',
  's.notify_chat_channel',
  's.notify_webhook_config_ids',
  's.consecutive_failures',
  's.disabled_reason',
  's.last_run_at',
  's.next_run_at',
  's.created_at',
  's.updated_at',
  'u.email as created_by',
] as const;

/** Why the last run failed, and why notifications do not arrive. */
const LAST_ERROR = `nullif(concat_ws('; ', s.last_error,
  (select string_agg(value, '; ' order by key) from jsonb_each_text(s.notify_errors))), '') as last_error`;

const FIRING_COLUMNS = [
  'id',
  'name',
  'schedule',
  'cloud_account_id',
  'enabled',
  'filter_regions',
  'interval_minutes',
  'consecutive_failures',
  'disabled_reason',
  'last_error',
  'last_run_at',
  'next_run_at',
] as const;

/** In the same statement, because the firing of many schedules is bound by the number of statements. */
const RUNS_OF_SCHEDULE = `array(select scan.cloud_account_id::text from scan_runs scan where scan.org_id = schedules.org_id
    and scan.schedule_id = schedules.id and scan.status in ('pending', 'running')) as active_account_ids,
  exists (select from schedule_firings waiting where waiting.org_id = schedules.org_id
    and waiting.schedule_id = schedules.id and waiting.try_at is not null) as has_waiting`;

export interface NewSchedule extends ScheduleFields {
  id: string;
  interval_minutes: number;
  next_run_at: Date | null;
  created_at: Date;
  /** Id of a user. */
  created_by: string;
  updated_at: Date;
}

export type ScheduleUpdate = Partial<ScheduleFields> &
  Partial<Pick<Schedule, 'consecutive_failures' | 'disabled_reason' | 'last_error' | 'next_run_at'>> & {
    interval_minutes?: number;
    /** JSON: the last error of each channel and webhook configuration. */
    notify_errors?: string;
    updated_at: Date;
  };

/** One page, newest first, and the total. */
export async function listSchedules(
  db: Db,
  orgId: string,
  page: { limit: number; offset: number },
): Promise<{ schedules: Schedule[]; total: number }> {
  const matching = selectLive(db, orgId);
  const [schedules, total] = await Promise.all([
    takeNewest(matching, page, 's').select(...COLUMNS, db.raw(LAST_ERROR)) as Promise<Schedule[]>,
    countRows(matching),
  ]);
  return { schedules, total };
}

export async function findSchedule(db: Db, orgId: string, id: string): Promise<Schedule | undefined> {
  return selectLive(db, orgId)
    .where('s.id', id)
    .first(...COLUMNS, db.raw(LAST_ERROR));
}

/** Disabled schedules count as well. */
export async function countSchedules(db: Db, orgId: string): Promise<number> {
  return countRows(selectLive(db, orgId));
}

export async function countEnabled(db: Db, orgId: string): Promise<number> {
  return countRows(selectLive(db, orgId).where('s.enabled', true));
}

/** The shortest interval of the enabled schedules, in minutes; 0 if there is none. */
export async function findShortestInterval(db: Db, orgId: string): Promise<number> {
  const [found] = await selectLive(db, orgId).where('s.enabled', true).min('s.interval_minutes as shortest');
  return found?.shortest ?? 0;
}

export async function insertSchedule(db: Db, orgId: string, schedule: NewSchedule): Promise<void> {
  await db('schedules').insert({ org_id: orgId, ...schedule });
}

export async function updateSchedule(db: Db, orgId: string, id: string, changes: ScheduleUpdate): Promise<void> {
  await db('schedules').where({ org_id: orgId, id }).update(changes);
}

/** @returns whether there was one */
export async function deleteSchedule(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  const live = db('schedules').where({ org_id: orgId, id }).whereNull('deleted_at');
  return (await live.update({ deleted_at: now, updated_at: now, next_run_at: null })) === 1;
}

export async function noteRun(db: Db, orgId: string, id: string, last_run_at: Date): Promise<void> {
  await db('schedules').where({ org_id: orgId, id }).update({ last_run_at });
}

/** Locks a schedule, unless it was deleted. */
export async function lockSchedule(db: Db, orgId: string, id: string): Promise<FiringSchedule | undefined> {
  return db('schedules')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .forUpdate()
    .first(...FIRING_COLUMNS, db.raw(RUNS_OF_SCHEDULE));
}

/** Locks schedules that are due, those with the longest wait first. */
export async function claimDue(db: Db, orgId: string, now: Date, limit: number): Promise<FiringSchedule[]> {
  return db('schedules')
    .where({ org_id: orgId })
    .where('next_run_at', '<=', now)
    .orderBy(['next_run_at', 'id'])
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select(...FIRING_COLUMNS, db.raw(RUNS_OF_SCHEDULE));
}

/**
 * Stores what runs change of their schedules, with one statement.
 *
 * @param now becomes `updated_at` of those that are disabled by it
 */
export async function saveStates(
  db: Db,
  orgId: string,
  states: readonly (RunState & { id: string })[],
  now: Date,
): Promise<void> {
  if (states.length === 0) return;
  await db.raw(
    `update schedules s set
       consecutive_failures = state.consecutive_failures, last_error = state.last_error,
       last_run_at = state.last_run_at, next_run_at = state.next_run_at, disabled_reason = state.disabled_reason,
       updated_at = case when s.enabled and not state.enabled then ? else s.updated_at end, enabled = state.enabled
     from jsonb_to_recordset(cast(? as jsonb)) as state (id uuid, enabled boolean, consecutive_failures integer,
       disabled_reason text, last_error text, last_run_at timestamptz, next_run_at timestamptz)
     where s.org_id = ? and s.id = state.id`,
    [now, JSON.stringify(states), orgId],
  );
}

/** Disables the enabled schedules of an account. @returns their ids */
export async function disableOfAccount(
  db: Db,
  orgId: string,
  cloud_account_id: string,
  disabled_reason: string,
  now: Date,
): Promise<string[]> {
  const enabled = db('schedules').where({ org_id: orgId, cloud_account_id, enabled: true }).whereNull('deleted_at');
  const disabled = await enabled.update(toDisabled(disabled_reason, now)).returning('id');
  return disabled.map(({ id }) => id);
}

/**
 * Disables schedules that the limits of an organization do not allow: the newest ones beyond `most`, and those that run
 * more often than every `shortest` minutes.
 *
 * @param limits `most`: -1 means no limit
 * @returns the ids of those that were enabled
 */
export async function disableBeyond(
  db: Db,
  orgId: string,
  limits: { most: number; shortest: number },
  disabled_reason: string,
  now: Date,
): Promise<string[]> {
  const live = db('schedules').where({ org_id: orgId }).whereNull('deleted_at');
  const kept = live.clone().orderBy(['created_at', 'id']).limit(Math.max(0, limits.most)).select('id');
  const disabled = await live
    .where('enabled', true)
    .where((beyond) => {
      beyond.where('interval_minutes', '<', limits.shortest);
      if (limits.most !== -1) beyond.orWhereNotIn('id', kept);
    })
    .update(toDisabled(disabled_reason, now))
    .returning('id');
  return disabled.map(({ id }) => id);
}

/**
 * Notes whether notifications of a schedule arrive at a target, if that has changed. Schedules with the same channel share
 * its messages, so each of them shows it.
 *
 * @param target a channel or a webhook configuration
 * @param error null if they do
 */
export async function noteNotified(
  db: Db,
  orgId: string,
  { schedule_id, target, error }: { schedule_id: string; target: string; error: string | null },
): Promise<void> {
  const schedule = db('schedules')
    .where({ org_id: orgId })
    .where((any) => any.where({ id: schedule_id }).orWhere({ notify_chat_channel: target }))
    .whereNull('deleted_at');
  if (error === null) {
    await schedule
      .whereRaw('jsonb_exists(notify_errors, ?)', [target])
      .update({ notify_errors: db.raw('notify_errors - cast(? as text)', [target]) });
    return;
  }
  await schedule
    .whereRaw('notify_errors ->> cast(? as text) is distinct from ?', [target, error])
    .whereRaw('(notify_chat_channel = ? or cast(? as text) = any (cast(notify_webhook_config_ids as text[])))', [
      target,
      target,
    ])
    .update({
      notify_errors: db.raw('notify_errors || jsonb_build_object(cast(? as text), cast(? as text))', [target, error]),
    });
}

function toDisabled(disabled_reason: string, now: Date) {
  return { enabled: false, disabled_reason, next_run_at: null, updated_at: now };
}

function selectLive(db: Db, orgId: string) {
  return db('schedules as s')
    .join('users as u', 'u.id', 's.created_by')
    .where('s.org_id', orgId)
    .whereNull('s.deleted_at');
}

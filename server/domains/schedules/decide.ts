import type { ScheduledScan } from '../cloud-scans/index.ts';
import { type CronExpression, parseCron } from './cron.ts';
import { afterFailure, disable } from './outcome.ts';
import type { Room } from './room.ts';
import {
  describeMissed,
  describeWaiting,
  joinNotes,
  type PlannedScan,
  planRun,
  type RunAccount,
  type RunPlan,
  SKIPPED,
} from './run-plan.ts';
import { countMissed, findDelay, findNextDue } from './timing.ts';
import type { Firing, FiringSchedule, RunState } from './types.ts';

/** Waiting scans are looked at again after this time, if no scan has ended before. */
const WAIT_MS = 30_000;

/** What a run changes. */
export interface Decided {
  /** `repeated`: the due time was fired before, which happens only after the clock was set back. */
  outcome: RunPlan['outcome'] | 'repeated';
  /** Between the due time and the decision. */
  late_ms: number;
  scans: ScheduledScan[];
  /** null if the schedule does not change. */
  state: (RunState & { id: string }) | null;
  was_enabled: boolean;
}

export interface DueDecision extends Decided {
  firing: Firing;
  /** What to do instead if the due time has been fired before. */
  repeated: Decided;
}

/** Decides a run of a schedule that is due. @param id of the run */
export function decideDue({
  id,
  schedule,
  accounts,
  room,
  now,
}: {
  id: string;
  schedule: FiringSchedule;
  /** The accounts of the schedule that exist. */
  accounts: readonly RunAccount[];
  room: Room;
  now: Date;
}): DueDecision {
  const due_at = schedule.next_run_at ?? now;
  const { next, missed } = moveOn(schedule, due_at, now);
  const moved = { ...toState(schedule), next_run_at: next ?? null };
  const state = next === undefined ? disable(moved, 'never_matches') : moved;
  const plan = planRun({ schedule, accounts, room: room.left });
  room.take(plan.start.length);
  const common = { late_ms: now.getTime() - due_at.getTime(), was_enabled: schedule.enabled };
  const is_over = plan.start.length + plan.wait.length === 0;
  return {
    ...common,
    outcome: plan.outcome,
    scans: toScans(plan.start, { schedule_id: schedule.id, firing_id: id }),
    state: { id: schedule.id, ...afterStart(state, plan, now) },
    repeated: { ...common, outcome: 'repeated', scans: [], state: { id: schedule.id, ...state } },
    firing: {
      id,
      schedule_id: schedule.id,
      due_at,
      fired_at: now,
      note: joinNotes(plan.note, describeMissed(missed)),
      ...toWaiting(plan, now),
      settled_at: is_over ? now : null,
    },
  };
}

export interface WaitingDecision extends Decided {
  changes: Pick<Firing, 'note' | 'waiting_account_ids' | 'try_at'>;
}

/** Decides which scans of a waiting run start now. A schedule that was disabled or deleted starts none. */
export function decideWaiting({
  firing,
  schedule,
  accounts,
  room,
  now,
}: {
  firing: Firing;
  schedule: FiringSchedule | undefined;
  /** The accounts of the schedule that exist. */
  accounts: readonly RunAccount[];
  room: Room;
  now: Date;
}): WaitingDecision {
  const late_ms = now.getTime() - (firing.due_at ?? firing.fired_at).getTime();
  if (schedule?.enabled !== true) {
    const changes = { note: firing.note, waiting_account_ids: [], try_at: null };
    return { outcome: 'skipped', late_ms, scans: [], state: null, was_enabled: false, changes };
  }
  const waiting = accounts.filter((account) => firing.waiting_account_ids.includes(account.id));
  const plan = planRun({ schedule, accounts: waiting, room: room.left });
  room.take(plan.start.length);
  const note = joinNotes(firing.note, plan.outcome === 'waiting' ? null : plan.note);
  const last_error = plan.wait.length > 0 ? describeWaiting(plan.wait.length) : note;
  return {
    outcome: plan.outcome,
    late_ms,
    scans: toScans(plan.start, { schedule_id: schedule.id, firing_id: firing.id }),
    state: { ...toState(schedule), id: schedule.id, last_error },
    was_enabled: true,
    changes: { note, ...toWaiting(plan, now) },
  };
}

/** The scans of a run. */
export function toScans(
  planned: readonly PlannedScan[],
  of: Pick<ScheduledScan, 'schedule_id' | 'firing_id'>,
  scan_type: ScheduledScan['scan_type'] = 'scheduled',
): ScheduledScan[] {
  return planned.map(({ account, filter_regions }) => ({
    ...of,
    scan_type,
    cloud_account_id: account.id,
    provider: account.provider,
    filter_regions,
  }));
}

/** The next due time after now, and how many between `due_at` and now this run replaces. */
function moveOn(schedule: FiringSchedule, due_at: Date, now: Date): { next: Date | undefined; missed: number } {
  const cron = readCron(schedule);
  if (cron === undefined) return { next: undefined, missed: 0 };
  const delay_ms = findDelay(schedule.id, schedule.interval_minutes);
  const next = findNextDue(cron, delay_ms, due_at);
  if (next === undefined || next > now) return { next, missed: 0 };
  return { next: findNextDue(cron, delay_ms, now), missed: countMissed(cron, delay_ms, due_at, now) };
}

function readCron({ schedule }: FiringSchedule): CronExpression | undefined {
  try {
    return parseCron(schedule);
  } catch {
    // A later release might reject an expression that this one has stored.
    return undefined;
  }
}

function afterStart(state: RunState, { outcome, wait, note }: RunPlan, now: Date): RunState {
  if (outcome === 'skipped') return { ...state, last_error: SKIPPED };
  const ran = { ...state, last_run_at: now };
  if (outcome === 'failed') return afterFailure(ran, note ?? 'no scan was started');
  return wait.length === 0 ? ran : { ...ran, last_error: describeWaiting(wait.length) };
}

function toWaiting({ wait }: RunPlan, now: Date): Pick<Firing, 'waiting_account_ids' | 'try_at'> {
  return {
    waiting_account_ids: wait,
    try_at: wait.length === 0 ? null : new Date(now.getTime() + WAIT_MS),
  };
}

function toState(schedule: FiringSchedule): RunState {
  const { enabled, consecutive_failures, disabled_reason, last_error, last_run_at, next_run_at } = schedule;
  return { enabled, consecutive_failures, disabled_reason, last_error, last_run_at, next_run_at };
}

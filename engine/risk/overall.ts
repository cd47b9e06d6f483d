import type { ResourceChange } from '../changes/types.ts';
import { compareLevels, isAtLeast, maxLevel } from '../model/levels.ts';
import type { Reason, RiskLevel } from '../model/result.ts';
import type { PlanHeader } from '../plan/types.ts';
import { findOmissions } from './incomplete-plan.ts';
import { compareReasons } from './judge.ts';
import type { Judgement } from './types.ts';

const MANY_DESTROYED = 10;
const MASS_DESTROYED = 50;
const SHARE_DESTROYED = 5;
const ALL_DELETED = 2;
const MANY_WEAKENINGS = 3;

type Counted = Pick<ResourceChange, 'mode' | 'deposed' | 'action'>;
type LevelFlags = Pick<Judgement, 'level' | 'destructive' | 'weakens_high'>;
type HeaderFlags = Pick<PlanHeader, 'errored' | 'complete' | 'deferred_count'>;

/** Reasons of the escalations for many changes, by rule id. Each completes the sentence "Escalated to <level> because …". */
const REASONS = {
  'R-BLAST-MANY': (count: number) => `the plan destroys or replaces ${count} resources`,
  'R-BLAST-MASS': {
    count: (count: number) => `${count} of the resources that the plan destroys or replaces are at level high or above`,
    share: (count: number, managed: number) =>
      `the plan destroys or replaces ${count} of its ${managed} resources at level high or above`,
  },
  'R-BLAST-ALL': (count: number) => `the plan deletes all of its ${count} resources`,
  'R-PLAN-OUTPUT': (count: number) =>
    count === 1
      ? 'an output with a secret is not marked as sensitive, so logs show its value'
      : `${count} outputs with secrets are not marked as sensitive, so logs show their values`,
  'R-BLAST-WEAKEN': (count: number) => `${count} changes weaken security at level high or above`,
};

/** What else of a plan raises its level: a clause that completes "because …". */
export interface PlanFinding {
  rule_id: 'R-PLAN-CHECK' | 'R-PLAN-ACTION' | 'R-PLAN-LATER';
  level: RiskLevel;
  why: string;
}

export interface OverallResult {
  level: RiskLevel;
  escalations: Reason[];
  /** The highest level of what only the plan shows: its outputs, checks, actions and deferred changes. */
  plan_level: RiskLevel;
}

/** As in `Outputs.countShown`. */
interface ShownOutputs {
  count: number;
  is_secret: boolean;
}

/** Numbers over the whole plan that the escalations compare. */
interface Counts {
  /** Managed resources of the plan, including unchanged ones but not deposed objects. */
  managed: number;
  deleted: number;
  destructive: number;
  destructive_high: number;
  weakened: number;
}

/**
 * Computes the level of the whole plan: the highest level of its changes, raised by escalations for many changes at
 * once and for incomplete plans. `escalations` lists only those that raise the level above every single change.
 */
export function createOverall(): {
  observe(change: Counted, judgement: LevelFlags): void;
  /** Counts managed resources that do not change. */
  observeIdle(count: number): void;
  result(header: HeaderFlags, outputs?: ShownOutputs, others?: readonly PlanFinding[]): OverallResult;
} {
  const counts: Counts = { managed: 0, deleted: 0, destructive: 0, destructive_high: 0, weakened: 0 };
  let highest: RiskLevel = 'none';

  function observe(change: Counted, judgement: LevelFlags): void {
    if (change.mode === 'data') return;
    if (change.deposed === null) {
      counts.managed++;
      if (change.action === 'delete') counts.deleted++;
    }
    if (judgement.destructive) {
      counts.destructive++;
      if (isAtLeast(judgement.level, 'high')) counts.destructive_high++;
    }
    if (judgement.weakens_high) counts.weakened++;
    highest = maxLevel(highest, judgement.level);
  }

  function result(header: HeaderFlags, outputs?: ShownOutputs, others: readonly PlanFinding[] = []): OverallResult {
    const toReason = ({ rule_id, level, why }: { rule_id: string; level: RiskLevel; why: string }) =>
      escalate(rule_id, level, why);
    const of_plan = [...listShown(outputs), ...others.map(toReason)];
    const found = [...escalationsOfCounts(counts), ...of_plan, ...findOmissions(header).map(toReason)];
    const level = maxLevel(highest, ...found.map((reason) => reason.level));
    const escalations = found.filter((reason) => compareLevels(reason.level, highest) > 0);
    const plan_level = maxLevel(...of_plan.map((reason) => reason.level));
    return { level, escalations: escalations.sort(compareReasons), plan_level };
  }

  function observeIdle(count: number): void {
    counts.managed += count;
  }

  return { observe, observeIdle, result };
}

/** The value of an output without the mark is in logs, and whoever reads the state of the workspace can read it. */
function listShown(outputs: ShownOutputs | undefined): Reason[] {
  if (outputs === undefined || outputs.count === 0) return [];
  const level = outputs.is_secret ? 'high' : 'medium';
  return [escalate('R-PLAN-OUTPUT', level, REASONS['R-PLAN-OUTPUT'](outputs.count))];
}

function escalationsOfCounts(counts: Counts): Reason[] {
  const { managed, deleted, destructive, destructive_high, weakened } = counts;
  const found: Reason[] = [];
  if (destructive >= MANY_DESTROYED) {
    found.push(escalate('R-BLAST-MANY', 'high', REASONS['R-BLAST-MANY'](destructive)));
  }
  if (destructive_high >= MASS_DESTROYED) {
    found.push(escalate('R-BLAST-MASS', 'critical', REASONS['R-BLAST-MASS'].count(destructive_high)));
  } else if (destructive_high >= SHARE_DESTROYED && destructive_high * 2 >= managed) {
    found.push(escalate('R-BLAST-MASS', 'critical', REASONS['R-BLAST-MASS'].share(destructive_high, managed)));
  }
  if (deleted === managed && deleted >= ALL_DELETED && destructive > 0) {
    found.push(escalate('R-BLAST-ALL', 'high', REASONS['R-BLAST-ALL'](deleted)));
  }
  if (weakened >= MANY_WEAKENINGS) {
    found.push(escalate('R-BLAST-WEAKEN', 'critical', REASONS['R-BLAST-WEAKEN'](weakened)));
  }
  return found;
}

function escalate(rule_id: string, level: RiskLevel, why: string): Reason {
  return {
    rule_id,
    kind: 'blast',
    effect: 'raise',
    level,
    path: null,
    message: `Escalated to ${level} because ${why}.`,
  };
}

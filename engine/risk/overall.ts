import type { ResourceChange } from '../changes/types.ts';
import type { PlanHeader } from '../plan/types.ts';
import type { Reason, RiskLevel } from '../result.ts';
import { compareReasons } from './judge.ts';
import { compareLevels, isAtLeast, maxLevel } from './levels.ts';
import type { Judgement } from './types.ts';

const MANY_DESTROYED = 10;
const MASS_DESTROYED = 50;
const SHARE_DESTROYED = 5;
const ALL_DELETED = 2;
const MANY_WEAKENINGS = 3;

type Counted = Pick<ResourceChange, 'mode' | 'deposed' | 'action'>;
type LevelFlags = Pick<Judgement, 'level' | 'destructive' | 'weakens_high'>;
type HeaderFlags = Pick<PlanHeader, 'errored' | 'complete' | 'deferred_count'>;

/** What the escalations count over the whole plan. */
interface Counts {
  /** Managed resources of the plan, unchanged ones included, leftovers of earlier replaces not. */
  managed: number;
  deleted: number;
  destructive: number;
  destructive_high: number;
  weakened: number;
}

/**
 * The level of the whole plan: the highest of its changes, then escalations for what many changes do together and for
 * what the plan leaves open. `escalations` lists those that raise the level above every single change.
 */
export function createOverall(): {
  observe(change: Counted, judgement: LevelFlags): void;
  /** Counts managed resources that do not change. */
  observeIdle(count: number): void;
  result(header: HeaderFlags): { level: RiskLevel; escalations: Reason[] };
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

  function result(header: HeaderFlags): { level: RiskLevel; escalations: Reason[] } {
    const found = [...escalationsOfCounts(counts), ...escalationsOfHeader(header)];
    const level = maxLevel(highest, ...found.map((reason) => reason.level));
    const escalations = found.filter((reason) => compareLevels(reason.level, highest) > 0);
    return { level, escalations: escalations.sort(compareReasons) };
  }

  function observeIdle(count: number): void {
    counts.managed += count;
  }

  return { observe, observeIdle, result };
}

function escalationsOfCounts(counts: Counts): Reason[] {
  const { managed, deleted, destructive, destructive_high, weakened } = counts;
  const found: Reason[] = [];
  if (destructive >= MANY_DESTROYED) {
    found.push(escalate('R-BLAST-MANY', 'high', `the plan destroys or replaces ${destructive} resources`));
  }
  if (destructive_high >= MASS_DESTROYED) {
    const why = `${destructive_high} of the resources that the plan destroys or replaces are at level high or above`;
    found.push(escalate('R-BLAST-MASS', 'critical', why));
  } else if (destructive_high >= SHARE_DESTROYED && destructive_high * 2 >= managed) {
    const why = `the plan destroys or replaces ${destructive_high} of its ${managed} resources at level high or above`;
    found.push(escalate('R-BLAST-MASS', 'critical', why));
  }
  if (deleted === managed && deleted >= ALL_DELETED && destructive > 0) {
    found.push(escalate('R-BLAST-ALL', 'high', `the plan deletes all of its ${deleted} resources`));
  }
  if (weakened >= MANY_WEAKENINGS) {
    found.push(escalate('R-BLAST-WEAKEN', 'critical', `${weakened} changes weaken security at level high or above`));
  }
  return found;
}

function escalationsOfHeader({ errored, complete, deferred_count }: HeaderFlags): Reason[] {
  const found: Reason[] = [];
  if (errored === true) {
    found.push(
      escalate('R-PLAN-ERRORED', 'medium', 'planning ended with an error and what came after it is not shown'),
    );
  }
  if (deferred_count > 0) {
    const changes = deferred_count === 1 ? 'change is' : 'changes are';
    const why = `${deferred_count} ${changes} deferred to a later plan and could not be judged`;
    found.push(escalate('R-PLAN-DEFERRED', 'medium', why));
  }
  if (complete === false && found.length === 0) {
    const why = 'the plan is partial, for example targeted, and what it leaves out was not judged';
    found.push(escalate('R-PLAN-PARTIAL', 'low', why));
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

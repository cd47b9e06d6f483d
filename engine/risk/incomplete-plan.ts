import type { RiskLevel } from '../model/result.ts';
import type { PlanHeader } from '../plan/types.ts';

/** Something that a plan as a whole leaves out. */
export interface Omission {
  /** The escalation for it. */
  rule_id: string;
  level: RiskLevel;
  /** A clause. */
  why: string;
}

/** What the plan leaves out because of an error, because changes are deferred, or because it is partial. */
export function findOmissions({
  errored,
  complete,
  deferred_count,
}: Pick<PlanHeader, 'errored' | 'complete' | 'deferred_count'>): Omission[] {
  const found: Omission[] = [];
  if (errored === true) {
    const why = 'planning ended with an error, so the plan does not show the changes after it';
    found.push({ rule_id: 'R-PLAN-ERRORED', level: 'medium', why });
  }
  if (deferred_count > 0) {
    const changes = deferred_count === 1 ? '1 change is' : `${deferred_count} changes are`;
    const why = `${changes} deferred to a later plan and could not be evaluated`;
    found.push({ rule_id: 'R-PLAN-DEFERRED', level: 'medium', why });
  }
  if (complete === false && found.length === 0) {
    const why = 'the plan is partial, for example targeted, and the omitted changes were not evaluated';
    found.push({ rule_id: 'R-PLAN-PARTIAL', level: 'low', why });
  }
  return found;
}

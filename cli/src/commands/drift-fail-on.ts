import type { DriftReport } from '../../../engine/drift/index.ts';
import { compareLevels } from '../../../engine/index.ts';
import { DRIFT_TYPES, type FailOn } from './drift-conditions.ts';

/** Accepted drift does not count. */
export function shouldFail(reports: readonly DriftReport[], conditions: readonly FailOn[]): boolean {
  return conditions.some((condition) => reports.some((report) => meets(report, condition)));
}

function meets({ items, risk_level, drift_status, not_checked_count }: DriftReport, condition: FailOn): boolean {
  if (condition === 'incomplete') return drift_status === 'incomplete' || not_checked_count > 0;
  if (isType(condition))
    return items.some(({ drift_type, ignore_rule_id }) => drift_type === condition && ignore_rule_id === null);
  return compareLevels(risk_level, condition) >= 0;
}

function isType(condition: FailOn): condition is (typeof DRIFT_TYPES)[number] {
  return (DRIFT_TYPES as readonly string[]).includes(condition);
}

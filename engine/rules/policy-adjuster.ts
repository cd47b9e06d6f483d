import type { Change, Reason, RiskLevel } from '../result.ts';
import { applyPolicy } from '../risk/org-rules.ts';
import type { RuleBook } from '../rule-book.ts';
import { reviveChange } from './revive.ts';

/** What the policy makes of a level which the plan did not give: the last word over whoever raised it. */
export function createPolicyAdjuster(
  book: RuleBook,
): (change: Change, level: RiskLevel) => { level: RiskLevel; reasons: Reason[] } {
  return (change, level) => {
    const policy = applyPolicy(reviveChange(change), book, level);
    return { level: policy.level, reasons: [...policy.reasons] };
  };
}

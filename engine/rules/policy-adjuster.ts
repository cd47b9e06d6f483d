import type { Change, Reason, RiskLevel } from '../model/result.ts';
import type { RuleBook } from '../model/rule-book.ts';
import { applyPolicy } from '../risk/org-rules.ts';
import { reviveChange } from './revive.ts';

/** Applies the policy to a level that was raised after the analysis, for example by a language model. */
export function createPolicyAdjuster(
  book: RuleBook,
): (change: Change, level: RiskLevel) => { level: RiskLevel; reasons: Reason[] } {
  return (change, level) => {
    const policy = applyPolicy(reviveChange(change), book, level);
    return { level: policy.level, reasons: [...policy.reasons] };
  };
}

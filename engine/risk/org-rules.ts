import type { ResourceChange } from '../changes/types.ts';
import { compareLevels, maxLevel, minLevel } from '../model/levels.ts';
import type { Reason, RiskLevel } from '../model/result.ts';
import type { BookPolicyRule, BookRiskRule, RuleBook } from '../model/rule-book.ts';

/** A level and the reasons why it changed. */
export interface Adjusted {
  level: RiskLevel;
  reasons: readonly Reason[];
}

const NONE: readonly Reason[] = [];

/**
 * Applies the org's own risk rules to a level. All matching rules apply; rules that raise run before rules that cap.
 *
 * @param guarded the change destroys data or keys, or weakens a protection at level high or above; no cap applies
 */
export function applyRiskRules(change: ResourceChange, book: RuleBook, so_far: RiskLevel, guarded: boolean): Adjusted {
  const rules = book.riskRules(change);
  if (rules.length === 0) return { level: so_far, reasons: NONE };
  const reasons: Reason[] = [];
  let level = so_far;
  for (const rule of rules) {
    if (rule.effect !== 'raise') continue;
    level = maxLevel(level, rule.level);
    reasons.push(ownReason(rule));
  }
  if (guarded) return { level, reasons };
  for (const rule of rules) {
    if (rule.effect !== 'cap' || compareLevels(level, rule.level) <= 0) continue;
    level = minLevel(level, rule.level);
    reasons.push(ownReason(rule));
  }
  return { level, reasons };
}

/**
 * Applies the org's risk policy in its order, after all other rules. A policy may also lower guarded changes, because
 * it is versioned and audited.
 */
export function applyPolicy(change: ResourceChange, book: RuleBook, so_far: RiskLevel): Adjusted {
  const rules = book.policyRules(change);
  if (rules.length === 0) return { level: so_far, reasons: NONE };
  const reasons: Reason[] = [];
  let level = so_far;
  for (const rule of rules) {
    const next = levelUnder(rule, level);
    if (rule.effect !== 'block' && next === level) continue;
    level = next;
    reasons.push(policyReason(rule, level));
  }
  return { level, reasons };
}

function levelUnder({ effect, level: ruleLevel }: BookPolicyRule, level: RiskLevel): RiskLevel {
  if (ruleLevel === null) return level;
  if (effect === 'raise') return maxLevel(level, ruleLevel);
  if (effect === 'cap') return minLevel(level, ruleLevel);
  return effect === 'set' ? ruleLevel : level;
}

function ownReason({ id, effect, level, path, message }: BookRiskRule): Reason {
  return { rule_id: id, kind: 'custom', effect, level, path, message };
}

function policyReason({ id, name, effect, path, reason }: BookPolicyRule, level: RiskLevel): Reason {
  const prefix = effect === 'block' ? 'Blocked by the policy' : 'Policy';
  return { rule_id: id, kind: 'policy', effect, level, path, message: `${prefix} "${name}": ${reason}` };
}

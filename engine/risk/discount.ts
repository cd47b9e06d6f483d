import type { ResourceChange } from '../changes/types.ts';
import { isWholeProof } from '../equivalence/prover.ts';
import { compareLevels, maxLevel, minLevel, stepDown } from '../model/levels.ts';
import type { ChangeNoise, Reason, RiskLevel } from '../model/result.ts';
import { noiseTitle } from '../noise-catalog/index.ts';
import type { Traits } from './traits.ts';

/**
 * Computes how far known noise lowers the level of an update. A pattern with severity `caution` lowers nothing. If the
 * change destroys data or keys, or weakens a protection at level high or above, no pattern lowers the level and
 * `noise.overridden` is set. If all values are the same in another notation, nothing is weakened, whatever a rule reads
 * in them.
 *
 * @returns the reason that caps the level; null when the level is not lowered
 */
export function findDiscount(
  change: ResourceChange,
  traits: Traits,
  noise: ChangeNoise,
  level: RiskLevel,
  weakens_high: boolean,
): Reason | null {
  if (!isBenign(noise)) return null;
  const is_proven = isProven(change);
  if ((weakens_high && !(is_proven && isRespelled(change))) || destroysForGood(change, traits)) {
    noise.overridden = true;
    return null;
  }
  const rest = levelLeft(noise, level, is_proven);
  if (change.action !== 'update' || compareLevels(rest, level) >= 0) return null;
  return {
    rule_id: pickRuleId(noise),
    kind: 'noise',
    effect: 'cap',
    level: rest,
    path: null,
    message: formatMessage(noise),
  };
}

function isBenign({ classification, severity }: ChangeNoise): boolean {
  return classification !== 'novel' && severity !== 'caution';
}

/** Returns true for a replace or delete that cannot be undone. No discount and no cap applies to it. */
export function destroysForGood({ action }: ResourceChange, { categories, versioned }: Traits): boolean {
  if ((action !== 'replace' && action !== 'delete') || versioned !== null) return false;
  return categories.includes('stateful') || categories.includes('encryption');
}

/** Whether the values of every changed leaf are proven to mean the same. Computed attributes that become unknown follow them. */
function isProven({ diffs }: ResourceChange): boolean {
  const known = diffs.filter(({ after_unknown }) => !after_unknown);
  return known.length > 0 && known.every((diff) => diff.same !== undefined && isWholeProof(diff.same, diff));
}

/** Whether no list has another order: about an order that counts, a rule may know more than the name of the list says. */
function isRespelled({ diffs }: ResourceChange): boolean {
  return diffs.every(({ same }) => same !== 'order');
}

function levelLeft({ classification, severity }: ChangeNoise, level: RiskLevel, is_proven: boolean): RiskLevel {
  if (classification === 'likely_benign') return is_proven ? 'none' : maxLevel('low', stepDown(level));
  return severity === 'warning' ? minLevel('low', level) : 'none';
}

function pickRuleId({ suppression_id, matched_custom_rule_id, matched_rule_id }: ChangeNoise): string {
  if (suppression_id !== null) return 'R-NOISE-SUPPRESSED';
  return matched_custom_rule_id ?? matched_rule_id ?? 'R-NOISE-SHAPE';
}

function formatMessage({
  classification,
  suppression_id,
  matched_custom_rule_id,
  matched_rule_id,
}: ChangeNoise): string {
  if (suppression_id !== null) return REASONS.suppressed;
  if (matched_custom_rule_id !== null) return REASONS.custom_rule;
  return classification === 'known_benign' ? REASONS.known(noiseTitle(matched_rule_id)) : REASONS.likely;
}

/** Reasons for a discount, by what matched. */
const REASONS = {
  suppressed: 'Plan noise: an active suppression accepts this pattern.',
  custom_rule: "Plan noise: one of the organization's own noise rules covers the change.",
  known: (title: string | null | undefined) =>
    `Known plan noise: ${title ?? 'the values differ in form but have the same effect'}.`,
  likely: 'Likely plan noise: both values most likely have the same meaning.',
};

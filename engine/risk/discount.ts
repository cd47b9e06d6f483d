import type { ResourceChange } from '../changes/types.ts';
import { noiseTitle } from '../noise/catalog/index.ts';
import type { ChangeNoise, Reason, RiskLevel } from '../result.ts';
import { compareLevels, maxLevel, minLevel, stepDown } from './levels.ts';
import type { Traits } from './traits.ts';

/**
 * What known noise takes off the level of an update. A pattern to be careful about takes off nothing; nor does any
 * pattern where the change destroys something or weakens a protection gravely: then `noise.overridden` is set.
 *
 * @returns the reason that caps the level; null when nothing is taken off
 */
export function findDiscount(
  change: ResourceChange,
  traits: Traits,
  noise: ChangeNoise,
  level: RiskLevel,
  weakens_high: boolean,
): Reason | null {
  if (!isBenign(noise)) return null;
  if (weakens_high || destroysForGood(change, traits)) {
    noise.overridden = true;
    return null;
  }
  const rest = levelLeft(noise, level);
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

/** A replace or delete after which something is gone that nobody can make again: no discount and no cap may hide it. */
export function destroysForGood({ action }: ResourceChange, { categories, versioned }: Traits): boolean {
  if ((action !== 'replace' && action !== 'delete') || versioned !== null) return false;
  return categories.includes('stateful') || categories.includes('encryption');
}

function levelLeft({ classification, severity }: ChangeNoise, level: RiskLevel): RiskLevel {
  if (classification === 'likely_benign') return maxLevel('low', stepDown(level));
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
  if (suppression_id !== null) return 'Plan noise: the pattern was accepted by a suppression that is in force.';
  if (matched_custom_rule_id !== null) return "Plan noise: a rule of the org's own covers what changes.";
  return classification === 'known_benign'
    ? `A known pattern of plan noise: ${noiseTitle(matched_rule_id) ?? 'the values differ in form, not in effect'}.`
    : 'It has the shape of plan noise: both sides most likely mean the same.';
}

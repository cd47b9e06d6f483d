import type { ResourceChange } from '../changes/types.ts';
import type { AttributeDiff, Change, ChangeNoise, NoiseClass } from '../model/result.ts';
import type { BookNoiseRule, RuleBook } from '../model/rule-book.ts';
import { decideByOrg, findOwnRules, isCascade } from '../noise/org-decision.ts';
import { isModelClassified, withoutModelNoise } from '../noise/unknown.ts';
import { isMoreSevere } from '../noise-catalog/index.ts';

/**
 * The noise of a stored change under other rules of the organization. Keeps the classifications of built-in rules and
 * proofs, but not those of a model. If a custom rule had matched, the result does not show which leaves it covered, so
 * leaves classified as known are not trusted.
 */
export function reclassifyNoise(shown: Change, change: ResourceChange, book: RuleBook): ChangeNoise {
  const stored: ChangeNoise = { ...shown.noise, overridden: false };
  const own = findOwnRules(change, book);
  const was_own = stored.matched_custom_rule_id !== null;
  if (
    change.action !== 'update' ||
    stored.suppression_id !== null ||
    shown.attributes_truncated ||
    (own.length === 0 && !was_own)
  ) {
    return withoutModelNoise(stored, change.diffs, change.type);
  }

  const classes: NoiseClass[] = [];
  let mostSevere: BookNoiseRule | null = null;
  for (const diff of change.diffs) {
    const decided = decideByOrg(change, diff, { own, book, fingerprint: null });
    if (decided?.own && isMoreSevere(decided.own, mostSevere)) mostSevere = decided.own;
    if (decided !== null) classes.push(decided.noise);
    else if (!isCascade(diff, change.type)) classes.push(isReliable(diff, change.type, was_own) ? diff.noise : 'novel');
  }
  const noise = classes.length > 0 && !classes.includes('novel');
  const known = noise && !classes.includes('likely_benign');
  return {
    ...stored,
    classification: known ? 'known_benign' : noise ? 'likely_benign' : 'novel',
    severity: mostSevere?.severity ?? (was_own ? null : stored.severity),
    matched_custom_rule_id: mostSevere?.id ?? null,
  };
}

function isReliable(diff: AttributeDiff, type: string, was_own: boolean): boolean {
  return !(was_own && diff.noise === 'known_benign') && !isModelClassified(diff, type);
}

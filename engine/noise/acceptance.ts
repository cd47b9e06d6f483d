import type { Change } from '../model/result.ts';
import { attributePattern } from './fingerprint.ts';
import { isCascade } from './org-decision.ts';

/**
 * Effect of suppressing a pattern on a change at the same address.
 *
 * `hides`: the change becomes noise. `is_noise`: it already is noise. `guarded`: it keeps its level because it destroys
 * or weakens something. `differs`: other attributes differ too and are not noise. `unsure`: the result does not show
 * which differences belong to the pattern.
 */
export type Acceptance = 'hides' | 'is_noise' | 'guarded' | 'differs' | 'unsure';

/**
 * Predicts the effect of a suppression from a finished result.
 *
 * @param change a change whose fingerprints include the pattern
 * @see openapi.yaml, suppressPlanNoise
 */
export function predictAcceptance({ type, risk, noise, attributes, attributes_truncated }: Change): Acceptance {
  if (risk.guarded || noise.overridden) return 'guarded';
  if (noise.classification !== 'novel') return 'is_noise';
  const left = attributes.filter((diff) => diff.noise === 'novel' && !isCascade(diff, type));
  if (new Set(left.map(attributePattern)).size > 1) return 'differs';
  // Withheld values have no fingerprint, so no suppression covers them.
  const withheld = left.some((diff) => diff.before_sensitive || diff.after_sensitive || diff.scrubbed === true);
  return withheld || attributes_truncated || noise.fingerprints.length > 1 ? 'unsure' : 'hides';
}

import type { Change } from '../result.ts';
import { attributePattern } from './fingerprint.ts';
import { isCascade } from './org-decision.ts';

/**
 * What accepting a pattern at the address of a change would do to that change.
 *
 * `hides`: it counts as noise from then on. `is_noise`: it does already. `guarded`: it counts in full all the same, because it
 * destroys or weakens something. `differs`: other attributes differ as well, and are no noise. `unsure`: the result does not
 * tell which of its differences are of the pattern.
 */
export type Acceptance = 'hides' | 'is_noise' | 'guarded' | 'differs' | 'unsure';

/**
 * Foresees what a suppression of a pattern would do, from a finished result alone.
 *
 * @param change one that names the pattern among its fingerprints
 * @see openapi.yaml, suppressPlanNoise
 */
export function predictAcceptance({ risk, noise, attributes, attributes_truncated }: Change): Acceptance {
  if (risk.guarded || noise.overridden) return 'guarded';
  if (noise.classification !== 'novel') return 'is_noise';
  const left = attributes.filter((diff) => diff.noise === 'novel' && !isCascade(diff));
  if (new Set(left.map(attributePattern)).size > 1) return 'differs';
  // What is withheld has no fingerprint, so that none covers it.
  const withheld = left.some((diff) => diff.before_sensitive || diff.after_sensitive || diff.scrubbed === true);
  return withheld || attributes_truncated || noise.fingerprints.length > 1 ? 'unsure' : 'hides';
}

import type { Change } from '../model/result.ts';
import type { NoiseOccurrence } from '../noise/occurrence.ts';
import type { JudgedChange } from './ranking.ts';

/** Maximum number of recorded occurrences, noise first. */
const MAX_OCCURRENCES = 5000;

/**
 * Noise patterns of the listed changes, without changes whose fingerprints or addresses were removed because they may
 * contain a secret.
 *
 * @param judged the same changes as `presented`, in the same order
 */
export function findOccurrences(judged: readonly JudgedChange[], presented: readonly Change[]): NoiseOccurrence[] {
  const noise: NoiseOccurrence[] = [];
  const novel: NoiseOccurrence[] = [];
  for (const [i, { change, sightings }] of judged.entries()) {
    const shown = presented[i];
    if (shown === undefined || shown.noise.fingerprints.length === 0 || shown.address !== change.address) continue;
    const { address, type: resource_type, action } = change;
    for (const sighting of sightings) {
      const list = sighting.classification === 'novel' ? novel : noise;
      if (list.length < MAX_OCCURRENCES) list.push({ ...sighting, address, resource_type, action });
    }
  }
  return [...noise, ...novel].slice(0, MAX_OCCURRENCES);
}

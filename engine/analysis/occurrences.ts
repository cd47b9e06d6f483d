import type { NoiseOccurrence } from '../noise/occurrence.ts';
import type { Change } from '../result.ts';
import type { JudgedChange } from './ranking.ts';

/** What one analysis records at most, noise before what is none. */
const MAX_OCCURRENCES = 5000;

/**
 * The noise patterns of what is shown of a plan. A change whose fingerprints were taken away because a digest may hold a
 * secret has none, nor has one whose address may not be shown.
 *
 * @param judged and `presented` are the same changes in the same order
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

import type { ClassifiedDifference } from './changes.ts';
import type { DriftItem } from './types.ts';

/** Whether an organization accepts an item, so that it does not count. */
export function isAccepted({ ignore_rule_id, suppression_id }: DriftItem): boolean {
  return ignore_rule_id !== null || suppression_id !== null;
}

/**
 * The suppression of noise that accepts a difference.
 *
 * @param difference after it was judged, which marks what no suppression may hide
 */
export function findSuppression({ noise }: ClassifiedDifference): string | null {
  return noise.classification === 'known_benign' && !noise.overridden ? noise.suppression_id : null;
}

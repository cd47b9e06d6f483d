/** The middle value; the upper one of an even number of values. 0 for an empty list. */
export function computeMedian(values: readonly number[]): number {
  return computeQuantile(values, 0.5);
}

/**
 * The value below which this share of the values lies. 0 for an empty list.
 *
 * @param share from 0 to 1: 0.99 is the 99th percentile
 */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

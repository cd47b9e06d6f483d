import { InvalidInput } from '../../lib/errors.ts';
import type { Pair, SuppressionDuration, SuppressionInput } from './types.ts';

const DAY_MS = 86_400_000;
const DURATION_DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

/**
 * The pairs of two lists, item by item, without duplicates.
 *
 * @throws InvalidInput `array_length_mismatch`
 * @see openapi.yaml, SuppressionCreate
 */
export function toPairs({ fingerprints, resource_addresses }: SuppressionInput): Pair[] {
  if (fingerprints.length !== resource_addresses.length) {
    throw new InvalidInput(
      `fingerprints has ${fingerprints.length} items but resource_addresses has ${resource_addresses.length}; give one address for each fingerprint`,
      'array_length_mismatch',
    );
  }
  const pairs = new Map<string, Pair>();
  for (const [i, fingerprint] of fingerprints.entries()) {
    const resource_address = resource_addresses[i] ?? '';
    pairs.set(`${fingerprint} ${resource_address}`, { fingerprint, resource_address });
  }
  return [...pairs.values()];
}

/** When a suppression that begins now expires; null = never. */
export function computeExpiry(duration: SuppressionDuration, now: Date): Date | null {
  return duration === 'forever' ? null : new Date(now.getTime() + DURATION_DAYS[duration] * DAY_MS);
}

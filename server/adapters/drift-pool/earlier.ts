import { createHash } from 'node:crypto';
import type { PreviousKey } from './types.ts';

/** What identifies an item over time, as it is stored: SHA-256 in hex. */
export function toStableKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** When the items of the previous snapshot were first detected, by their keys. */
export function createEarlier() {
  const times = new Map<string, string>();
  return {
    add(keys: readonly PreviousKey[]): void {
      for (const { stable_key, first_detected_at } of keys) times.set(stable_key, first_detected_at);
    },
    get: (key: string): string | undefined => (times.size === 0 ? undefined : times.get(toStableKey(key))),
  };
}

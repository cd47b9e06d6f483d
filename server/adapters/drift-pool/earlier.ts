import { createHash } from 'node:crypto';
import type { PreviousKey } from './types.ts';

/** What identifies an item over time, as it is stored: SHA-256 in hex. */
export function toStableKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The items of the previous snapshot, by their keys. */
export function createEarlier() {
  const items = new Map<string, Omit<PreviousKey, 'stable_key'>>();
  const find = (key: string) => (items.size === 0 ? undefined : items.get(toStableKey(key)));
  return {
    add(keys: readonly PreviousKey[]): void {
      for (const { stable_key, ...item } of keys) items.set(stable_key, item);
    },
    /** When an item was first detected. */
    get: (key: string): string | undefined => find(key)?.first_detected_at,
    isReadAgain: (key: string): boolean => find(key)?.is_read_again ?? false,
  };
}

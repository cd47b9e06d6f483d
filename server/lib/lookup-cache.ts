import { LRUCache } from 'lru-cache';

export interface LookupCache<V> {
  /**
   * The value of `key`, cached or loaded; concurrent loads of one key are combined. A failure is not cached, and
   * neither is a value whose load overlapped a `forget` or `clear`, because it may be outdated.
   *
   * @param ttl_ms how long this value can be cached, if shorter than the cache's own time; 0 or less = not
   */
  get(key: string, load: () => Promise<V>, ttl_ms?: (value: V) => number): Promise<V>;
  forget(test: (value: V, key: string) => boolean): void;
  clear(): void;
}

/** Caches lookups, for at most `ttl_ms` and at most `max` values. */
export function createLookupCache<V extends object>({ max, ttl_ms }: { max: number; ttl_ms: number }): LookupCache<V> {
  const known = new LRUCache<string, V>({ max, ttl: ttl_ms });
  const loading = new Map<string, Promise<V>>();
  let generation = 0;

  async function load(key: string, from: () => Promise<V>, own_ttl_ms: (value: V) => number): Promise<V> {
    const begun = generation;
    try {
      // A synchronous throw of `from` becomes a rejection, because the lookup must be in `loading` before it is
      // removed.
      const value = await (async () => from())();
      const ttl = Math.min(ttl_ms, own_ttl_ms(value));
      if (generation === begun && ttl > 0) known.set(key, value, { ttl });
      return value;
    } finally {
      if (generation === begun) loading.delete(key);
    }
  }

  /** Running lookups complete, but no new caller joins them and their results are not cached. */
  function invalidatePending(): void {
    generation += 1;
    loading.clear();
  }

  return {
    async get(key, from, own_ttl_ms = () => ttl_ms) {
      const value = known.get(key);
      if (value !== undefined) return value;
      const pending = loading.get(key) ?? load(key, from, own_ttl_ms);
      loading.set(key, pending);
      return pending;
    },
    forget(test) {
      invalidatePending();
      for (const [key, value] of known.entries()) if (test(value, key)) known.delete(key);
    },
    clear() {
      invalidatePending();
      known.clear();
    },
  };
}

import { LRUCache } from 'lru-cache';

export interface LookupCache<V> {
  /**
   * The value of `key`, remembered or loaded; equal lookups at once are one. A failure is not remembered, nor is a
   * value whose loading a `forget` or `clear` overtook: it may be older than what was forgotten for.
   *
   * @param ttl_ms how long this very value may be remembered, if shorter than the cache's own time; 0 or less = not
   */
  get(key: string, load: () => Promise<V>, ttl_ms?: (value: V) => number): Promise<V>;
  forget(test: (value: V, key: string) => boolean): void;
  clear(): void;
}

/** Remembers what was looked up, for at most `ttl_ms` and at most `max` values. */
export function createLookupCache<V extends object>({ max, ttl_ms }: { max: number; ttl_ms: number }): LookupCache<V> {
  const known = new LRUCache<string, V>({ max, ttl: ttl_ms });
  const loading = new Map<string, Promise<V>>();
  let generation = 0;

  async function load(key: string, from: () => Promise<V>, own_ttl_ms: (value: V) => number): Promise<V> {
    const begun = generation;
    try {
      // A throw of `from` itself becomes a rejection: this lookup has to be in `loading` before it leaves it.
      const value = await (async () => from())();
      const ttl = Math.min(ttl_ms, own_ttl_ms(value));
      if (generation === begun && ttl > 0) known.set(key, value, { ttl });
      return value;
    } finally {
      if (generation === begun) loading.delete(key);
    }
  }

  /** Lookups on their way are answered, but nobody joins them and nothing of them stays. */
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

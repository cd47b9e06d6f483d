import { describe, expect, test } from '@jest/globals';
import { createAuthzBus } from '../../server/lib/authz-bus.ts';
import { createLookupCache } from '../../server/lib/lookup-cache.ts';

interface Value {
  n: number;
}

/** Loads that end when the test ends them. */
function createSlowLoads() {
  const waiting: ((value: Value) => void)[] = [];
  return {
    load: () => new Promise<Value>((resolve) => waiting.push(resolve)),
    finish: (n: number) => waiting.shift()?.({ n }),
    started: () => waiting.length,
  };
}

describe('a lookup cache', () => {
  test('loads a key once for repeated and concurrent lookups', async () => {
    const cache = createLookupCache<Value>({ max: 10, ttl_ms: 1000 });
    const loads = createSlowLoads();

    const both = Promise.all([cache.get('a', loads.load), cache.get('a', loads.load)]);
    expect(loads.started()).toBe(1);
    loads.finish(1);

    expect(await both).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await cache.get('a', () => Promise.reject(new Error('not asked')))).toEqual({ n: 1 });
  });

  test('a value that is invalidated while it loads is returned, but neither shared nor cached', async () => {
    const cache = createLookupCache<Value>({ max: 10, ttl_ms: 1000 });
    const loads = createSlowLoads();
    const overtaken = cache.get('a', loads.load);

    cache.forget(() => false);
    const later = cache.get('a', loads.load);
    expect(loads.started()).toBe(2);
    loads.finish(1);
    loads.finish(2);

    expect([await overtaken, await later]).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await cache.get('a', loads.load)).toEqual({ n: 2 });
  });

  test('forgets the given keys and keeps the rest', async () => {
    const cache = createLookupCache<Value>({ max: 10, ttl_ms: 1000 });
    await cache.get('a', async () => ({ n: 1 }));
    await cache.get('b', async () => ({ n: 2 }));

    cache.forget((value) => value.n === 1);

    expect(await cache.get('a', async () => ({ n: 3 }))).toEqual({ n: 3 });
    expect(await cache.get('b', async () => ({ n: 4 }))).toEqual({ n: 2 });
  });

  test('a load that throws synchronously is repeated at the next lookup', async () => {
    const cache = createLookupCache<Value>({ max: 10, ttl_ms: 1000 });
    const broken = () => {
      throw new Error('at once');
    };

    await expect(cache.get('a', broken)).rejects.toThrow('at once');

    expect(await cache.get('a', async () => ({ n: 1 }))).toEqual({ n: 1 });
  });

  test('caches no failure, and no value with a lifetime of zero', async () => {
    const cache = createLookupCache<Value>({ max: 10, ttl_ms: 1000 });

    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await cache.get(
      'a',
      async () => ({ n: 1 }),
      () => 0,
    );

    expect(await cache.get('a', async () => ({ n: 2 }))).toEqual({ n: 2 });
  });
});

test('a change reaches local listeners before announce returns, and is sent to other processes', () => {
  const order: string[] = [];
  const bus = createAuthzBus(({ what }) => order.push(`sent ${what}`));
  bus.onChange((change) => order.push(`heard ${change === 'everything' ? change : change.what}`));

  bus.announce({ what: 'allowlist' });
  bus.receive('everything');

  expect(order).toEqual(['heard allowlist', 'sent allowlist', 'heard everything']);
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createConcurrencyLimit, createFairLimit, NoRoom } from '../../server/lib/concurrency-limit.ts';

/** Work that ends when the test ends it. */
function createHeldWork() {
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { work: () => ended, finish };
}

const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

test('work runs in the order of arrival up to the limit, also after a failure', async () => {
  const limit = createConcurrencyLimit(3);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (n: number) =>
    limit(async () => {
      order.push(n);
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn <= n % 4; turn += 1) await Promise.resolve();
      running -= 1;
      if (n % 5 === 0) throw new Error('it failed');
      return n;
    });

  const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => work(n)));

  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(await work(1)).toBe(1);
});

test('a key with much waiting work delays another key by one run at most', async () => {
  const limit = createFairLimit({ max: 1, max_per_key: 1 });
  const started: string[] = [];
  const pieces = ['a', 'a', 'a', 'a', 'b'].map((key, i) => ({ key, i, ...createHeldWork() }));
  const ends = pieces.map(({ key, i, work }) =>
    limit.run(key, () => {
      started.push(`${key}${i}`);
      return work();
    }),
  );

  for (const name of ['a0', 'b4', 'a1', 'a2', 'a3']) {
    await settle();
    expect(started.at(-1)).toBe(name);
    pieces.find(({ key, i }) => `${key}${i}` === name)?.finish();
  }
  await Promise.all(ends);
});

test('a key never exceeds its share, even if no other key waits', async () => {
  const limit = createFairLimit({ max: 3, max_per_key: 2 });
  const pieces = Array.from({ length: 4 }, createHeldWork);
  const ends = pieces.map(({ work }) => limit.run('a', work));

  expect(limit.counts()).toEqual({ running: 2, waiting: 2 });
  const other = createHeldWork();
  ends.push(limit.run('b', other.work));
  expect(limit.counts()).toEqual({ running: 3, waiting: 2 });

  for (const { finish } of [...pieces, other]) finish();
  await Promise.all(ends);
  expect(limit.counts()).toEqual({ running: 0, waiting: 0 });
});

test('waiting work whose signal aborts never starts and leaves the queue', async () => {
  const limit = createFairLimit({ max: 1, max_per_key: 1 });
  const first = createHeldWork();
  const running = limit.run('a', first.work);
  const canceled = new AbortController();
  let has_started = false;
  const start = async () => {
    has_started = true;
  };
  const waiting = limit.run('a', start, { signal: canceled.signal });

  canceled.abort(new Error('canceled'));

  await expect(waiting).rejects.toThrow('canceled');
  await expect(limit.run('a', async () => {}, { signal: canceled.signal })).rejects.toThrow('canceled');
  expect(limit.counts()).toEqual({ running: 1, waiting: 0 });
  first.finish();
  await running;
  expect(has_started).toBe(false);
});

test('work that waits too long is rejected and leaves the queue', async () => {
  const limit = createFairLimit({ max: 1, max_per_key: 1 });
  const first = createHeldWork();
  const running = limit.run('a', first.work);

  await expect(limit.run('b', async () => {}, { within_ms: 1 })).rejects.toThrow(NoRoom);
  expect(limit.counts()).toEqual({ running: 1, waiting: 0 });
  first.finish();
  await running;
  expect(await limit.run('b', async () => 'done', { within_ms: 1 })).toBe('done');
});

test('work counts by its weight; work heavier than the share of its key runs alone under that key', async () => {
  const limit = createFairLimit({ max: 10, max_per_key: 4 });
  const [heavy, light, other] = [createHeldWork(), createHeldWork(), createHeldWork()];
  const ends = [
    limit.run('a', heavy.work, { weight: 6 }),
    limit.run('a', light.work, { weight: 1 }),
    limit.run('b', other.work, { weight: 4 }),
  ];
  expect(limit.counts()).toEqual({ running: 10, waiting: 1 });

  heavy.finish();
  await settle();
  expect(limit.counts()).toEqual({ running: 5, waiting: 0 });

  for (const { finish } of [light, other]) finish();
  await Promise.all(ends);
  await expect(limit.run('a', async () => {}, { weight: 11 })).rejects.toThrow('would wait forever');
});

test('for any order of arrival, all work runs and the limits hold', async () => {
  const work = fc.record({ key: fc.constantFrom('a', 'b', 'c'), ticks: fc.nat(5), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), async (pieces, max) => {
      const max_per_key = Math.max(1, max - 1);
      const limit = createFairLimit({ max, max_per_key });
      const running = new Map<string, number>();
      let ran = 0;
      const ends = pieces.map(({ key, ticks, fails }) =>
        limit.run(key, async () => {
          running.set(key, (running.get(key) ?? 0) + 1);
          expect(running.get(key)).toBeLessThanOrEqual(max_per_key);
          expect([...running.values()].reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(max);
          for (let turn = 0; turn < ticks; turn += 1) await Promise.resolve();
          running.set(key, (running.get(key) ?? 0) - 1);
          ran += 1;
          if (fails) throw new Error('it failed');
        }),
      );
      await Promise.allSettled(ends);
      expect(ran).toBe(pieces.length);
      expect(limit.counts()).toEqual({ running: 0, waiting: 0 });
    }),
  );
});

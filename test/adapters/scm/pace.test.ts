import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPace, type Pace } from '../../../server/adapters/scm/pace.ts';
import { PlatformError, type PlatformErrorClass } from '../../../server/adapters/scm/types.ts';

/** A clock that moves only while everyone sleeps, to the earliest wake-up time. */
function drivenClock() {
  let now = 0;
  const sleepers: { until: number; wake: () => void }[] = [];
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ until: now + ms, wake });
    });

  async function drive<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const end = work.finally(() => {
      over = true;
    });
    end.catch(() => {});
    while (!over) {
      for (let turn = 0; turn < 50 && !over; turn += 1) await Promise.resolve();
      sleepers.sort((a, b) => a.until - b.until);
      const next = over ? undefined : sleepers.shift();
      if (next === undefined) continue;
      now = Math.max(now, next.until);
      next.wake();
    }
    return end;
  }

  return { now: () => now, sleep, drive };
}

function paced(longest_wait_ms = 60_000) {
  const clock = drivenClock();
  const pace = createPace({ clock_ms: clock.now, sleep: clock.sleep, random: () => 0.5, longest_wait_ms });
  return { clock, pace };
}

/** Fails with these errors in turn, then succeeds; records the times of its attempts. */
function failing(clock: { now(): number }, errors: [PlatformErrorClass, number | null][]) {
  const at: number[] = [];
  return {
    at,
    attempt: async () => {
      const error = errors[at.length];
      at.push(clock.now());
      if (error !== undefined) throw new PlatformError(error[0], 'said no', error[1]);
      return 'done';
    },
  };
}

function settled(pace: Pace, writes: number, clock: { now(): number }) {
  const at: number[] = [];
  const all = Array.from({ length: writes }, (_, index) =>
    pace.run('write', async () => {
      at.push(clock.now());
      return index;
    }),
  );
  return { at, done: Promise.allSettled(all) };
}

describe('the rate limit of a source', () => {
  test('ten writes run at once, then one per second', async () => {
    const { clock, pace } = paced();
    const { at, done } = settled(pace, 13, clock);

    await clock.drive(done);

    expect(at).toEqual([...Array(10).fill(0), 1_000, 2_000, 3_000]);
  });

  test('every time window has at most ten writes plus one per second, in order', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 8_000 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pauses, async (waits) => {
        const { clock, pace } = paced();
        const writes: { at: number; index: number }[] = [];
        const come = async () => {
          const all: Promise<unknown>[] = [];
          for (const [index, wait] of waits.entries()) {
            if (wait > 4_000) await clock.sleep(wait - 4_000);
            all.push(pace.run('create', async () => writes.push({ at: clock.now(), index })));
          }
          await Promise.all(all);
        };

        await clock.drive(come());

        expect(writes.map(({ index }) => index)).toEqual(waits.map((_, index) => index));
        for (const [first, { at: from }] of writes.entries()) {
          for (const [last, { at: to }] of writes.entries()) {
            if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(10 + Math.floor((to - from) / 1_000));
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('reads do not wait for writes', async () => {
    const { clock, pace } = paced();
    const { done } = settled(pace, 15, clock);

    const read = await pace.run('read', async () => clock.now());

    expect(read).toBe(0);
    await clock.drive(done);
  });

  test('no request is sent before the end of a rate limit, and no burst follows it', async () => {
    const { clock, pace } = paced();
    const failing_call = failing(clock, [['rate_limited', 20]]);
    const first = pace.run('create', failing_call.attempt);
    const reads: number[] = [];
    const rest = clock.sleep(1_000).then(() => {
      const { at, done } = settled(pace, 3, clock);
      return Promise.all([pace.run('read', async () => reads.push(clock.now())), done.then(() => at)]);
    });

    await clock.drive(Promise.all([first, rest]));
    const [, at] = await rest;

    expect(failing_call.at).toEqual([0, 20_000]);
    expect(reads[0]).toBeGreaterThanOrEqual(20_000);
    expect(at).toEqual([21_000, 22_000, 23_000]);
  });

  test('a wait of more than a minute is rejected with its length, without a request', async () => {
    const { clock, pace } = paced();
    const failing_call = failing(clock, [['rate_limited', 1_800]]);

    await expect(clock.drive(pace.run('read', failing_call.attempt))).rejects.toMatchObject({
      error_class: 'rate_limited',
      retry_after: 1_800,
    });
    await expect(clock.drive(pace.run('read', failing_call.attempt))).rejects.toMatchObject({ retry_after: 1_800 });
    expect(failing_call.at).toEqual([0]);
  });

  test('a queue of more than a minute rejects new writes', async () => {
    const { clock, pace } = paced();
    const { at, done } = settled(pace, 80, clock);

    const results = await clock.drive(done);

    expect(at).toHaveLength(70);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    expect(at.at(-1)).toBe(60_000);
  });

  test('rejected writes get different retry times', async () => {
    const { clock, pace } = paced(5_000);
    const { done } = settled(pace, 20, clock);

    const results = await clock.drive(done);

    const sent_away = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.retry_after] : []));
    expect(sent_away).toEqual([6, 7, 8, 9, 10]);
  });

  test('a slow Git host is not retried immediately', async () => {
    const { clock, pace } = paced(5_000);
    let asked = 0;
    const slow = async () => {
      asked += 1;
      await clock.sleep(30_000);
      throw new PlatformError('unavailable', 'no answer');
    };

    await expect(clock.drive(pace.run('read', slow))).rejects.toMatchObject({ error_class: 'unavailable' });

    expect(asked).toBe(1);
  });

  test('a rate limit without a time is waited for a minute', async () => {
    const { clock, pace } = paced();
    const failing_call = failing(clock, [['rate_limited', null]]);

    await clock.drive(pace.run('create', failing_call.attempt));

    expect(failing_call.at).toEqual([0, 60_000]);
  });

  test.each([
    ['read', 4],
    ['write', 4],
    ['create', 1],
  ] as const)('an unavailable host is sent a %s %d times', async (effort, times) => {
    const { clock, pace } = paced();
    const failing_call = failing(clock, Array(9).fill(['unavailable', null]));

    await expect(clock.drive(pace.run(effort, failing_call.attempt))).rejects.toMatchObject({
      error_class: 'unavailable',
    });

    expect(failing_call.at).toHaveLength(times);
    expect(failing_call.at).toEqual([0, 500, 1_500, 3_500].slice(0, times));
  });

  test('a final error is not retried', async () => {
    const { clock, pace } = paced();
    for (const error_class of ['gone', 'forbidden', 'rejected', 'too_large'] as const) {
      const failing_call = failing(clock, [[error_class, null]]);
      await expect(pace.run('read', failing_call.attempt)).rejects.toMatchObject({ error_class });
      expect(failing_call.at).toHaveLength(1);
    }
  });
});

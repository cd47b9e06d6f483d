import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMemoryLimiter, createRedisLimiter, type RateLimiter } from '../../server/http/index.ts';
import { hasRedis, startRedis, type TestRedis } from '../fakes/redis.ts';

const describeWithRedis = hasRedis() ? describe : describe.skip;
/** So slow that nothing is refilled during the test. */
const SLOW = { burst: 5, per_minute: 0.001 };

describeWithRedis('limits shared through Redis', () => {
  let redis: TestRedis;
  let first: ReturnType<typeof createRedisLimiter>;
  let second: ReturnType<typeof createRedisLimiter>;
  beforeAll(async () => {
    redis = await startRedis();
    first = createRedisLimiter(redis.url);
    second = createRedisLimiter(redis.url);
    await Promise.all([first, second].map((limiter) => untilConnected(limiter)));
  });
  afterAll(async () => {
    first.close();
    second.close();
    await redis.close();
  });

  test('limits in Redis count like those of one process', async () => {
    const memory = createMemoryLimiter(() => 0);
    for (const cost of [1, 1, -0.9, 3, 2, 1, 0.5, 1, -100, 5, 0]) {
      const expected = await memory.take('same', SLOW, cost);
      const actual = await first.take('same', SLOW, cost);

      expect(actual.allowed).toBe(expected.allowed);
      expect(actual.remaining).toBeCloseTo(expected.remaining, 3);
    }
  });

  test('limits in Redis apply to all instances together', async () => {
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? first : second).take('shared', SLOW, 1)),
    );

    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(5);
  });

  test('limits in Redis refill over time', async () => {
    const quick = { burst: 1, per_minute: 6_000_000 };
    await first.take('quick', quick, 1);

    await expect(until(() => first.take('quick', quick, 1))).resolves.toBeUndefined();
  });
});

/** The client connects in the background, and rejects calls until then. */
function untilConnected(limiter: RateLimiter): Promise<void> {
  return until(() => limiter.take('probe', SLOW, 0).catch(() => ({ allowed: false })));
}

async function until(attempt: () => Promise<{ allowed: boolean }>): Promise<void> {
  while (!(await attempt()).allowed) await new Promise((resolve) => setImmediate(resolve));
}

/** Token buckets, in this process or shared through Redis. */
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Bucket, BucketState, RateLimiter } from '../ports.ts';

interface Level {
  tokens: number;
  /** Milliseconds since the epoch. */
  at: number;
}

const MAX_BUCKETS = 100_000;
const REDIS_TIMEOUT_MS = 250;

/** The same arithmetic as `drain`, in one step and with the clock of Redis, so that all instances agree. */
const SCRIPT = `
local rate, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local level = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = burst
if level[1] then tokens = math.min(burst, tonumber(level[1]) + math.max(0, now - tonumber(level[2])) * rate) end
local allowed = tokens >= cost
if allowed then tokens = math.min(burst, tokens - cost) end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate) + 1000)
return { allowed and 1 or 0, tostring(tokens) }
`;

/**
 * Takes tokens from a bucket that has been refilled since its last use. Takes nothing if there are too few.
 *
 * @param now milliseconds since the epoch
 */
export function drain(level: Level | undefined, bucket: Bucket, cost: number, now: number): Level & BucketState {
  const filled = level === undefined ? bucket.burst : level.tokens + Math.max(0, now - level.at) * perMs(bucket);
  const tokens = Math.min(bucket.burst, filled);
  const allowed = tokens >= cost;
  const remaining = allowed ? Math.min(bucket.burst, tokens - cost) : tokens;
  return { allowed, remaining, tokens: remaining, at: now };
}

/** Milliseconds until the bucket has `tokens`, if it has `remaining` now. */
export function msUntil(tokens: number, remaining: number, bucket: Bucket): number {
  return Math.max(0, tokens - remaining) / perMs(bucket);
}

function perMs({ per_minute }: Bucket): number {
  return per_minute / 60_000;
}

export function createMemoryLimiter(now: () => number = Date.now): RateLimiter {
  const levels = new LRUCache<string, Level>({ max: MAX_BUCKETS });
  return {
    async take(key, bucket, cost) {
      const level = drain(levels.get(key), bucket, cost, now());
      levels.set(key, { tokens: level.tokens, at: level.at });
      return { allowed: level.allowed, remaining: level.remaining };
    },
  };
}

/** A separate client that fails immediately: a slow limiter must not slow down the service. */
export function createRedisLimiter(url: string): RateLimiter & { close(): void } {
  const redis = new Redis(url, {
    commandTimeout: REDIS_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  // Every command also reports the error to its caller; an `error` event without a listener would end the process.
  redis.on('error', () => undefined);
  return {
    async take(key, { burst, per_minute }, cost) {
      const args = [perMs({ burst, per_minute }), burst, cost];
      const [allowed, remaining] = (await redis.eval(SCRIPT, 1, `dpa:rate:${key}`, ...args)) as [number, string];
      return { allowed: allowed === 1, remaining: Number(remaining) };
    },
    close: () => redis.disconnect(),
  };
}

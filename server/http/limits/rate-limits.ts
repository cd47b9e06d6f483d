import { isIPv6 } from 'node:net';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type Credential, toCacheKey } from '../../lib/credential.ts';
import { ServiceError, TooManyRequests, Unavailable } from '../../lib/errors.ts';
import { toRetryAfter } from '../../lib/retry-after.ts';
import type { Logger } from '../../log.ts';
import type { Bucket, BucketState, HttpConfig, RateLimiter } from '../ports.ts';
import type { Sender } from '../request/admission.ts';
import { readCredential } from '../request/credential.ts';
import { msUntil } from './token-bucket.ts';

/** Limits that single operations declare (x-access.rate_limit), per address. Domains count all other limits. */
const PER_ADDRESS: Record<string, Bucket> = {
  federation_ip: { burst: 30, per_minute: 30 },
  checkpoint_ip: { burst: 60, per_minute: 60 },
  chat_callback_ip: { burst: 10, per_minute: 10 },
  scm_callback_ip: { burst: 10, per_minute: 10 },
};

/** How long a valid credential is remembered, to distinguish it from guesses at the same address. */
const PROVEN_MS = 15 * 60_000;

/** Cost of an unchanged poll, instead of one. */
const UNCHANGED_COST = 0.1;

type Resource = 'credential' | 'org';

interface Spent extends BucketState {
  resource: Resource;
  key: string;
  bucket: Bucket;
}

/** The general limits: per credential, per organization, and per address for unauthenticated callers. */
export function createRateLimits(limiter: RateLimiter, buckets: HttpConfig['rate_limits'], log: Logger) {
  /** Addresses over their limit, so that rejecting them needs no store. Values: end in milliseconds. */
  const blocked = new LRUCache<string, number>({ max: 10_000 });
  /** Digests of valid credentials, so that callers who share an address with an attacker are not rejected. */
  const proven = new LRUCache<string, true>({ max: 10_000, ttl: PROVEN_MS });
  const spentBy = new WeakMap<Response, Spent[]>();

  /**
   * Before authentication: rejects an address that has used its limit, unless the request has a recently valid
   * credential, and counts a request without a credential. If the store is not available, unauthenticated callers are
   * rejected.
   */
  async function admitAddress(req: Sender, counts: boolean): Promise<void> {
    const address = addressKey(req.ip);
    const until = blocked.get(address) ?? 0;
    if (until > Date.now() && !isProven(req)) throw tooMany(until - Date.now());
    if (counts) await countAddress(address);
  }

  async function countAddress(address: string): Promise<void> {
    const wait_ms = await takeToken(`ip:${address}`, buckets.ip);
    if (wait_ms === 0) return;
    blocked.set(address, Date.now() + wait_ms);
    throw tooMany(wait_ms);
  }

  /** Counts a request of an operation that has its own limit per address. */
  async function admitNamed(req: Sender, limit: string | undefined): Promise<void> {
    const bucket = limit === undefined ? undefined : PER_ADDRESS[limit];
    if (bucket === undefined) return;
    const wait_ms = await takeToken(`${limit}:${addressKey(req.ip)}`, bucket);
    if (wait_ms > 0) throw tooMany(wait_ms);
  }

  /** @returns milliseconds to wait; 0 if the request is allowed */
  async function takeToken(key: string, bucket: Bucket): Promise<number> {
    const state = await limiter.take(key, bucket, 1).catch((cause) => {
      throw new Unavailable('the rate limiter is not available; try again', { cause });
    });
    return state.allowed ? 0 : msUntil(1, state.remaining, bucket);
  }

  /**
   * Authenticates the credential of a request; a failure counts against the address, which slows down guessing.
   *
   * @throws errors of `readCredential` and `authenticate`
   */
  async function countFailures<T>(req: Sender, authenticate: (credential: Credential) => Promise<T>): Promise<T> {
    try {
      const credential = readCredential(req);
      return await prove(credential, authenticate);
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) await countAddress(addressKey(req.ip));
      throw error;
    }
  }

  /** Remembers whether the credential was valid the last time. */
  async function prove<T>(credential: Credential, authenticate: (credential: Credential) => Promise<T>): Promise<T> {
    const key = toCacheKey(credential);
    try {
      const principal = await authenticate(credential);
      proven.set(key, true);
      return principal;
    } catch (error) {
      proven.delete(key);
      throw error;
    }
  }

  function isProven(req: Sender): boolean {
    try {
      return proven.has(toCacheKey(readCredential(req)));
    } catch {
      // Without a readable credential, the request fails later with its own error.
      return false;
    }
  }

  /**
   * Counts a request of an authenticated caller; `show` receives the remaining tokens. If the store is not available,
   * all are allowed.
   */
  async function spend(res: Response, resource: Resource, id: string): Promise<void> {
    const bucket = buckets[resource];
    const key = `${resource}:${id}`;
    const state = await limiter.take(key, bucket, 1).catch((err) => {
      log.warn({ err, resource }, 'rate limiter not available: the request is accepted');
      return { allowed: true, remaining: bucket.burst };
    });
    const spent = { ...state, resource, key, bucket };
    const before = spentBy.get(res);
    if (before === undefined) spentBy.set(res, [spent]);
    else before.push(spent);
    if (!state.allowed) throw tooMany(msUntil(1, state.remaining, bucket));
  }

  /** Returns most of the cost of an unchanged poll. */
  async function refundUnchanged(res: Response): Promise<void> {
    const refund = 1 - UNCHANGED_COST;
    const spent = spentBy.get(res) ?? [];
    await Promise.all(spent.map(({ key, bucket }) => limiter.take(key, bucket, -refund).catch(() => undefined)));
    for (const entry of spent) entry.remaining = Math.min(entry.bucket.burst, entry.remaining + refund);
  }

  /** Adds headers about the most restrictive limit that a request counted against. */
  function show(res: Response): void {
    let tightest: Spent | undefined;
    for (const spent of spentBy.get(res) ?? []) {
      if (tightest === undefined || spent.remaining < tightest.remaining) tightest = spent;
    }
    if (tightest !== undefined) showLeft(res, tightest);
  }

  return { admitAddress, admitNamed, countFailures, spend, refundUnchanged, show };
}

export type RateLimits = ReturnType<typeof createRateLimits>;

function showLeft(res: Response, { bucket, remaining, resource }: Spent): void {
  const whole_at = Date.now() + msUntil(bucket.burst, remaining, bucket);
  res.setHeader('X-RateLimit-Limit', String(bucket.burst));
  res.setHeader('X-RateLimit-Remaining', String(Math.floor(remaining)));
  res.setHeader('X-RateLimit-Reset', String(Math.ceil(whole_at / 1000)));
  res.setHeader('X-RateLimit-Resource', resource);
}

function tooMany(wait_ms: number): TooManyRequests {
  const seconds = toRetryAfter(wait_ms / 1000);
  return new TooManyRequests(`too many requests; try again in ${seconds} s`, seconds);
}

/** Addresses of one customer count as one: the first 64 bits of IPv6, which providers assign to a customer. */
export function addressKey(ip: string | undefined): string {
  if (ip === undefined) return 'unknown';
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (v4 !== undefined) return v4;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.toLowerCase().split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairLimit } from '../lib/concurrency-limit.ts';

/** Runs a unit of work of an organization when it is its turn. */
export type RunForOrg = <T>(orgId: string, work: () => Promise<T>) => Promise<T>;

/** The limiter in whose turn the code runs. One storage for all limiters: Node copies each of them for every promise. */
const inside = new AsyncLocalStorage<object>();

/**
 * Shares the connections of a pool between organizations: one organization gets half of them at most, and organizations
 * alternate. Without it, the pool serves requests in order, so an organization with fifty concurrent requests would
 * delay all others.
 *
 * @param connections of the pool
 */
export function createOrgLimiter(connections: number): RunForOrg {
  const limit = createFairLimit({ max: connections, max_per_key: Math.max(1, Math.floor(connections / 2)) });

  return (orgId, work) => {
    // A nested unit of work must not wait for a turn that its own organization holds.
    if (inside.getStore() === limit) return work();
    return limit.run(orgId, () => inside.run(limit, work));
  };
}

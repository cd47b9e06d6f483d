import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairLimit } from '../lib/concurrency-limit.ts';

/** Runs a unit of work of an org when one of its turns has come. */
export type RunForOrg = <T>(orgId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Shares the connections of a pool between orgs: one org takes half of them at most, and orgs take turns. The pool itself
 * hands its connections out in the order in which they are asked for, so that an org with fifty requests at once would have
 * everybody wait behind them.
 *
 * @param connections of the pool
 */
export function createOrgLimiter(connections: number): RunForOrg {
  const limit = createFairLimit({ max: connections, max_per_key: Math.max(1, Math.floor(connections / 2)) });
  const inside = new AsyncLocalStorage<true>();

  return (orgId, work) => {
    // A unit of work within another one must not wait for a turn that its own org holds.
    if (inside.getStore() === true) return work();
    return limit.run(orgId, () => inside.run(true, work));
  };
}

import { createFairLimit, type FairLimit } from '../lib/concurrency-limit.ts';
import type { Admitted } from './exchange.ts';
import { addressKey } from './rate-limits.ts';

/** Half of the connections of a database pool: however much one caller asks at once, others find a free one. */
const MAX_PER_CALLER = 5;
/** Handlers of many callers; most of them wait for the database. */
const MAX_HANDLERS = 64;

/**
 * Limits how many handlers run at once for one caller; more of the caller's requests wait. All tokens and API keys of a
 * user count as one caller, and requests without a credential by their address.
 */
export function createFairShares(): { run<T>(exchange: Admitted, work: () => Promise<T>): Promise<T> } {
  const limit: FairLimit = createFairLimit({ max: MAX_HANDLERS, max_per_key: MAX_PER_CALLER });
  return {
    run: ({ principal, req }, work) => limit.run(principal?.user.id ?? addressKey(req.ip), work),
  };
}

import type { Db } from '../../db/index.ts';
import * as store from './store.ts';

/** Older unfinished jobs do not count. */
const COUNTED_MS = 3_600_000;

/** Size classes of pruned and compressed plans in bytes; among jobs of equal rank, small ones run first. */
const SIZES = [16_384, 131_072];

type Payload = { org_id: string; id: string };

export interface FairEnqueueOptions {
  at?: Date | undefined;
  /** Stored size of the plan; 0 by default. */
  bytes?: number | undefined;
}

export interface FairEnqueueDeps {
  now: () => Date;
  enqueue: (trx: Db, payload: Payload, options: { at?: Date | undefined; place: number }) => Promise<void>;
}

/**
 * Adds jobs to the queue so that organizations alternate: the first job of each organization runs before the second of
 * any other, however many one has submitted. At equal rank, a small plan runs before a large one.
 */
export function createFairEnqueue({ now, enqueue }: FairEnqueueDeps) {
  /** @param trx already contains the job */
  return async (trx: Db, payload: Payload, { at, bytes = 0 }: FairEnqueueOptions = {}): Promise<void> => {
    const since = new Date(now().getTime() - COUNTED_MS);
    const others = (await store.countUnfinished(trx, payload.org_id, since)) - 1;
    const size = SIZES.filter((most) => bytes > most).length;
    await enqueue(trx, payload, { at, place: Math.max(0, others) * (SIZES.length + 1) + size });
  };
}

import type { Db } from '../../db/index.ts';
import * as store from './store.ts';

/** Older jobs that have not ended stand in nobody's way. */
const COUNTED_MS = 3_600_000;

/** Plans up to so many bytes, pruned and compressed, are told apart; small ones go first among jobs of one rank. */
const SIZES = [16_384, 131_072];

type Payload = { org_id: string; id: string };

export interface FairEnqueueOptions {
  at?: Date | undefined;
  /** Of the plan, as it is kept; as good as none unless given. */
  bytes?: number | undefined;
}

export interface FairEnqueueDeps {
  now: () => Date;
  enqueue: (trx: Db, payload: Payload, options: { at?: Date | undefined; place: number }) => Promise<void>;
}

/**
 * Names jobs for the queue such that organizations take turns: the first job of any goes before the second of each other
 * one, however many somebody has submitted before. Among them a small plan goes before a large one.
 */
export function createFairEnqueue({ now, enqueue }: FairEnqueueDeps) {
  /** @param trx has the job in it already */
  return async (trx: Db, payload: Payload, { at, bytes = 0 }: FairEnqueueOptions = {}): Promise<void> => {
    const since = new Date(now().getTime() - COUNTED_MS);
    const others = (await store.countUnfinished(trx, payload.org_id, since)) - 1;
    const size = SIZES.filter((most) => bytes > most).length;
    await enqueue(trx, payload, { at, place: Math.max(0, others) * (SIZES.length + 1) + size });
  };
}

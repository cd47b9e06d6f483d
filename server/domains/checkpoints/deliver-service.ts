import type { ServiceDeps } from '../../contract/service-deps.ts';
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { Logger } from '../../log.ts';
import { nextAttempt, toCheckpointFile } from './destination-file.ts';
import * as destinations from './destinations-store.ts';
import type { Sending } from './send-service.ts';
import * as store from './store.ts';
import { DestinationFailure, type Target } from './types.ts';

/** A destination that does not respond keeps only one of them waiting. */
const AT_ONCE = 8;
/** For one destination before others have their turn. */
const MOST_IN_A_ROW = 24;
const INTERNAL = 'The service could not send the checkpoint, and tries again.';

export interface DeliveryDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'now'> {
  log: Pick<Logger, 'warn' | 'error'>;
  sending: Sending;
}

/** Delivers checkpoints to the buckets and repositories of organizations, in order, until each has arrived. */
export function createDelivery({ db, platform_db, now, log, sending }: DeliveryDeps) {
  /** A destination that fails does not keep others waiting, and is tried again later and later. */
  async function deliverDue(): Promise<void> {
    const limit = createConcurrencyLimit(AT_ONCE);
    let batch = await destinations.listDue(platform_db, now());
    for (; batch.length > 0; batch = await destinations.listDue(platform_db, now())) {
      await Promise.all(batch.map(({ org_id, kind }) => limit(() => deliverSome(org_id, kind))));
    }
  }

  async function deliverSome(org_id: string, kind: Target['kind']): Promise<void> {
    for (let count = 0; count < MOST_IN_A_ROW && (await deliverNext(org_id, kind)); count += 1);
  }

  /** @returns whether a checkpoint has arrived */
  async function deliverNext(org_id: string, kind: Target['kind']): Promise<boolean> {
    const found = await db.inOrg(org_id, async (trx) => {
      const to = await destinations.findDestination(trx, org_id, kind);
      const checkpoint = to && (await store.findNext(trx, org_id, to.next_size));
      return checkpoint && { to, checkpoint };
    });
    if (found === undefined) return false;
    const { to, checkpoint } = found;
    try {
      await sending.send(to, toCheckpointFile(to.target, checkpoint));
    } catch (error) {
      await postpone(to, error);
      return false;
    }
    await db.inOrg(org_id, (trx) => destinations.markDelivered(trx, to, checkpoint.size, now()));
    return true;
  }

  async function postpone(to: destinations.SealedDestination, error: unknown): Promise<void> {
    const { org_id, target, failures } = to;
    const is_known = error instanceof DestinationFailure;
    const fields = { err: error, org_id, kind: target.kind };
    if (is_known) log.warn(fields, 'a destination did not take a checkpoint');
    else log.error(fields, 'a checkpoint was not sent');
    const due_at = nextAttempt(failures, is_known ? error.retry_after_s : null, now());
    const message = is_known ? error.message : INTERNAL;
    await db.inOrg(org_id, (trx) => destinations.markFailed(trx, to, { message, due_at }, now()));
  }

  return { deliverDue };
}

import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { insertEvent } from './events-store.ts';
import type { EventSource } from './types.ts';

export interface RecorderDeps extends Pick<ServiceDeps, 'now'> {
  /** Queues the decision about an event once `trx` has committed. */
  enqueueEvent: (trx: Db, payload: { org_id: string; id: string }) => Promise<void>;
}

/** Records that something happened, in the transaction in which it happens. What it means is decided by a job. */
export function createRecorder({ enqueueEvent, now }: RecorderDeps) {
  return async function record(
    trx: Db,
    org_id: string,
    { source, source_id }: { source: EventSource; source_id: string },
  ): Promise<void> {
    const id = newId();
    if (await insertEvent(trx, org_id, { id, source, source_id, created_at: now() })) {
      await enqueueEvent(trx, { org_id, id });
    }
  };
}

export type RecordEvent = ReturnType<typeof createRecorder>;

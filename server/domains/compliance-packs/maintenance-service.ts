import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { deleteOrphans } from '../../lib/delete-orphans.ts';
import { ARTIFACT_PREFIX } from './names.ts';
import { REQUEST_LIMIT } from './requests-service.ts';
import { MOST_ATTEMPTS } from './retries.ts';
import * as store from './store.ts';
import type { OnPackEnded, PackRef } from './types.ts';

/** A running pack without a heartbeat for this long has lost its worker. @see the contract decisions, D104 */
const SILENCE_MS = 15 * 60_000;
/** A due pack is queued again after this time, because the queue may have lost it. */
const PATIENCE_MS = 5 * 60_000;
/** An artifact is stored before its row knows it. */
const ORPHAN_MS = 60 * 60_000;
const LOST = 'The workers that built the pack were stopped each time. Request a new one; if it repeats, report it.';

export interface PackMaintenanceDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'now' | 'log'> {
  blobs: {
    list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }>;
    delete(key: string): Promise<void>;
  };
  /** Queues a pack once `trx` has committed. */
  enqueue: (trx: Db, pack: PackRef) => Promise<void>;
  onEnded: OnPackEnded;
}

export function createPackMaintenance(deps: PackMaintenanceDeps) {
  const { db, platform_db, sweep_db, blobs, enqueue, onEnded, now, log } = deps;
  const ago = (ms: number) => new Date(now().getTime() - ms);

  /** Queues packs again that have lost their worker or their queue entry, and ends those that lost too many workers. */
  async function reconcile(): Promise<void> {
    const before = ago(SILENCE_MS);
    for (const pack of await store.listSilent(platform_db, before)) await recover(pack, before);
    const forgotten = ago(PATIENCE_MS);
    for (const pack of await store.listForgotten(platform_db, forgotten)) {
      await db.inOrg(pack.org_id, async (trx) => {
        if (await store.requeue(trx, pack, forgotten, now())) await enqueue(trx, pack);
      });
    }
  }

  async function recover(pack: PackRef, before: Date): Promise<void> {
    await db.inOrg(pack.org_id, async (trx) => {
      const at = { before, now: now() };
      if (await store.returnSilent(trx, pack, { ...at, most_attempts: MOST_ATTEMPTS })) await enqueue(trx, pack);
      else if (await store.failSilent(trx, pack, { ...at, error_message: LOST })) await onEnded(trx, pack);
    });
  }

  /** Ends the packs whose time is over. Their rows stay. */
  async function expire(): Promise<void> {
    for (const pack of await store.listExpired(platform_db, now())) {
      const key = await db.inOrg(pack.org_id, (trx) => store.expire(trx, pack));
      if (key === undefined) continue;
      await blobs.delete(key).catch((error) => log.warn({ err: error, key }, 'artifact of a pack not deleted'));
    }
  }

  /** Deletes artifacts that belong to no pack, and counts that no limit needs. */
  async function deleteLeftovers(): Promise<void> {
    await store.deleteRequests(sweep_db, ago(REQUEST_LIMIT.window_ms ?? 0));
    await deleteOrphans(blobs, {
      prefix: ARTIFACT_PREFIX,
      before: ago(ORPHAN_MS),
      listLive: (keys) => store.listArtifacts(platform_db, keys),
    });
  }

  return { reconcile, expire, deleteLeftovers };
}

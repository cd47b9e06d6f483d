import type { BlobStore } from '../../adapters/blob/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { deleteOrphans as deleteOrphanedBlobs } from '../../lib/delete-orphans.ts';
import { assertFound, NotFound, Unavailable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Sealer } from '../../lib/seal.ts';
import * as store from './fetches-store.ts';
import { SNAPSHOT_PREFIX, snapshotAad, snapshotKey } from './seals.ts';
import { findSource } from './store.ts';
import type { ReadState, RefreshResult, Snapshot, StoredSource } from './types.ts';

const DAY_MS = 86_400_000;
/** Besides the latest snapshot of a source, its five newest are kept for 30 days. */
const KEPT = 5;
const KEPT_MS = 30 * DAY_MS;
const DELETED_AT_ONCE = 200;
/** A blob is written before its row, so a newer one may still get a row. */
const LATE_ROW_MS = 3_600_000;

export interface SnapshotsDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'now' | 'log'> {
  blobs: Pick<BlobStore, 'put' | 'get' | 'delete' | 'list'>;
  /** Encrypts blobs. */
  blob_sealer: Sealer;
}

/** Stored copies of states: one for each content of a source. */
export function createSnapshots({ db, sweep_db, blobs, blob_sealer, now, log }: SnapshotsDeps) {
  /**
   * Makes what was read the latest snapshot of its source, and ends the claim. The blob is written before the row, so a
   * row always has its blob.
   *
   * @throws NotFound if the source was deleted; Unavailable if another process took over
   */
  async function save(
    claim: store.FetchClaim,
    read: ReadState,
    previous_id: string | null,
  ): Promise<RefreshResult & { snapshot_id: string }> {
    const { org_id, id: source_id } = claim;
    const { resources, ...facts } = read;
    const known = await db.readInOrg(org_id, (trx) =>
      store.findSnapshotByHash(trx, org_id, { source_id, content_hash: facts.content_hash }),
    );
    const id = known?.id ?? newId();
    const at = now();
    const blob_key = snapshotKey(org_id, id);
    const row: Snapshot = { ...facts, id, source_id, blob_key, fetched_at: at };
    if (known === undefined) await blobs.put(blob_key, blob_sealer.seal(resources, snapshotAad(org_id, id)));
    // If this fails, the sweep deletes a blob without a row.
    await db.inOrg(org_id, async (trx) => {
      if (!(await store.lockFetch(trx, claim))) throw await describeLoss(claim);
      if (known === undefined) await store.insertSnapshot(trx, org_id, row);
      else if (!(await store.touchSnapshot(trx, org_id, id, at))) throw takenOver();
      await store.finishFetch(trx, claim, id, at);
    });
    return { ...toResult(row, at), refreshed: id !== previous_id };
  }

  async function describeLoss({ org_id, id }: store.FetchClaim): Promise<Error> {
    const source = await db.readInOrg(org_id, (read) => findSource(read, org_id, id));
    return source === undefined ? new NotFound() : takenOver();
  }

  /** The latest snapshot of a source, as a refresh that changed nothing returns it. */
  async function current({ org_id, latest_snapshot_id, last_fetched_at }: StoredSource): Promise<RefreshResult> {
    if (latest_snapshot_id === null) return { ...NOTHING, last_fetched_at };
    const snapshot = await db.readInOrg(org_id, (read) => store.findSnapshot(read, org_id, latest_snapshot_id));
    return { ...toResult(assertFound(snapshot), last_fetched_at), refreshed: false };
  }

  /** Deletes snapshots that are no longer needed, rows first: their blobs are then orphans, whatever happens. */
  async function deleteOld(): Promise<void> {
    const before = new Date(now().getTime() - KEPT_MS);
    for (;;) {
      const keys = await store.deleteOldSnapshots(sweep_db, { before, kept: KEPT, limit: DELETED_AT_ONCE });
      for (const { status, reason } of await deleteBlobs(keys)) {
        if (status === 'rejected')
          log.warn({ err: reason }, 'blob of a state snapshot not deleted; the sweep tries again');
      }
      if (keys.length < DELETED_AT_ONCE) return;
    }
  }

  async function deleteBlobs(keys: readonly string[]): Promise<{ status: string; reason?: unknown }[]> {
    return Promise.allSettled(keys.map((key) => blobs.delete(key)));
  }

  async function deleteOrphans(): Promise<void> {
    const before = new Date(now().getTime() - LATE_ROW_MS);
    const listLive = (keys: readonly string[]) => store.listLiveBlobs(sweep_db, keys);
    await deleteOrphanedBlobs(blobs, { prefix: SNAPSHOT_PREFIX, before, listLive });
  }

  return { save, current, deleteOld, deleteOrphans };
}

export type Snapshots = ReturnType<typeof createSnapshots>;

const NOTHING = { content_hash: null, refreshed: false, resource_count: 0, parse_failure_count: 0, snapshot_id: null };

function toResult({ id, content_hash, resource_count, parse_failure_count }: Snapshot, last_fetched_at: Date | null) {
  return { content_hash, last_fetched_at, resource_count, parse_failure_count, snapshot_id: id };
}

function takenOver(): Unavailable {
  return new Unavailable('another refresh of this source has taken over; try again');
}

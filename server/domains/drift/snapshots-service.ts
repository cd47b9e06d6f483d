import type { ServiceDeps } from '../../contract/service-deps.ts';
import { ServiceError } from '../../lib/errors.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { PreviewedItem } from './ignore-rules-service.ts';
import * as items from './items-store.ts';
import { findRequest, type StoredRequest } from './requests-store.ts';
import * as store from './snapshots-store.ts';
import type { DriftItem, ItemFilter, StoredSnapshot } from './types.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = { items: 90, snapshots: 400 };
const READ_AT_ONCE = 1_000;

/** A snapshot with one page of its items. */
export interface SnapshotPage {
  snapshot: StoredSnapshot;
  items: DriftItem[];
  items_total: number;
}

/** Stored drift. */
export function createDriftSnapshots({ db, sweep_db, now }: Pick<ServiceDeps, 'db' | 'sweep_db' | 'now'>) {
  /** The latest snapshot of a scan, with one page of its items. @throws ServiceError 404 `drift_not_computed` */
  async function list(
    org_id: string,
    scan_run_id: string,
    filter: ItemFilter,
    page: { limit: number; offset: number },
  ): Promise<SnapshotPage> {
    return readItems(org_id, await getLatest(org_id, scan_run_id), filter, page);
  }

  /** One page of the items of a snapshot. */
  async function readItems(
    org_id: string,
    snapshot: StoredSnapshot,
    filter: ItemFilter,
    page: { limit: number; offset: number },
  ): Promise<SnapshotPage> {
    const { items: found, total } = await db.inOrg(org_id, (trx) =>
      items.listItems(trx, { ...snapshot, org_id }, filter, page),
    );
    return { snapshot, items: found, items_total: total };
  }

  /** A snapshot with its first items, most important first; undefined if it was deleted. */
  async function findWithItems(org_id: string, id: string, limit: number): Promise<SnapshotPage | undefined> {
    const snapshot = await db.readInOrg(org_id, (read) => store.findSnapshot(read, org_id, id));
    return snapshot && readItems(org_id, snapshot, {}, { limit, offset: 0 });
  }

  /** @throws ServiceError 404 `drift_not_computed` */
  async function getLatest(org_id: string, scan_run_id: string): Promise<StoredSnapshot> {
    const snapshot = await db.readInOrg(org_id, (read) => store.findOfScan(read, org_id, scan_run_id));
    if (snapshot !== undefined) return snapshot;
    throw notComputed(await db.readInOrg(org_id, (read) => findRequest(read, { org_id, id: scan_run_id })));
  }

  /** All items of the latest snapshot of a scan, as drift ignore rules match them. */
  async function* readIgnorable(org_id: string, scan_run_id: string): AsyncIterable<readonly PreviewedItem[]> {
    const { items_id } = await getLatest(org_id, scan_run_id);
    if (items_id === null) return;
    for (let from = 0; ; from += READ_AT_ONCE) {
      const found: PreviewedItem[] = await db.readInOrg(org_id, (read) =>
        items.listIgnorable(read, org_id, items_id, from, READ_AT_ONCE),
      );
      yield found;
      if (found.length < READ_AT_ONCE) return;
    }
  }

  async function deleteOld(): Promise<void> {
    const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
    await inBatches((limit) => store.deleteOld(sweep_db, daysAgo(KEPT_DAYS.snapshots), limit));
    await inBatches((limit) => items.deleteUnusedSets(sweep_db, daysAgo(KEPT_DAYS.items), limit));
  }

  return { list, readItems, findWithItems, getLatest, readIgnorable, deleteOld };
}

export type DriftSnapshots = ReturnType<typeof createDriftSnapshots>;

function notComputed(request: StoredRequest | undefined): ServiceError {
  return new ServiceError(404, 'drift_not_computed', explainMissing(request));
}

function explainMissing(request: StoredRequest | undefined): string {
  if (request === undefined) return 'drift of this scan has not been computed; call POST …/drift/compute';
  const { error, failed_at } = request;
  if (failed_at !== null)
    return `drift of this scan could not be computed: ${error} Call POST …/drift/compute to try again.`;
  return 'drift of this scan is being computed; try again in a minute';
}

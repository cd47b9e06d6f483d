import type { FoundResource, ScanOutline } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Orgs } from '../orgs/index.ts';
import * as store from './inventory-store.ts';
import type {
  InventoryScan,
  KnownResource,
  PartOutcome,
  PreparedPage,
  ResourceRow,
  ScanExtent,
} from './inventory-types.ts';
import { type ListedResource, toListedResources } from './page-rows.ts';
import { sealListed } from './seals.ts';

/** How long a resource is kept after a scan did not find it, if too few scans follow. */
const GONE_KEPT_MS = 30 * 86_400_000;

export interface InventoryDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'sealer' | 'now'> {
  orgs: Pick<Orgs, 'noiseKey'>;
}

export function createInventory({ db, sweep_db, sealer, orgs, now }: InventoryDeps) {
  /** Writes the pages of one scan. */
  async function openScan(scan: InventoryScan) {
    const key = await orgs.noiseKey(scan.org_id);

    /** Compares a page with what is stored and encrypts what is new, outside of the transaction that writes it. */
    async function prepare(part_key: string, resources: readonly FoundResource[]): Promise<PreparedPage> {
      const listed = toListedResources(resources, key);
      if (listed.length === 0) return { part_key, rows: [] };
      const keys = listed.map(({ resource_key }) => resource_key);
      const known = await db.readInOrg(scan.org_id, (read) => store.listKnown(read, scan, keys));
      const by_key = new Map(known.map((one) => [one.resource_key.toString('latin1'), one]));
      return { part_key, rows: listed.map((one) => toRow(one, by_key.get(one.resource_key.toString('latin1')))) };
    }

    function toRow({ properties, ...listed }: ListedResource, known: KnownResource | undefined): ResourceRow {
      const id = known?.id ?? newId();
      const is_same = known !== undefined && isSame(known.listed_hash, listed.listed_hash);
      if (properties === null || is_same) return { ...listed, id, listed_ct: null };
      return { ...listed, id, listed_ct: sealListed(sealer, { org_id: scan.org_id, id }, properties) };
    }

    return {
      prepare,
      /** @param trx also moves the cursor of the part */
      write: async (trx: Db, page: PreparedPage): Promise<void> => {
        if (page.rows.length > 0) await store.upsertPage(trx, scan, page, now());
      },
    };
  }

  /** Notes what a scan will not read, and which parts the account no longer has. */
  async function noteOutline(trx: Db, scan: InventoryScan, outline: ScanOutline, extent: ScanExtent): Promise<void> {
    const at = now();
    const unchecked = outline.unchecked.map(({ code, message, ...part }): PartOutcome => {
      const reason = { code, message, permission: null, retryable: false };
      return { ...part, outcome: 'incomplete', resource_count: 0, reason };
    });
    await store.noteParts(trx, scan, unchecked, at);
    const part_keys = outline.parts.map(({ key }) => key);
    const regions = [...new Set(outline.parts.flatMap(({ region }) => region ?? []))];
    await store.markVanished(trx, scan, { part_keys, regions, unchecked: outline.unchecked }, extent, at);
  }

  /**
   * Draws the conclusions of a scan that ends: which parts are checked, and which resources are gone. Only a part that
   * was read completely says that a resource is gone.
   *
   * @returns how many resources the scan has seen
   */
  async function conclude(
    trx: Db,
    scan: InventoryScan,
    parts: readonly PartOutcome[],
    { regions, is_filtered }: ScanExtent,
  ): Promise<number> {
    const at = now();
    // What a filter has left out of a part was not checked.
    const isCut = (part: PartOutcome) => is_filtered && part.by_region === true && part.outcome === 'complete';
    const [untried, tried] = split(parts, (part) => part.outcome === 'untried' || isCut(part));
    await store.noteParts(trx, scan, tried, at);
    await store.noteUntried(trx, scan, untried.map(withReason), at);
    const complete = parts.filter(({ outcome }) => outcome === 'complete');
    const [by_region, whole] = split(complete, (part) => part.by_region === true);
    const toKeys = (some: readonly PartOutcome[]) => some.map(({ key }) => key);
    if (whole.length > 0) await store.markGone(trx, scan, toKeys(whole), [], at);
    if (by_region.length > 0) await store.markGone(trx, scan, toKeys(by_region), regions, at);
    return store.countSeen(trx, scan);
  }

  async function deleteGone(): Promise<void> {
    const before = new Date(now().getTime() - GONE_KEPT_MS);
    await inBatches((limit) => store.deleteGone(sweep_db, before, limit));
    await inBatches((limit) => store.deleteOfDeletedAccounts(sweep_db, 'live_resources', limit));
    await inBatches((limit) => store.deleteOfDeletedAccounts(sweep_db, 'inventory_parts', limit));
  }

  return { openScan, noteOutline, conclude, deleteGone };
}

export type Inventory = ReturnType<typeof createInventory>;
export type InventoryWriter = Awaited<ReturnType<Inventory['openScan']>>;

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

function withReason(part: PartOutcome): PartOutcome {
  const message = 'Only some regions of this part were read, because the scan was limited to them.';
  const reason = part.reason ?? { code: 'truncated', message, permission: null, retryable: true };
  return { ...part, outcome: 'untried', reason };
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const first: T[] = [];
  const rest: T[] = [];
  for (const item of items) (isFirst(item) ? first : rest).push(item);
  return [first, rest];
}

import type { ScanOutline } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { ScanSession } from '../cloud-accounts/index.ts';
import type { Inventory } from '../resources/index.ts';
import { addFaults } from './faults.ts';
import * as partsStore from './parts-store.ts';
import { ClaimLost } from './read-service.ts';
import * as runsStore from './runs-store.ts';
import type { ScanClaim, StoredPart } from './types.ts';

export interface OutlinerDeps extends Pick<ServiceDeps, 'db'> {
  inventory: Pick<Inventory, 'noteOutline'>;
}

/** Decides what a scan reads. */
export function createOutliner({ db, inventory }: OutlinerDeps) {
  /**
   * The parts of a scan: those that an earlier attempt has stored, or else those that the account has now.
   *
   * @throws ClaimLost; CloudError if the cloud does not show which parts there are
   */
  async function loadParts(
    claim: ScanClaim,
    session: Pick<ScanSession, 'outline' | 'regions'>,
    signal: AbortSignal,
  ): Promise<StoredPart[]> {
    const { org_id } = claim;
    // Whatever the outline was, it is the one that the conclusions are drawn from.
    if (claim.read_regions !== null) return db.readInOrg(org_id, (read) => partsStore.listParts(read, claim));
    const outline = await session.outline(signal);
    const parts = [...outline.parts.map(toStored), ...listRejectedRegions(outline, claim.filter_regions)];
    await db.inOrg(org_id, async (trx) => {
      if (!(await runsStore.setReadRegions(trx, claim, session.regions))) throw new ClaimLost('the scan has ended');
      const { cloud_account_id, id: scan_id, provider } = claim;
      const extent = { regions: session.regions, is_filtered: claim.filter_regions.length > 0 };
      await inventory.noteOutline(trx, { org_id, cloud_account_id, scan_id, provider }, outline, extent);
      await partsStore.insertParts(trx, claim, parts);
    });
    return parts;
  }

  return loadParts;
}

export type LoadParts = ReturnType<typeof createOutliner>;

function toStored({
  key,
  service,
  region,
  provider_type,
  by_region = false,
}: ScanOutline['parts'][number]): StoredPart {
  const unread = { cursor: null, status: 'pending' as const, page_count: 0, resource_count: 0, faults: [] };
  return { key, service, region, provider_type, by_region, ...unread };
}

/** Regions that the caller asked for and that the account does not have: the scan is then partial. */
function listRejectedRegions({ unchecked }: ScanOutline, filter_regions: readonly string[]): StoredPart[] {
  const rejected = unchecked.filter(({ region }) => region !== null && filter_regions.includes(region));
  return rejected.map(({ code, message, ...part }) => {
    const { service, region, provider_type } = part;
    const fault = { code, message, service, region, provider_type, permission: null, retryable: false };
    return { ...toStored(part), status: 'failed', faults: addFaults([], [fault]) };
  });
}

/** Scans of cloud accounts, which fill the inventory. */
import type { Db } from '../db/index.ts';
import type { CloudAccounts } from '../domains/cloud-accounts/index.ts';
import { cloudScanParts, createCloudScans } from '../domains/cloud-scans/index.ts';
import { enqueue, enqueueAll } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { InventoryGroup } from './inventory.ts';
import type { Plans } from './plans.ts';
import type { Platform } from './platform.ts';

export interface ScanningDeps {
  platform: Platform;
  cloudAccounts: Pick<CloudAccounts, 'scanAccess'>;
  inventory: Pick<InventoryGroup, 'inventory'>;
  plans: Pick<Plans, 'scans'>;
  /** Databases across organizations, for each domain that has one. */
  cross_org: { cloudScans: { platform_db: Db } };
  settings: {
    /** Concurrent scans in one worker process. */
    scan_concurrency: number;
    /** Interval of a running job's heartbeat, and the time without one after which the job counts as lost. */
    job_heartbeat_ms: number;
    job_silence_ms: number;
    reconcile_ms: number;
  };
}

export function createScanning(foundation: Foundation, deps: ScanningDeps) {
  const { platform, cloudAccounts, inventory, plans, cross_org, settings } = deps;
  const cloudScans = createCloudScans({
    ...foundation,
    ...platform,
    ...cross_org.cloudScans,
    scans: plans.scans,
    scanAccess: cloudAccounts.scanAccess,
    inventory: inventory.inventory,
    enqueue: (trx, run) => enqueue(trx, 'scan', run),
    enqueueAll: (trx, org_id, ids) => enqueueAll(trx, 'scan', org_id, ids),
    heartbeat_ms: settings.job_heartbeat_ms,
    silence_ms: settings.job_silence_ms,
  });
  const { scan_concurrency: concurrency, reconcile_ms } = settings;
  return { parts: [cloudScanParts(cloudScans, { concurrency, reconcile_ms })] };
}

/** What organizations declare in states of Terraform and OpenTofu, and what scans find in their clouds. */
import type { StateBackend } from '../adapters/state-backend/types.ts';
import type { Db } from '../db/index.ts';
import type { CloudAccounts } from '../domains/cloud-accounts/index.ts';
import { cloudScanParts, createCloudScans } from '../domains/cloud-scans/index.ts';
import { createInventory as createResourceInventory, resourceParts } from '../domains/resources/index.ts';
import type { Scans } from '../domains/scans/index.ts';
import {
  type AssertAllowed,
  createStateSources,
  type ReadStateBytes,
  type StateAccounts,
  stateSourceParts,
} from '../domains/state-sources/index.ts';
import { enqueue, enqueueAll } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { Platform } from './platform.ts';

export interface InventoryDeps {
  platform: Platform;
  /** Reads states from where they are stored. */
  stateBackend: StateBackend;
  /** Rejects the location of a state that must not be called. */
  assertAllowed: AssertAllowed;
  /** Reads the bytes of a state on a thread. */
  readState: ReadStateBytes;
  accounts: StateAccounts;
  cloudAccounts: Pick<CloudAccounts, 'scanAccess'>;
  scans: Scans;
  /** Databases across organizations, for each domain that has one. */
  cross_org: {
    stateSources: { platform_db: Db; sweep_db: Db };
    resources: { sweep_db: Db };
    cloudScans: { platform_db: Db };
  };
  settings: {
    /** Concurrent fetches of states in one worker process. */
    glob_refresh_concurrency: number;
    /** Concurrent scans in one worker process. */
    scan_concurrency: number;
    /** Interval of a running job's heartbeat, and the time without one after which the job counts as lost. */
    job_heartbeat_ms: number;
    job_silence_ms: number;
    reconcile_ms: number;
  };
}

export function createInventory(foundation: Foundation, deps: InventoryDeps) {
  const { platform, stateBackend, assertAllowed, readState, accounts, cross_org, settings } = deps;
  const { columns, sealer } = foundation;
  const stateSources = createStateSources({
    ...foundation,
    ...platform,
    ...cross_org.stateSources,
    sealer: columns,
    blob_sealer: sealer,
    backend: stateBackend,
    assertAllowed,
    readState,
    accounts,
    enqueueItems: (trx, org_id, ids) => enqueueAll(trx, 'state-refresh', org_id, ids),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  const inventory = createResourceInventory({ ...foundation, ...platform, ...cross_org.resources, sealer: columns });
  const cloudScans = createCloudScans({
    ...foundation,
    ...platform,
    ...cross_org.cloudScans,
    scans: deps.scans,
    scanAccess: deps.cloudAccounts.scanAccess,
    inventory,
    enqueue: (trx, run) => enqueue(trx, 'scan', run),
    enqueueAll: (trx, org_id, ids) => enqueueAll(trx, 'scan', org_id, ids),
    heartbeat_ms: settings.job_heartbeat_ms,
    silence_ms: settings.job_silence_ms,
  });
  const { glob_refresh_concurrency, scan_concurrency: concurrency, reconcile_ms } = settings;
  return {
    parts: [
      stateSourceParts(stateSources, glob_refresh_concurrency),
      resourceParts(inventory),
      cloudScanParts(cloudScans, { concurrency, reconcile_ms }),
    ],
  };
}

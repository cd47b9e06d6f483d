/** Scans of cloud accounts, which fill the inventory, and its drift. */
import type { Db } from '../db/index.ts';
import type { CloudAccounts } from '../domains/cloud-accounts/index.ts';
import { cloudScanParts, createCloudScans } from '../domains/cloud-scans/index.ts';
import { type ComputeDrift, createDrift, driftParts } from '../domains/drift/index.ts';
import type { RecordEvent } from '../domains/notifications/index.ts';
import { enqueue, enqueueAll } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { InventoryGroup } from './inventory.ts';
import type { Plans } from './plans.ts';
import type { Platform } from './platform.ts';

/** Computations after scans at once in one process; their threads limit them too. */
const DRIFT_CONCURRENCY = 2;

export interface ScanningDeps {
  platform: Platform;
  cloudAccounts: Pick<CloudAccounts, 'scanAccess' | 'get'>;
  inventory: Pick<InventoryGroup, 'inventory' | 'comparisons' | 'stateSources' | 'planDrift'>;
  plans: Pick<Plans, 'scans' | 'jobs' | 'modelCalls' | 'models' | 'ruleBooks' | 'traces'>;
  /** Is called for every scan that has ended, in the transaction that ends it. */
  onScanEnded: (trx: Db, scan: { org_id: string; id: string }) => Promise<void>;
  /** Databases across organizations, for each domain that has one. */
  cross_org: { cloudScans: { platform_db: Db }; drift: { platform_db: Db; sweep_db: Db } };
  /** Compares an account with its states on a thread. */
  computeDrift: ComputeDrift;
  /** Records what people and servers are notified of, in the transaction in which it happens. */
  record: RecordEvent;
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
  const { platform, cloudAccounts, inventory, plans, onScanEnded, cross_org, computeDrift, record, settings } = deps;
  const drift = createDrift({
    ...foundation,
    ...platform,
    ...cross_org.drift,
    scans: plans.scans.drift,
    jobs: plans.jobs,
    modelCalls: plans.modelCalls,
    models: plans.models,
    ruleBooks: plans.ruleBooks,
    traces: plans.traces,
    accounts: cloudAccounts,
    states: inventory.stateSources.accountStates,
    inventory: inventory.comparisons,
    computeDrift,
    enqueue: (trx, request) => enqueue(trx, 'drift', request),
    onSnapshot: (trx, { org_id, id }) => record(trx, org_id, { source: 'drift_snapshot', source_id: id }),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  plans.jobs.register('drift-narrative', drift.narratives.handler);
  plans.jobs.register('iac-gen', drift.iacGeneration.handler);
  const cloudScans = createCloudScans({
    ...foundation,
    ...platform,
    ...cross_org.cloudScans,
    scans: plans.scans,
    scanAccess: cloudAccounts.scanAccess,
    inventory: inventory.inventory,
    enqueue: (trx, run) => enqueue(trx, 'scan', run),
    enqueueAll: (trx, org_id, ids) => enqueueAll(trx, 'scan', org_id, ids),
    async onEnded(trx, { org_id, id, cloud_account_id, outcome }) {
      if (outcome === 'done') await drift.requests.add(trx, { org_id, id, cloud_account_id });
      if (outcome === 'failed') await record(trx, org_id, { source: 'scan', source_id: id });
      await onScanEnded(trx, { org_id, id });
    },
    heartbeat_ms: settings.job_heartbeat_ms,
    silence_ms: settings.job_silence_ms,
  });
  const { scan_concurrency: concurrency, reconcile_ms } = settings;
  const { now } = foundation;
  const { assertExists: assertScan } = plans.scans;
  return {
    cloudScans,
    findSnapshot: drift.snapshots.findWithItems,
    ignoreRules: drift.ignoreRules,
    parts: [
      cloudScanParts(cloudScans, { concurrency, reconcile_ms }),
      driftParts(drift, { now, assertScan, planDrift: inventory.planDrift, concurrency: DRIFT_CONCURRENCY }),
    ],
  };
}

export type Scanning = ReturnType<typeof createScanning>;

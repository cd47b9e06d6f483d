/** What organizations declare, the states of Terraform and OpenTofu, and what exists in their clouds. */
import type { StateBackend } from '../adapters/state-backend/types.ts';
import type { Db } from '../db/index.ts';
import type { CloudAccounts } from '../domains/cloud-accounts/index.ts';
import { createDriftReader, createPlanDrift } from '../domains/drift/index.ts';
import {
  createComparisons,
  createInventory as createResourceInventory,
  createResources,
  resourceParts,
} from '../domains/resources/index.ts';
import {
  type AssertAllowed,
  createStateSources,
  type ReadStateBytes,
  type StateAccounts,
  stateSourceParts,
} from '../domains/state-sources/index.ts';
import { enqueueAll } from '../queue/index.ts';
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
  /** The accounts with whose credentials states are fetched. */
  accounts: StateAccounts;
  cloudAccounts: CloudAccounts;
  /** Databases across organizations, for each domain that has one. */
  cross_org: { stateSources: { platform_db: Db; sweep_db: Db }; resources: { sweep_db: Db } };
  settings: {
    /** Concurrent fetches of states in one worker process. */
    glob_refresh_concurrency: number;
  };
}

export function createInventory(foundation: Foundation, deps: InventoryDeps) {
  const { platform, stateBackend, assertAllowed, readState, accounts, cloudAccounts, cross_org, settings } = deps;
  const { columns, sealer, pool } = foundation;
  const planDrift = createPlanDrift(foundation);
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
    wait,
  });
  const inventory = createResourceInventory({ ...foundation, ...platform, ...cross_org.resources, sealer: columns });
  const resources = createResources({
    ...foundation,
    sealer: columns,
    accounts: cloudAccounts,
    drift: createDriftReader(foundation),
    planDrift,
    findExposures: pool.findExposures,
    wait,
  });
  return {
    inventory,
    comparisons: createComparisons({ ...foundation, sealer: columns }),
    stateSources,
    planLinks: resources.planLinks,
    planDrift,
    getPosture: resources.getPosture,
    parts: [
      stateSourceParts(stateSources, settings.glob_refresh_concurrency),
      resourceParts(resources, { accounts: cloudAccounts, inventory }),
    ],
  };
}

export type InventoryGroup = ReturnType<typeof createInventory>;

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

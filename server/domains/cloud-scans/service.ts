import { createEnding, type EndingDeps } from './end-service.ts';
import { createScanMaintenance, type ScanMaintenanceDeps } from './maintenance-service.ts';
import { createOutliner, type OutlinerDeps } from './outline-service.ts';
import { createReader, type ReaderDeps } from './read-service.ts';
import { createRunner, type RunnerDeps } from './run-service.ts';
import { createStart, type StartDeps } from './start-service.ts';

export interface CloudScansDeps
  extends Omit<StartDeps, 'end'>,
    Omit<RunnerDeps, 'end' | 'loadParts' | 'read' | 'scanAccess'>,
    Omit<ScanMaintenanceDeps, 'end'>,
    EndingDeps {
  inventory: EndingDeps['inventory'] & OutlinerDeps['inventory'] & ReaderDeps['inventory'];
}

/** Scans of cloud accounts: they read resources into the inventory, and can be resumed at any page. */
export function createCloudScans(deps: CloudScansDeps) {
  const end = createEnding(deps);
  const { create, createUnlessActive, createBulk, startScheduled, cancel } = createStart({ ...deps, end });
  return {
    create,
    createUnlessActive,
    createBulk,
    startScheduled,
    cancel,
    run: createRunner({ ...deps, end, loadParts: createOutliner(deps), read: createReader(deps) }),
    maintenance: createScanMaintenance({ ...deps, end }),
  };
}

export type CloudScans = ReturnType<typeof createCloudScans>;

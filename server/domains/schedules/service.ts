import type { ServiceDeps } from '../../contract/service-deps.ts';
import { inBatches } from '../../lib/in-batches.ts';
import { createFireOrg, type FireOrgDeps } from './fire-org-service.ts';
import { createFiring, type FiringDeps } from './fire-service.ts';
import { deleteFirings } from './firings-store.ts';
import { createLifecycle, type LifecycleDeps } from './lifecycle-service.ts';
import { createRecords, type RecordsDeps } from './records-service.ts';
import { createRun, type RunDeps } from './run-service.ts';
import { createScopes, type ScopesDeps } from './scope-service.ts';
import { noteNotified } from './store.ts';

/** A due time cannot be fired again while its row is stored, so rows outlive every jump of a clock. */
const RETENTION_MS = 90 * 86_400_000;

/** Services that these services provide to each other. */
type InternalDeps = 'scopes' | 'lifecycle' | 'fireOrg';
export type SchedulesDeps = Pick<ServiceDeps, 'sweep_db'> &
  LifecycleDeps &
  RecordsDeps &
  ScopesDeps &
  Omit<RunDeps & FireOrgDeps & FiringDeps, InternalDeps>;

/** Scans that start by cron expression. */
export function createSchedules(deps: SchedulesDeps) {
  const { sweep_db, clock } = deps;
  const lifecycle = createLifecycle(deps);
  const scopes = createScopes(deps);
  const fireOrg = createFireOrg({ ...deps, scopes, lifecycle });

  async function deleteOldFirings(): Promise<void> {
    const before = new Date((await clock(sweep_db)).getTime() - RETENTION_MS);
    await inBatches((limit) => deleteFirings(sweep_db, before, limit));
  }

  return {
    ...createRecords(deps),
    run: createRun({ ...deps, scopes }),
    ...createFiring({ ...deps, fireOrg }),
    lifecycle,
    noteNotified,
    deleteOldFirings,
  };
}

export type Schedules = ReturnType<typeof createSchedules>;

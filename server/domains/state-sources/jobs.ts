import type { JobDefinition, Sweep } from '../../queue/index.ts';
import { ATTEMPTS } from './children-service.ts';
import type { StateSources } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** @param concurrency fetches of one process */
export function stateSourceJobs({ children }: StateSources, concurrency: number): JobDefinition[] {
  return [{ queue: 'state-refresh', concurrency, attempts: ATTEMPTS, run: children.runItem }];
}

export function stateSourceSweeps({ children, snapshots }: StateSources): Sweep[] {
  return [
    { name: 'state-sources.refresh-again', every_ms: MINUTE_MS, run: children.requeueOverdue },
    { name: 'state-sources.delete-old-snapshots', every_ms: HOUR_MS, run: snapshots.deleteOld },
    { name: 'state-sources.delete-orphans', every_ms: HOUR_MS, run: snapshots.deleteOrphans },
    { name: 'state-sources.delete-old-refreshes', every_ms: HOUR_MS, run: children.deleteOld },
  ];
}

import type { JobDefinition, Sweep } from '../../queue/index.ts';
import type { Jobs } from './service.ts';

const HOUR_MS = 3_600_000;

export function jobWorkers({ run }: Jobs, concurrency: number): JobDefinition[] {
  return [{ queue: 'analyze', concurrency, attempts: 3, run }];
}

export function jobSweeps({ maintenance }: Jobs, reconcile_ms: number): Sweep[] {
  return [
    { name: 'jobs.reconcile', every_ms: reconcile_ms, run: maintenance.reconcile },
    { name: 'jobs.delete-old', every_ms: HOUR_MS, run: maintenance.deleteOld },
    { name: 'jobs.delete-orphaned-payloads', every_ms: HOUR_MS, run: maintenance.deleteOrphanedPayloads },
  ];
}

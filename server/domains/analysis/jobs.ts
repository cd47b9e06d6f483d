import type { JobDefinition, Sweep } from '../../queue/index.ts';
import type { AnalysisMaintenance } from './maintenance-service.ts';
import type { JobRunner } from './run-service.ts';

const HOUR_MS = 3_600_000;

export function analysisJobs(runner: JobRunner, concurrency: number): JobDefinition[] {
  return [{ queue: 'analyze', concurrency, attempts: 3, run: runner.run }];
}

export function analysisSweeps(maintenance: AnalysisMaintenance, reconcile_ms: number): Sweep[] {
  return [
    { name: 'analysis.reconcile', every_ms: reconcile_ms, run: maintenance.reconcile },
    { name: 'analysis.delete-old-jobs', every_ms: HOUR_MS, run: maintenance.deleteOldJobs },
    { name: 'analysis.delete-orphaned-plans', every_ms: HOUR_MS, run: maintenance.deleteOrphanedPlans },
  ];
}

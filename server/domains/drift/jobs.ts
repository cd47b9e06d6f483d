import type { JobDefinition, Sweep } from '../../queue/index.ts';
import { ATTEMPTS } from './requests-service.ts';
import type { Drift } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** @param concurrency computations of one process */
export function driftWorkers({ requests }: Drift, concurrency: number): JobDefinition[] {
  return [{ queue: 'drift', concurrency, attempts: ATTEMPTS, run: requests.run }];
}

export function driftSweeps({ snapshots, ignoreRules, requests }: Drift): Sweep[] {
  return [
    { name: 'drift.compute-forgotten', every_ms: MINUTE_MS, run: requests.reconcile },
    { name: 'drift.delete-old', every_ms: HOUR_MS, run: snapshots.deleteOld },
    { name: 'drift.delete-ended-ignore-rules', every_ms: HOUR_MS, run: ignoreRules.deleteEnded },
  ];
}

import type { JobDefinition, Sweep } from '../../queue/index.ts';
import type { CompliancePacks } from './service.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** One at a time in a process: a build reads and compresses without a pause. */
const CONCURRENCY = 1;
/** Attempts of one queue entry, which repeat what the database did not accept. The row has its own attempts. */
const ATTEMPTS = 2;

export function packWorkers({ run }: CompliancePacks): JobDefinition[] {
  return [{ queue: 'pack', concurrency: CONCURRENCY, attempts: ATTEMPTS, run }];
}

export function packSweeps({ maintenance }: CompliancePacks): Sweep[] {
  return [
    { name: 'packs.reconcile', every_ms: MINUTE_MS, run: maintenance.reconcile },
    { name: 'packs.expire', every_ms: HOUR_MS, run: maintenance.expire },
    { name: 'packs.delete-leftovers', every_ms: HOUR_MS, run: maintenance.deleteLeftovers },
  ];
}

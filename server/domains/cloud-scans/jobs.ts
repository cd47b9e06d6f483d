import type { JobDefinition, Sweep } from '../../queue/index.ts';
import type { CloudScans } from './service.ts';

/** Attempts of one queue entry that fail with an error. @see the contract decisions, D107 */
const ATTEMPTS = 2;

/** @param concurrency scans of one process */
export function scanWorkers({ run }: CloudScans, concurrency: number): JobDefinition[] {
  return [{ queue: 'scan', concurrency, attempts: ATTEMPTS, run }];
}

export function scanSweeps({ maintenance }: CloudScans, reconcile_ms: number): Sweep[] {
  return [{ name: 'scans.reconcile', every_ms: reconcile_ms, run: maintenance.reconcile }];
}

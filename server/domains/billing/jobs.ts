import type { JobDefinition, Sweep } from '../../queue/index.ts';
import type { Billing } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CONCURRENCY = 4;
const ATTEMPTS = 5;

export function billingJobs({ apply }: Billing): JobDefinition[] {
  return [{ queue: 'billing', concurrency: CONCURRENCY, attempts: ATTEMPTS, run: apply.run }];
}

export function billingSweeps({ maintenance }: Billing): Sweep[] {
  return [
    { name: 'billing.requeue', every_ms: MINUTE_MS, run: maintenance.requeue },
    { name: 'billing.reconcile', every_ms: 10 * MINUTE_MS, run: maintenance.reconcile },
    { name: 'billing.report-seats', every_ms: 10 * MINUTE_MS, run: maintenance.reportSeats },
    { name: 'billing.cancel-duplicates', every_ms: 10 * MINUTE_MS, run: maintenance.cancelDuplicates },
    { name: 'billing.delete-old', every_ms: HOUR_MS, run: maintenance.deleteOld },
  ];
}

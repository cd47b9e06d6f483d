import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Metrics of this process. The default metrics contain memory, CPU, garbage collection and the event loop's delay
 * (`nodejs_eventloop_lag_p99_seconds`: how long the event loop was blocked).
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, labelNames: ['queue'] as const, buckets, registers: [registry] });
  return {
    registry,
    jobs: counter('dpa_jobs_total', 'Runs of queue jobs. failed: no more attempts; retry: will be tried again.', [
      'queue',
      'outcome',
    ]),
    job_seconds: histogram(
      'dpa_job_duration_seconds',
      'Duration of a run of a queue job.',
      [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 180],
    ),
    job_wait_seconds: histogram(
      'dpa_job_wait_seconds',
      'Time from the commit of a job to the start of its first run.',
      [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300],
    ),
    outbox_published: counter('dpa_outbox_published_total', 'Outbox rows published to the queue.'),
    outbox_failures: counter('dpa_outbox_failures_total', 'Batches that the queue did not accept.'),
    audit_write_failures: counter(
      'audit_write_failures_total',
      'Events whose row is missing from the audit log; each has a log line `audit log write failed`.',
      ['action'],
    ),
    plan_tasks: counter(
      'dpa_plan_tasks_total',
      'Tasks of the plan threads. time, memory: stopped because they exceeded their budget; failed: any other error.',
      ['task', 'outcome'],
    ),
    schedule_runs: counter(
      'dpa_schedule_runs_total',
      'Runs of schedules. waiting: for the limit of scans; skipped: the previous run is active; repeated: after a clock was set back.',
      ['outcome'],
    ),
    billing_findings: counter(
      'dpa_billing_findings_total',
      'What an operator should look at in the payments of organizations; each has a log line with the same IDs.',
      ['finding'],
    ),
    schedule_late_seconds: new Histogram({
      name: 'dpa_schedule_late_seconds',
      help: 'Time from the due time of a schedule to the start of its run.',
      buckets: [0.1, 0.5, 1, 2, 5, 15, 60, 300, 3_600],
      registers: [registry],
    }),
    sweeps: counter('dpa_sweeps_total', 'Runs of recurring maintenance.', ['sweep', 'outcome']),
  };
}

import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Metrics of this process. The default metrics contain memory, CPU, garbage collection and the event loop's delay
 * (`nodejs_eventloop_lag_p99_seconds`: how long the event loop was blocked).
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    jobs: new Counter({
      name: 'dpa_jobs_total',
      help: 'Runs of queue jobs. failed: no more attempts; retry: will be tried again.',
      labelNames: ['queue', 'outcome'] as const,
      registers,
    }),
    job_seconds: new Histogram({
      name: 'dpa_job_duration_seconds',
      help: 'Duration of a run of a queue job.',
      labelNames: ['queue'] as const,
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 180],
      registers,
    }),
    job_wait_seconds: new Histogram({
      name: 'dpa_job_wait_seconds',
      help: 'Time from the commit of a job to the start of its first run.',
      labelNames: ['queue'] as const,
      buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300],
      registers,
    }),
    outbox_published: new Counter({
      name: 'dpa_outbox_published_total',
      help: 'Outbox rows published to the queue.',
      registers,
    }),
    outbox_failures: new Counter({
      name: 'dpa_outbox_failures_total',
      help: 'Batches that the queue did not accept.',
      registers,
    }),
    audit_write_failures: new Counter({
      name: 'audit_write_failures_total',
      help: 'Events whose row is missing from the audit log; each has a log line `audit log write failed`.',
      labelNames: ['action'] as const,
      registers,
    }),
    plan_tasks: new Counter({
      name: 'dpa_plan_tasks_total',
      help: 'Tasks of the plan threads. time, memory: stopped because they exceeded their budget; failed: any other error.',
      labelNames: ['task', 'outcome'] as const,
      registers,
    }),
    sweeps: new Counter({
      name: 'dpa_sweeps_total',
      help: 'Runs of recurring maintenance.',
      labelNames: ['sweep', 'outcome'] as const,
      registers,
    }),
  };
}

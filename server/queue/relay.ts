import type { Db } from '../db/index.ts';
import { keepSession } from '../db/session.ts';
import type { QueueName } from '../lib/queue-names.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { BulkJob, QueueBackend } from './backend.ts';
import { leaseOutbox, markPublished, OUTBOX_CHANNEL, type OutboxRow, returnToOutbox } from './outbox.ts';
import type { JobDefinition, Stoppable } from './types.ts';

const BATCH = 100;
const POLL_MS = 1_000;
const FIRST_RETRY_MS = 5_000;
/** Maximum delay in BullMQ. */
const MAX_PRIORITY = 2_097_151;

export interface RelayDeps {
  db: Db;
  database_url: string;
  backend: QueueBackend;
  /** Maximum number of attempts of the jobs of each queue. */
  jobs: readonly Pick<JobDefinition, 'queue' | 'attempts'>[];
  /** Wait before the second attempt of a job; doubled for each further one. */
  first_retry_ms?: number;
  log: Logger;
  metrics: Metrics;
}

/**
 * Publishes committed outbox rows to the queue: immediately after a NOTIFY, otherwise within a second. Any number of
 * relays can run; a row that two of them publish is one job, because its id is the job's.
 */
export function startRelay(deps: RelayDeps): Stoppable {
  const { db, database_url, backend, jobs, first_retry_ms = FIRST_RETRY_MS, log, metrics } = deps;
  const attempts = new Map(jobs.map((job) => [job.queue, job.attempts]));
  let stopped = false;
  let woken = false;
  let pumping: Promise<void> | undefined;

  const session = keepSession({
    url: database_url,
    name: 'dpa relay',
    log,
    async prepare(client) {
      client.on('notification', wake);
      await client.query(`listen ${OUTBOX_CHANNEL}`);
      wake(); // rows that were committed while the connection was lost
    },
  });
  const timer = setInterval(wake, POLL_MS);

  function wake(): void {
    woken = true;
    if (stopped || pumping !== undefined) return;
    pumping = pump().finally(() => {
      pumping = undefined;
    });
  }

  async function pump(): Promise<void> {
    while (woken && !stopped) {
      woken = false;
      try {
        if ((await publishBatch()) === BATCH) woken = true;
      } catch (error) {
        metrics.outbox_failures.inc();
        log.warn({ err: error }, 'outbox not published; trying again');
        return;
      }
    }
  }

  async function publishBatch(): Promise<number> {
    const rows = await leaseOutbox(db, BATCH);
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => row.id);
    try {
      for (const [queue, batch] of byTopic(rows)) await backend.add(queue, batch.map(toJob));
    } catch (error) {
      await returnToOutbox(db, ids).catch(() => {}); // otherwise the lease expires
      throw error;
    }
    await markPublished(db, ids);
    metrics.outbox_published.inc(rows.length);
    return rows.length;
  }

  function toJob({ id, topic, payload: { org_id, id: row_id, place = 0 } }: OutboxRow): BulkJob {
    const opts = {
      jobId: id,
      priority: Math.min(place, MAX_PRIORITY),
      attempts: attempts.get(topic) ?? 1,
      backoff: { type: 'exponential', delay: first_retry_ms, jitter: 0.2 },
    };
    return { name: topic, data: { org_id, id: row_id }, opts };
  }

  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await session.close();
      await pumping;
    },
  };
}

function byTopic(rows: OutboxRow[]): Map<QueueName, OutboxRow[]> {
  const groups = new Map<QueueName, OutboxRow[]>();
  for (const row of rows) {
    const group = groups.get(row.topic);
    if (group === undefined) groups.set(row.topic, [row]);
    else group.push(row);
  }
  return groups;
}

import {
  createPostgresBackend,
  type Job,
  type JobsOptions,
  type PgPool,
  type Processor,
  Queue,
  Worker,
  withBackend,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { APP_ROLE } from '../db/roles.ts';
import { QUEUE_NAMES, type QueueName } from '../lib/queue-names.ts';
import type { Logger } from '../log.ts';
import type { JobPayload } from './types.ts';

export interface BulkJob {
  name: QueueName;
  data: JobPayload;
  opts: JobsOptions;
}

export interface WorkerSettings {
  concurrency: number;
  /** A worker without a heartbeat for this long has lost its job. */
  lock_ms: number;
}

/** The parts of BullMQ's classes that are used, for every backend. */
export interface JobWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: Job<JobPayload> | undefined, error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  /** Resolves when the worker was closed. */
  run(): Promise<void>;
  cancelAllJobs(reason?: string): void;
  close(force?: boolean): Promise<void>;
}

interface JobQueue {
  on(event: 'error', listener: (error: Error) => void): unknown;
  add(name: string, data: JobPayload, opts: JobsOptions): Promise<unknown>;
  addBulk(jobs: BulkJob[]): Promise<unknown>;
  close(): Promise<void>;
}

/** The job queue: BullMQ on PostgreSQL or on Redis. */
export interface QueueBackend {
  kind: 'postgres' | 'redis';
  /** @throws if the jobs were not accepted; it does not wait for an unavailable backend */
  add(queue: QueueName, jobs: BulkJob[]): Promise<void>;
  /** A worker that is not running yet. */
  work(queue: QueueName, processor: Processor<JobPayload, void>, settings: WorkerSettings): JobWorker;
  /** @throws if the backend does not respond */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface QueueBackendOptions {
  database_url: string;
  redis_url?: string | undefined;
  log: Logger;
}

const COMMAND_TIMEOUT_MS = 5_000;
/** Jobs of lost workers are delivered again without a limit, because the row counts attempts, not the queue. */
const MAX_STALLED = 1_000_000;
/** Delay of a worker after an error of its backend. */
export const RETRY_MS = 1_000;
const POOL_SIZE = 10;

export function openQueueBackend(options: QueueBackendOptions): QueueBackend {
  return options.redis_url === undefined ? onPostgres(options) : onRedis(options.redis_url, options.log);
}

/**
 * A connection whose loss never ends the process. BullMQ sometimes holds a connection without an `error` listener, and
 * a disconnect at that time would be an unhandled error.
 */
class ResilientClient extends pg.Client {
  override emit(event: string | symbol, ...details: unknown[]): boolean {
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    return super.emit(event, ...details);
  }
}

function onPostgres({ database_url, log }: QueueBackendOptions): QueueBackend {
  const OnPostgres = withBackend(createPostgresBackend);
  const connect = (max: number) => {
    const opened = new pg.Pool({
      connectionString: database_url,
      options: `-c role=${APP_ROLE} -c search_path=bullmq,public`,
      application_name: 'dpa queue',
      keepAlive: true,
      connectionTimeoutMillis: COMMAND_TIMEOUT_MS,
      Client: ResilientClient,
      max,
    });
    opened.setMaxListeners(0); // every queue and worker adds its own
    opened.on('connect', (client) => clients.add(client as ResilientClient));
    opened.on('remove', (client) => clients.delete(client as ResilientClient));
    opened.on('error', (error) => log.warn({ err: error }, 'queue connection lost'));
    return opened;
  };
  const clients = new Set<ResilientClient>();
  const producers = connect(POOL_SIZE);
  const workers = connect(POOL_SIZE + QUEUE_NAMES.length); // every worker holds one connection for LISTEN
  const queues = keepQueues((name) => new OnPostgres.Queue<JobPayload>(name, { connection: asPgPool(producers) }), log);
  return {
    kind: 'postgres',
    add: queues.add,
    work(name, processor, settings) {
      const options = workerOptions(settings);
      return new OnPostgres.Worker<JobPayload, void>(name, processor, { ...options, connection: asPgPool(workers) });
    },
    async ping() {
      await producers.query('select 1');
    },
    async close() {
      await queues.close();
      // pool.end() waits for every borrowed connection, and a worker closed while it starts never returns its own.
      for (const pool of [producers, workers]) pool.end().catch(() => {});
      await Promise.all([...clients].map((client) => client.end()));
    },
  };
}

/** The same at run time; the two packages declare the type of a query differently. */
function asPgPool(pool: pg.Pool): PgPool {
  return pool as unknown as PgPool;
}

function onRedis(url: string, log: Logger): QueueBackend {
  // A producer fails quickly if Redis is not reachable: the row stays in the outbox.
  const producer = new Redis(url, {
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectionName: 'dpa producer',
  });
  const consumer = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: true, connectionName: 'dpa worker' });
  for (const client of [producer, consumer])
    client.on('error', (error) => log.warn({ err: error }, 'Redis is not available'));
  const queues = keepQueues(
    (name) => new Queue<JobPayload>(name, { connection: producer, skipWaitingForReady: true }),
    log,
  );
  return {
    kind: 'redis',
    add: queues.add,
    work(name, processor, settings) {
      return new Worker<JobPayload, void>(name, processor, { ...workerOptions(settings), connection: consumer });
    },
    async ping() {
      await producer.ping();
    },
    async close() {
      await queues.close();
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

function workerOptions({ concurrency, lock_ms }: WorkerSettings) {
  return {
    autorun: false,
    concurrency,
    lockDuration: lock_ms,
    stalledInterval: Math.ceil(lock_ms / 2),
    maxStalledCount: MAX_STALLED,
    runRetryDelay: RETRY_MS,
    removeOnComplete: { age: 3_600, count: 1_000 },
    removeOnFail: { age: 7 * 86_400, count: 1_000 },
  };
}

function keepQueues(open: (name: QueueName) => JobQueue, log: Logger) {
  const queues = new Map<QueueName, JobQueue>();

  function find(name: QueueName): JobQueue {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue = open(name);
    queue.on('error', (error) => log.warn({ err: error, queue: name }, 'the queue is not available'));
    queues.set(name, queue);
    return queue;
  }

  return {
    async add(name: QueueName, jobs: BulkJob[]) {
      const [only, ...more] = jobs;
      if (only === undefined) return;
      try {
        if (more.length > 0) await find(name).addBulk(jobs);
        else await find(name).add(only.name, only.data, only.opts); // a batch costs PostgreSQL a temporary table
      } catch (error) {
        forget(name); // a queue that failed to connect stays failed
        throw error;
      }
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };

  function forget(name: QueueName): void {
    queues
      .get(name)
      ?.close()
      .catch(() => {});
    queues.delete(name);
  }
}

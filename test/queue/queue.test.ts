import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Conflict } from '../../server/lib/errors.ts';
import { newId } from '../../server/lib/ids.ts';
import { createMetrics } from '../../server/metrics.ts';
import {
  enqueue,
  type JobDefinition,
  type JobPayload,
  openQueueBackend,
  outboxSweeps,
  type QueueBackend,
  type Stoppable,
  startRelay,
  startSweeps,
  startWorkers,
} from '../../server/queue/index.ts';
import { leaseOutbox } from '../../server/queue/outbox.ts';
import { hasRedis, startRedis, type TestRedis } from '../fakes/redis.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';

const log = pino({ level: 'silent' });
const redisHere = hasRedis();
if (!redisHere) console.log('no redis-server on this machine: the queue on Redis was skipped');
const backends = redisHere ? (['postgres', 'redis'] as const) : (['postgres'] as const);

describe.each(backends)('the queue on %s', (kind) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let backend: QueueBackend;
  let started: Stoppable[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    redis = kind === 'redis' ? await startRedis() : undefined;
  });
  afterAll(async () => {
    await database.close();
    await redis?.close();
  });
  afterEach(async () => {
    await Promise.all(started.map((part) => part.stop()));
    await backend.close();
    started = [];
  });

  function begin(
    run: JobDefinition['run'],
    options: { attempts?: number; concurrency?: number; grace_ms?: number } = {},
  ) {
    const { attempts = 3, concurrency = 1, grace_ms = 5_000 } = options;
    const jobs: JobDefinition[] = [{ queue: 'analyze', concurrency, attempts, run }];
    const metrics = createMetrics();
    const common = { log, metrics, backend: openBackend(), jobs };
    const workers = startWorkers({ ...common, grace_ms, lock_ms: 5_000 });
    started.push(workers, relay(jobs));
    return { workers, metrics };
  }

  function relay(jobs: JobDefinition[]): Stoppable {
    return startRelay({
      db: database.platform_db,
      database_url: database.url,
      backend,
      jobs,
      first_retry_ms: 10,
      log,
      metrics: createMetrics(),
    });
  }

  function openBackend(): QueueBackend {
    backend = openQueueBackend({ database_url: database.url, redis_url: redis?.url, log });
    return backend;
  }

  const submit = (payload: JobPayload) => database.platform_db.transaction((trx) => enqueue(trx, 'analyze', payload));

  test('a committed job runs with its payload; a rolled-back one never does', async () => {
    const seen = collect<JobPayload>();
    begin(async (payload) => seen.add(payload));
    const [kept, dropped] = [somePayload(), somePayload()];

    const lost = database.platform_db.transaction(async (trx) => {
      await enqueue(trx, 'analyze', dropped);
      throw new Error('changed my mind');
    });
    await expect(lost).rejects.toThrow('changed my mind');
    await submit(kept);

    expect(await seen.first(1)).toEqual([kept]);
    const rows = await database.platform_db('outbox').whereRaw("payload->>'id' = ?", [dropped.id]);
    expect(rows).toEqual([]);
  });

  test('a delayed job waits without blocking later ones', async () => {
    const seen = collect<string>();
    begin(async (payload) => seen.add(payload.id));
    const [later, sooner] = [somePayload(), somePayload()];
    const at = new Date(Date.now() + 300);

    await database.platform_db.transaction((trx) => enqueue(trx, 'analyze', later, { at }));
    await submit(sooner);

    expect(await seen.first(2)).toEqual([sooner.id, later.id]);
    expect(Date.now()).toBeGreaterThanOrEqual(at.getTime());
  });

  test('the first job of an organization runs before later jobs of others', async () => {
    const seen = collect<string>();
    begin(async (payload) => seen.add(payload.id));
    const [first, second, third, other] = [somePayload(), somePayload(), somePayload(), somePayload()];

    await database.platform_db.transaction(async (trx) => {
      await enqueue(trx, 'analyze', first);
      await enqueue(trx, 'analyze', third, { place: 2 });
      await enqueue(trx, 'analyze', second, { place: 1 });
      await enqueue(trx, 'analyze', other);
    });

    expect(await seen.first(4)).toEqual([first.id, other.id, second.id, third.id]);
  });

  test('jobs start once each in the order of their commits, over several batches', async () => {
    const seen = collect<string>();
    begin(async (payload) => seen.add(payload.id));
    const payloads = Array.from({ length: 130 }, somePayload);

    await database.platform_db.transaction(async (trx) => {
      for (const payload of payloads) await enqueue(trx, 'analyze', payload);
    });

    expect(await seen.first(130)).toEqual(payloads.map((payload) => payload.id));
  });

  test('a row that a killed relay may have published becomes one job', async () => {
    const payload = somePayload();
    await submit(payload);
    openBackend();
    const [row] = await leaseOutbox(database.platform_db, 100);
    await backend.add('analyze', [{ name: 'analyze', data: payload, opts: { jobId: row!.id } }]);
    await database
      .platform_db('outbox')
      .where({ id: row!.id })
      .update({ available_at: new Date(0) }); // the lease has run out
    await backend.close();

    const seen = collect<string>();
    begin(async (job) => seen.add(job.id));
    const next = somePayload();
    await published(database, row!.id);
    await submit(next);

    expect(await seen.first(2)).toEqual([payload.id, next.id]);
  });

  test('a temporary error is retried, up to the attempts of the job', async () => {
    const seen = collect<string>();
    const { metrics } = begin(async (job) => {
      seen.add(job.id);
      throw new Error('the database went away');
    });
    const payload = somePayload();

    await submit(payload);
    await seen.first(3);
    await until(async () => (await outcomes(metrics)).failed === 1);

    expect(await outcomes(metrics)).toEqual({ retry: 2, failed: 1 });
  });

  test('a service error below 500 ends the job at the first attempt', async () => {
    const { metrics } = begin(async () => {
      throw new Conflict('already there', 'slug_taken');
    });

    await submit(somePayload());
    await until(async () => (await outcomes(metrics)).failed === 1);

    expect(await outcomes(metrics)).toEqual({ failed: 1 });
  });

  test('stopping waits for the running job', async () => {
    const begun = collect<string>();
    const release = createDeferred();
    let ended = false;
    const { workers } = begin(async (job) => {
      begun.add(job.id);
      await release.promise;
      ended = true;
    });
    await submit(somePayload());
    await begun.first(1);

    const stopped = workers.stop();
    release.resolve();
    await stopped;

    expect(ended).toBe(true);
  });

  test('a job that exceeds the grace period is aborted', async () => {
    const begun = collect<string>();
    const aborted = collect<boolean>();
    const { workers } = begin(
      (job, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.add(true);
            reject(new Error('aborted'));
          });
          begun.add(job.id);
        }),
      { grace_ms: 20, attempts: 1 },
    );
    await submit(somePayload());
    await begun.first(1);

    await workers.stop();

    expect(await aborted.first(1)).toEqual([true]);
  });

  if (kind === 'postgres') {
    test('workers that start before the queue is available begin when it is', async () => {
      const seen = collect<string>();
      const payload = somePayload();
      await database.admin('alter table bullmq.migration rename to hidden');
      begin(async (job) => seen.add(job.id));
      await submit(payload);
      await until(async () => (await database.platform_db('outbox').where('attempts', '>', 1)).length > 0);

      await database.admin('alter table bullmq.hidden rename to migration');

      expect(await seen.first(1)).toEqual([payload.id]);
    });
  }

  test('jobs run again after all database connections were cut and Redis crashed', async () => {
    const seen = collect<string>();
    begin(async (job) => seen.add(job.id));
    const [before, after] = [somePayload(), somePayload()];
    await submit(before);
    await seen.first(1);

    await database.cutConnections();
    await redis?.crash();
    await until(() =>
      submit(after).then(
        () => true,
        () => false,
      ),
    );

    // the first may run again: its end may not have been recorded
    await until(() => seen.items.includes(after.id));
    expect(new Set(seen.items)).toEqual(new Set([before.id, after.id]));
  });
});

describe('maintenance tasks', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  test('one of two schedulers runs them, and the other takes over when it stops', async () => {
    const runs = collect<string>();
    const start = (name: string) =>
      startSweeps({
        database_url: database.url,
        sweeps: [{ name: 'test', every_ms: 10, run: async () => runs.add(name) }],
        candidate_ms: 20,
        log,
        metrics: createMetrics(),
      });
    const first = start('first');
    await runs.first(1);
    const second = start('second');
    await runs.first(5);
    expect(new Set(runs.items)).toEqual(new Set(['first']));

    await first.stop();
    await until(() => runs.items.includes('second'));
    await second.stop();
  });

  test('a failing sweep is counted and runs again', async () => {
    const runs = collect<number>();
    const metrics = createMetrics();
    const sweep = {
      name: 'broken',
      every_ms: 5,
      run: async () => {
        runs.add(1);
        throw new Error('no luck');
      },
    };
    const scheduler = startSweeps({ database_url: database.url, sweeps: [sweep], log, metrics });

    await runs.first(2);
    await scheduler.stop();

    const { values } = await metrics.sweeps.get();
    expect(values[0]?.labels).toEqual({ sweep: 'broken', outcome: 'failed' });
  });

  test('the first failure of a sweep is a warning, and the next one in a row is an error', async () => {
    const levels: string[] = [];
    const noting = { ...log, warn: () => void levels.push('warn'), error: () => void levels.push('error') };
    const outcomes = [false, true, false, false];
    const done = collect<number>();
    const sweep = {
      name: 'shaky',
      every_ms: 5,
      run: async () => {
        done.add(1);
        if (outcomes.shift() === false) throw new Error('no luck');
      },
    };
    const scheduler = startSweeps({
      database_url: database.url,
      sweeps: [sweep],
      log: noting as unknown as typeof log,
      metrics: createMetrics(),
    });

    await done.first(5);
    await scheduler.stop();

    expect(levels).toEqual(['warn', 'warn', 'error']);
  });

  test('published rows are deleted after seven days, and others are kept', async () => {
    const day = 86_400_000;
    const ago = (days: number) => new Date(Date.now() - days * day);
    const row = (published_at: Date | null) => ({ id: newId(), topic: 'analyze', payload: {}, published_at });
    const rows = [row(ago(8)), row(ago(6)), row(null)];
    await database.platform_db('outbox').insert(rows);

    for (const sweep of outboxSweeps(database.sweeper_db)) await sweep.run();

    const left = await database
      .platform_db('outbox')
      .whereIn(
        'id',
        rows.map((each) => each.id),
      )
      .pluck('id');
    expect(left.sort()).toEqual([rows[1]!.id, rows[2]!.id].sort());
  });
});

function somePayload(): JobPayload {
  return { org_id: newId(), id: newId() };
}

/** Collects reports of handlers and resolves when there are enough. */
function collect<T>() {
  const items: T[] = [];
  let wake = () => {};
  return {
    items,
    add(item: T) {
      items.push(item);
      wake();
    },
    async first(count: number): Promise<T[]> {
      while (items.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return items.slice(0, count);
    },
  };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function published(database: TestDatabase, id: string): Promise<void> {
  await until(
    async () => (await database.platform_db('outbox').where({ id }).first('published_at')).published_at !== null,
  );
}

async function outcomes(metrics: ReturnType<typeof createMetrics>): Promise<Record<string, number>> {
  const { values } = await metrics.jobs.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

function createDeferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

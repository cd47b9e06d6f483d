import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { openDatabase } from '../../server/db/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';
import { createMetrics } from '../../server/metrics.ts';
import { enqueue, type JobPayload, openQueueBackend, startRelay, startWorkers } from '../../server/queue/index.ts';
import { startRedis } from '../../test/fakes/redis.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';

const ROUNDS = 60;
const WARM_UP = 5;
const GOAL = 3;

/**
 * Q1: time until a committed job starts on an idle queue, compared with BullMQ's own add and start on the same backend.
 */
export async function benchQueue(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-queue-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const redis = await startRedis().catch(() => undefined);
  try {
    const rows = [await measure('PostgreSQL', database.url, undefined)];
    if (redis !== undefined) rows.push(await measure('Redis', database.url, redis.url));
    return rows;
  } finally {
    await redis?.close();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(name: string, database_url: string, redis_url: string | undefined): Promise<BenchRow> {
  const log = createLogger({ log_level: 'error' });
  const metrics = createMetrics();
  const pool = openDatabase({ url: database_url, log });
  const backend = openQueueBackend({ database_url, redis_url, log });
  const starts = new Map<string, (at: number) => void>();
  const run = async ({ id }: JobPayload) => starts.get(id)?.(performance.now());
  const jobs = [{ queue: 'analyze' as const, concurrency: 1, attempts: 1, run }];
  const workers = startWorkers({ backend, jobs, grace_ms: 1_000, log, metrics });
  const relay = startRelay({ db: pool.db, database_url, backend, jobs, log, metrics });

  const bare = (payload: JobPayload) =>
    backend.add('analyze', [{ name: 'analyze', data: payload, opts: { jobId: payload.id } }]);
  const ours = (payload: JobPayload) => pool.db.transaction((trx) => enqueue(trx, 'analyze', payload));
  try {
    const [adds, commits]: [number[], number[]] = [[], []];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const [add, commit] = [await measureBareLatency(starts, bare), await measureCommitLatency(starts, ours)];
      if (round >= 0) adds.push(add);
      if (round >= 0) commits.push(commit);
    }
    return toRow(name, computeMedian(adds), computeMedian(commits));
  } finally {
    await Promise.all([relay.stop(), workers.stop()]);
    await backend.close();
    await pool.close();
  }
}

/** From the call of `add` to the start of the job. */
async function measureBareLatency(
  starts: Map<string, (at: number) => void>,
  add: (payload: JobPayload) => Promise<void>,
) {
  const { payload, started } = expectStart(starts);
  const from = performance.now();
  const adding = add(payload);
  const at = await started;
  await adding;
  return at - from;
}

/** From the end of the transaction to the start of the job, which may even start earlier. */
async function measureCommitLatency(
  starts: Map<string, (at: number) => void>,
  submit: (payload: JobPayload) => Promise<void>,
) {
  const { payload, started } = expectStart(starts);
  await submit(payload);
  const from = performance.now();
  return Math.max(0, (await started) - from);
}

function expectStart(starts: Map<string, (at: number) => void>) {
  const payload = { org_id: newId(), id: newId() };
  const started = new Promise<number>((resolve) => starts.set(payload.id, resolve));
  return { payload, started };
}

function toRow(backend: string, add_ms: number, commit_ms: number): BenchRow {
  const ratio = commit_ms / add_ms;
  return toRatioRow({
    id: 'Q1',
    what: `commit → start of the job on ${backend}, p50`,
    ratio,
    limit: GOAL,
    comparison: 'bare BullMQ add → start',
    note: `${commit_ms.toFixed(1)} ms against ${add_ms.toFixed(1)} ms`,
  });
}

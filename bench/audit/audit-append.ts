import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { openDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { type Audit, createAudit } from '../../server/domains/audit/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';
import { createMetrics } from '../../server/metrics.ts';
import type { BenchRow } from '../lib/row.ts';
import { computeMedian, computeQuantile } from '../lib/statistics.ts';
import { measureMs } from '../lib/time.ts';
import type { WritersResult, WritersTask } from './audit-writers.ts';

const WRITERS = 64;
const EVENTS = 500;
const PROCESSES = 3;
const ROUNDS = 3;
const SINGLES = 300;

interface Run {
  rate: number;
  p50_ms: number;
  p99_ms: number;
}

/**
 * A1, A2: 64 writers in three processes, on one chain and on 64 chains, compared with the same writers that INSERT
 * single rows. A3: an audit row inside the caller's transaction, compared with a plain INSERT. All writes are durable.
 */
export async function benchAuditAppend(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-audit-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  const tenants = openOrgDatabase({ url: database.url, max: 1, log });
  const platform = openDatabase({ url: database.url, max: 2, log });
  const audit = createAudit({
    db: tenants.db,
    platform_db: platform.db,
    audit_db: platform.db,
    sweep_db: platform.db,
    blobs: { put: async () => {} },
    log,
    metrics: createMetrics(),
    now: () => new Date(),
    isKept: () => true,
  });
  try {
    await makePlainTable(owner);
    const orgs = await makeOrgs(owner, WRITERS);
    const { plain, hot, spread } = await race(database.url, orgs);
    await assertIntact(audit, orgs);
    const within = await measureWithin(tenants.db, audit, orgs);
    return [
      toAppendRow('A1', 'one chain', hot, plain, 1),
      toAppendRow('A2', '64 chains', spread, plain, 0.7),
      toWithinRow(within),
    ];
  } finally {
    await Promise.all([tenants.close(), platform.close(), owner.end()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function makePlainTable(owner: Client): Promise<void> {
  await owner.query(`
    create table audit_plain (like audit_log including all);
    create sequence audit_plain_seq;
    alter table audit_plain alter seq set default nextval('audit_plain_seq');
    grant insert on audit_plain to app_platform, app_rw;
    grant usage on audit_plain_seq to app_platform, app_rw`);
}

async function makeOrgs(owner: Client, count: number): Promise<string[]> {
  const { rows } = await owner.query(
    `insert into orgs (id, slug, display_name, noise_key_ct)
     select gen_random_uuid(), 'org-' || n, 'Org', '\\x00' from generate_series(1, $1::int) n returning id`,
    [count],
  );
  return rows.map((row) => row.id);
}

async function race(url: string, orgs: string[]) {
  const processes = await Promise.all(Array.from({ length: PROCESSES }, startProcess));
  const runs: Record<'plain' | 'hot' | 'spread', Run[]> = { plain: [], hot: [], spread: [] };
  const hot = orgs.map(() => orgs[0] as string);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      runs.plain.push(await runWriters(processes, { url, mode: 'plain', orgs, events: EVENTS }));
      runs.hot.push(await runWriters(processes, { url, mode: 'chain', orgs: hot, events: EVENTS }));
      runs.spread.push(await runWriters(processes, { url, mode: 'chain', orgs, events: EVENTS }));
    }
  } finally {
    for (const one of processes) one.kill();
  }
  return { plain: pickFastest(runs.plain), hot: pickFastest(runs.hot), spread: pickFastest(runs.spread) };
}

async function startProcess(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(import.meta.resolve('./audit-writers.js'))));
  await once(child, 'message');
  return child;
}

async function runWriters(processes: ChildProcess[], task: WritersTask): Promise<Run> {
  const begun = performance.now();
  const results = await Promise.all(
    processes.map(async (child, at): Promise<WritersResult> => {
      child.send({ ...task, orgs: task.orgs.filter((_, writer) => writer % PROCESSES === at) });
      return (await once(child, 'message'))[0];
    }),
  );
  const seconds = (performance.now() - begun) / 1_000;
  const lost = results.reduce((sum, result) => sum + result.lost, 0);
  if (lost > 0) throw new Error(`${lost} events were lost`);
  const latencies = results.flatMap((result) => result.latencies_ms);
  return {
    rate: latencies.length / seconds,
    p50_ms: computeQuantile(latencies, 0.5),
    p99_ms: computeQuantile(latencies, 0.99),
  };
}

function pickFastest(runs: Run[]): Run {
  return runs.reduce((a, b) => (b.rate > a.rate ? b : a));
}

async function assertIntact(audit: Audit, orgs: string[]): Promise<void> {
  for (const [at, org_id] of orgs.entries()) {
    const expected = ROUNDS * EVENTS * (at === 0 ? WRITERS + 1 : 1);
    const { status, checked } = await audit.verifyAny(org_id);
    if (status !== 'ok' || checked !== expected) throw new Error(`chain ${at}: ${status}, ${checked} of ${expected}`);
  }
}

/** One writer that alternates between a plain table, a long chain and short chains. */
async function measureWithin(db: ReturnType<typeof openOrgDatabase>['db'], audit: Audit, orgs: string[]) {
  const [long = '', short = ''] = orgs;
  const times: Record<'insert' | 'long' | 'short', number[]> = { insert: [], long: [], short: [] };
  const detail = { key_id: newId(), key_prefix: 'dpa_abcd' };
  const record = (org_id: string) => () =>
    db.inOrg(org_id, (trx) =>
      audit.recordIn(trx, { action: 'api_key.revoked', org_id, actor_email: 'ana@example.com', detail }),
    );
  const insert = () =>
    db.inOrg(short, (trx) =>
      trx.raw(
        `insert into audit_plain (id, org_id, actor_email, action, detail, created_at, prev_hash, hash)
         values (?, ?, 'ana@example.com', 'api_key.revoked', ?, ?, ?, ?)`,
        [newId(), short, JSON.stringify(detail), new Date(), '0'.repeat(64), '0'.repeat(64)],
      ),
    );
  for (let n = 0; n < SINGLES; n++) {
    times.insert.push(await measureMs(insert));
    times.long.push(await measureMs(record(long)));
    times.short.push(await measureMs(record(short)));
  }
  return {
    insert_ms: computeMedian(times.insert),
    long_ms: computeMedian(times.long),
    short_ms: computeMedian(times.short),
  };
}

function toAppendRow(id: string, what: string, run: Run, plain: Run, goal: number): BenchRow {
  const ratio = run.rate / plain.rate;
  return {
    id,
    what: `audit log, 64 writers in 3 processes on ${what}, rate`,
    limit: 1,
    measured: ratio,
    unit: 'ratio',
    goal: `≥ ${goal.toFixed(1)} × plain INSERTs of single rows, p99 ≤ 5 × p50`,
    passed: ratio >= goal && run.p99_ms <= 5 * run.p50_ms,
    note: `${describe(run)} against ${describe(plain)}`,
  };
}

function describe({ rate, p50_ms, p99_ms }: Run): string {
  return `${rate.toFixed(0)}/s, p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms`;
}

function toWithinRow({
  insert_ms,
  long_ms,
  short_ms,
}: {
  insert_ms: number;
  long_ms: number;
  short_ms: number;
}): BenchRow {
  const ratio = insert_ms / long_ms;
  return {
    id: 'A3',
    what: "audit row within the caller's transaction, rate of one writer",
    limit: 1,
    measured: ratio,
    unit: 'ratio',
    goal: '≥ 0.5 × a single INSERT there',
    passed: ratio >= 0.5,
    note: `${long_ms.toFixed(2)} ms on a chain of ${ROUNDS * WRITERS * EVENTS}, ${short_ms.toFixed(2)} ms on a short one, INSERT ${insert_ms.toFixed(2)} ms`,
  };
}

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';

const ROWS = Number(process.env['PACK_ROWS'] ?? 1_000_000);
const MOST_OF_LOOP = 1.3;
const MOST_GROWTH_MB = ROWS > 1_000_000 ? 200 : 64;
/** Audit rows that one statement appends. */
const BATCH = 10_000;
const PROGRESS_MS = 10_000;

/** What a process of `pack-worker.ts` reports. */
export interface PackFigures {
  /** CPU time of the process. */
  pack_ms: number;
  loop_ms: number;
  /** Peak of the resident memory during the build, less that before it. */
  growth_mb: number;
  /** The same for the organization whose audit log is long. */
  audited_growth_mb: number;
  artifact_mb: number;
}

/** Z1: Compliance Packs of many scans and of a long audit log, beside reading and compressing the same rows without a pack around them. */
export async function benchPacks(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-packs-'));
  const database = await openEmbeddedDatabase({ data_dir: folder, log: createLogger({ log_level: 'error' }) });
  try {
    const ids = await insertOrgs(database.owner_url);
    return toRows(await measure([database.url, folder, ...ids]));
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Organizations with a few scans, with many, and with a long audit log, all of that in 2026. */
async function insertOrgs(owner_url: string): Promise<string[]> {
  const owner = new Client({ connectionString: owner_url });
  await owner.connect();
  try {
    for (const table of ['orgs', 'scan_runs']) await owner.query(`alter table ${table} no force row level security`);
    const ids: string[] = [];
    for (const count of [1_000, ROWS, 1_000]) ids.push(await insertOrg(owner, count));
    await appendAudit(owner, ids[2] ?? '');
    await owner.query('vacuum analyze scan_runs, audit_log');
    return ids;
  } finally {
    await owner.end();
  }
}

/** Appends rows as the service does, so that the chain is valid. Every tenth is a decision, which the pack lists. */
async function appendAudit(owner: Client, org_id: string): Promise<void> {
  await owner.query(`select set_config('app.org_id', $1, false)`, [org_id]);
  let reported_at = Date.now();
  for (let first = 1; first <= ROWS; first += BATCH) {
    await owner.query(
      `with rows as (select n, timestamptz '2026-01-01 00:00Z' + n * interval '1 second' as at from generate_series($2::int, $3::int) n)
       select count(*) from audit_append(array(select gen_random_uuid() from rows), array(select $1::uuid from rows),
         array(select 'ana@example.com' from rows),
         array(select case n % 10 when 0 then 'custom_rule.updated' else 'membership.created' end from rows order by n),
         array(select '{"rule_id":"' || md5(n::text) || '"}' from rows order by n), array(select at from rows order by n))`,
      [org_id, first, Math.min(first + BATCH - 1, ROWS)],
    );
    if (Date.now() - reported_at < PROGRESS_MS) continue;
    reported_at = Date.now();
    console.error(`appended ${first + BATCH - 1} of ${ROWS} audit rows`);
  }
}

async function insertOrg(owner: Client, count: number): Promise<string> {
  const id = newId();
  await owner.query(
    `insert into orgs (id, slug, display_name, plan, noise_key_ct) values ($1::uuid, $1::text, 'Org', 'enterprise', '\\x00')`,
    [id],
  );
  await owner.query(
    `insert into scan_runs (id, org_id, kind, scan_type, commit_sha, pr_number, status, created_at, finished_at)
     select gen_random_uuid(), $1, 'analysis', 'webhook', md5(n::text), n, 'error',
       timestamptz '2026-01-01 00:00Z' + n * interval '1 second', timestamptz '2026-01-01 00:00Z' + n * interval '1 second'
     from generate_series(1, $2) n`,
    [id, count],
  );
  return id;
}

function measure(args: string[]): Promise<PackFigures> {
  const script = fileURLToPath(new URL('./pack-worker.js', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as PackFigures));
    child.once('exit', (code) => reject(new Error(`the build ended with ${code}`)));
  });
}

function toRows({ pack_ms, loop_ms, growth_mb, audited_growth_mb, artifact_mb }: PackFigures): BenchRow[] {
  const what = `Compliance Pack of ${ROWS} rows`;
  return [
    toRatioRow({
      ...{ id: 'Z1', what, ratio: pack_ms / loop_ms, limit: MOST_OF_LOOP },
      comparison: 'a loop that reads the same rows and compresses them as JSON and CSV',
      note: `${pack_ms.toFixed(0)} ms of CPU, ${artifact_mb.toFixed(1)} MB`,
    }),
    toMemoryRow(`a ${what}`, growth_mb),
    toMemoryRow(`a Compliance Pack that attests an audit log of ${ROWS} rows`, audited_growth_mb),
  ];
}

function toMemoryRow(what: string, measured: number): BenchRow {
  return {
    ...{ id: 'Z1', what: `memory of ${what}`, measured, unit: 'MB', limit: MOST_GROWTH_MB },
    ...{ goal: `≤ ${MOST_GROWTH_MB} MB over a small pack`, passed: measured <= MOST_GROWTH_MB },
  };
}

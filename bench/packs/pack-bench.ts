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
const MOST_GROWTH_MB = 64;

/** What a process of `pack-worker.ts` reports. */
export interface PackFigures {
  /** CPU time of the process. */
  pack_ms: number;
  loop_ms: number;
  /** Peak of the resident memory during the build, less that before it. */
  growth_mb: number;
  artifact_mb: number;
}

/** Z1: a Compliance Pack of many rows, beside reading and compressing the same rows without a pack around them. */
export async function benchPacks(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-packs-'));
  const database = await openEmbeddedDatabase({ data_dir: folder, log: createLogger({ log_level: 'error' }) });
  try {
    const [small, large] = await insertOrgs(database.owner_url, [1_000, ROWS]);
    return toRows(await measure([database.url, folder, small ?? '', large ?? '']));
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** An organization for each number of scans, all of them in January 2026. */
async function insertOrgs(owner_url: string, counts: readonly number[]): Promise<string[]> {
  const owner = new Client({ connectionString: owner_url });
  await owner.connect();
  const ids: string[] = [];
  try {
    for (const table of ['orgs', 'scan_runs']) await owner.query(`alter table ${table} no force row level security`);
    for (const count of counts) ids.push(await insertOrg(owner, count));
    await owner.query('vacuum analyze scan_runs');
  } finally {
    await owner.end();
  }
  return ids;
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

function toRows({ pack_ms, loop_ms, growth_mb, artifact_mb }: PackFigures): BenchRow[] {
  const what = `Compliance Pack of ${ROWS} rows`;
  return [
    toRatioRow({
      ...{ id: 'Z1', what, ratio: pack_ms / loop_ms, limit: MOST_OF_LOOP },
      comparison: 'a loop that reads the same rows and compresses them as JSON and CSV',
      note: `${pack_ms.toFixed(0)} ms of CPU, ${artifact_mb.toFixed(1)} MB`,
    }),
    {
      ...{ id: 'Z1', what: `memory of a ${what}`, measured: growth_mb, unit: 'MB', limit: MOST_GROWTH_MB },
      ...{ goal: `≤ ${MOST_GROWTH_MB} MB over a small pack`, passed: growth_mb <= MOST_GROWTH_MB },
    },
  ];
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { type Db, type OrgDatabase, openDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { findRun, listRuns } from '../../server/domains/scans/store.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';

const ORGS = 50;
const RUNS_PER_ORG = 4_000;
const ROUNDS = 9;
const QUERIES = 400;
const GOAL = 1.15;

type Work = (db: Db, org_id: string) => Promise<unknown>;

/**
 * R1, R2: the cost of row-level security, on compared with off in the same transaction form; and the cost of the
 * transaction.
 */
export async function benchRowSecurity(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-rls-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const tenants = openOrgDatabase({ url: database.url, max: 1, log });
  const platform = openDatabase({ url: database.url, max: 1, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  try {
    const { org_id, run_id } = await fill(owner);
    const parts = { owner, tenants: tenants.db, bare: platform.db, org_id };
    const page: Work = (db, id) => listRuns(db, id, {}, { limit: 50, offset: 0, since: null });
    const point: Work = (db, id) => findRun(db, id, run_id);
    return [
      toRow('R1', 'point lookup with the policies on', await measure(parts, point)),
      toRow('R2', 'page of 50 with its total with the policies on', await measure(parts, page)),
    ];
  } finally {
    await Promise.all([tenants.close(), platform.close(), owner.end()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(owner: Client): Promise<{ org_id: string; run_id: string }> {
  const [org_id, run_id] = [newId(), newId()];
  await owner.query(
    `insert into orgs (id, slug, display_name, noise_key_ct)
     select case when n = 1 then $1::uuid else gen_random_uuid() end, 'org-' || n, 'Org', '\\x00'
     from generate_series(1, ${ORGS}) n`,
    [org_id],
  );
  await owner.query(
    `insert into scan_runs (id, org_id, kind, scan_type, created_at)
     select case when o.id = $1 and n = 1 then $2::uuid else gen_random_uuid() end, o.id, 'analysis', 'manual',
       now() - make_interval(secs => n * 60)
     from orgs o, generate_series(1, ${RUNS_PER_ORG}) n`,
    [org_id, run_id],
  );
  await owner.query(`insert into list_totals select id, 'scan_runs', ${RUNS_PER_ORG} from orgs`);
  await owner.query('vacuum analyze scan_runs');
  return { org_id, run_id };
}

interface Parts {
  owner: Client;
  tenants: OrgDatabase;
  bare: Db;
  org_id: string;
}

interface Times {
  on_ms: number;
  off_ms: number;
  /** Without row-level security and without a transaction. */
  bare_ms: number;
}

/** The minimum of several rounds, which alternate, so that other load affects all three. */
async function measure({ owner, tenants, bare, org_id }: Parts, work: Work): Promise<Times> {
  const never = Number.POSITIVE_INFINITY;
  const best: Times = { on_ms: never, off_ms: never, bare_ms: never };
  const inOrg = () => tenants.inOrg(org_id, (trx) => work(trx, org_id));
  for (let round = 0; round < ROUNDS; round += 1) {
    await setPolicies(owner, 'enable');
    best.on_ms = Math.min(best.on_ms, await measureMsPerQuery(inOrg));
    await setPolicies(owner, 'disable');
    best.off_ms = Math.min(best.off_ms, await measureMsPerQuery(inOrg));
    best.bare_ms = Math.min(best.bare_ms, await measureMsPerQuery(() => work(bare, org_id)));
  }
  return best;
}

async function setPolicies(owner: Client, how: 'enable' | 'disable'): Promise<void> {
  for (const table of ['scan_runs', 'list_totals']) {
    await owner.query(`alter table ${table} ${how} row level security`);
    // All roles of the comparison need the same access; the migration grants app_platform less.
    await owner.query(`grant select on ${table} to app_platform`);
  }
}

async function measureMsPerQuery(run: () => Promise<unknown>): Promise<number> {
  await run();
  const from = performance.now();
  for (let i = 0; i < QUERIES; i += 1) await run();
  return (performance.now() - from) / QUERIES;
}

function toRow(id: string, what: string, { on_ms, off_ms, bare_ms }: Times): BenchRow {
  const ratio = on_ms / off_ms;
  return toRatioRow({
    id,
    what,
    ratio,
    limit: GOAL,
    comparison: 'the same unit of work with the policies off',
    note: `${on_ms.toFixed(2)} ms against ${off_ms.toFixed(2)} ms; without a transaction ${bare_ms.toFixed(2)} ms`,
  });
}

import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { type Knex, openDatabase } from '../../server/db/index.ts';
import { listEntries } from '../../server/domains/audit/store.ts';
import { createVerifier } from '../../server/domains/audit/verify-service.ts';
import { createLogger } from '../../server/log.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { measureMs } from '../lib/time.ts';

/** The goals apply to `AUDIT_ROWS=1000000`; the default takes a fifth of the time. */
const ROWS = Number(process.env['AUDIT_ROWS'] ?? 200_000);
const SMALL_ORGS = 1_000;
const PAGES = 60;
const DEEP_PAGES = 7;
const WALKS = 5;
/** Memory growth is measured from a chain of this length to the long chain. */
const SHORT_CHAIN = 20_000;
const MAX_GROWTH_MB = 30;

/**
 * A4: verification of a long chain, compared with a loop that reads and hashes its rows. L1, L2: the list, compared
 * with a primary-key lookup and with OFFSET.
 */
export async function benchAuditRead(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-audit-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  const { db, close } = openDatabase({ url: database.url, log });
  try {
    const orgs = await fill(owner, db);
    return [await benchVerify(db, database.url, orgs), await benchFirstPage(db), await benchDeepPage(db)];
  } finally {
    await Promise.all([close(), owner.end()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Orgs {
  long: string;
  short: string;
}

/** Creates one long chain, one short chain, and many chains of one row. */
async function fill(owner: Client, db: Knex): Promise<Orgs> {
  const { rows } = await owner.query(
    `insert into orgs (id, slug, display_name, noise_key_ct)
     select gen_random_uuid(), 'org-' || n, 'Org', '\\x00' from generate_series(-1, ${SMALL_ORGS}) n returning id`,
  );
  const [{ id: long }, { id: short }] = rows;
  await db.raw(buildAppendSql(`array(select id from orgs where id not in ('${long}', '${short}'))`, SMALL_ORGS, 0));
  for (const [org_id, count] of [
    [short, SHORT_CHAIN],
    [long, ROWS],
  ]) {
    for (let done = 0; done < count; done += 5_000) {
      await db.raw(buildAppendSql(`array_fill('${org_id}'::uuid, array[5000])`, 5_000, done));
    }
  }
  await owner.query('vacuum analyze audit_log');
  await owner.query('vacuum analyze audit_heads');
  return { long, short };
}

function buildAppendSql(orgs: string, count: number, from: number): string {
  const each = (value: string) => `array(select ${value} from generate_series(${from + 1}, ${from + count}) n)`;
  return `select count(*) from audit_append(${each('gen_random_uuid()')}, ${orgs}, ${each("'user' || n % 50 || '@example.com'")},
    ${each("'membership.removed'")},
    ${each(`'{"membership_id":"' || gen_random_uuid() || '","user_id":"' || gen_random_uuid() || '"}'`)},
    ${each("now() + n * interval '1 ms'")})`;
}

async function benchVerify(db: Knex, url: string, orgs: Orgs): Promise<BenchRow> {
  const verifier = createVerifier({
    db: { inOrg: (_, work) => work(db), readInOrg: (_, read) => read(db) },
    platform_db: db,
    sweep_db: db,
    now: () => new Date(),
  });
  const verify = async (org_id: string, rows: number) => {
    const { status, checked } = await verifier.verifyAny(org_id);
    if (status !== 'ok' || checked !== rows) throw new Error(`${status} after ${checked} of ${rows}`);
  };
  const short_peak = await measurePeakMb(() => verify(orgs.short, SHORT_CHAIN));
  const growth_mb = (await measurePeakMb(() => verify(orgs.long, ROWS))) - short_peak;
  const times: Record<'raw' | 'verify', number[]> = { raw: [], verify: [] };
  for (let walk = 0; walk < WALKS; walk++) {
    times.raw.push(await measureMs(() => walkRaw(url, orgs.long)));
    times.verify.push(await measureMs(() => verify(orgs.long, ROWS)));
  }
  const [raw, ours] = [Math.min(...times.raw), Math.min(...times.verify)];
  return {
    id: 'A4',
    what: `verifying a chain of ${ROWS} rows, rate`,
    limit: 1,
    measured: raw / ours,
    unit: 'ratio',
    goal: `≥ 0.8 × a loop that reads by cursor and hashes, memory growth ≤ ${MAX_GROWTH_MB} MB`,
    passed: raw / ours >= 0.8 && growth_mb <= MAX_GROWTH_MB,
    note: `${formatRate(ours)} rows/s against ${formatRate(raw)}, memory +${growth_mb.toFixed(0)} MB over a chain of ${SHORT_CHAIN}`,
  };
}

const formatRate = (ms: number) => ((ROWS / ms) * 1_000).toFixed(0);

/** Peak memory of this process in MB while `work` runs. */
async function measurePeakMb(work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss / 1e6);
  }, 20);
  await work();
  clearInterval(watch);
  return peak;
}

/** The minimum work of a verification: read and hash every row. */
async function walkRaw(url: string, org_id: string): Promise<void> {
  const client = new Client({ connectionString: url, options: '-c role=app_platform' });
  await client.connect();
  await client.query('begin isolation level repeatable read read only');
  await client.query(
    `declare raw no scroll cursor for select id, org_id, seq, actor_email, action, detail::text as detail, created_at,
       prev_hash, hash from audit_log where org_id = '${org_id}' order by seq`,
  );
  for (;;) {
    const { rows } = await client.query('fetch 1000 from raw');
    if (rows.length === 0) break;
    for (const row of rows) {
      hash(
        'sha256',
        `${row.id}${row.org_id}${row.seq}${row.actor_email}${row.action}${row.detail}${row.prev_hash}`,
        'hex',
      );
    }
  }
  await client.end();
}

async function benchFirstPage(db: Knex): Promise<BenchRow> {
  const { id } = await db('audit_log').first('id');
  const times: Record<'point' | 'page', number[]> = { point: [], page: [] };
  for (let n = 0; n < PAGES; n++) {
    times.point.push(await measureMs(() => db('audit_log').where({ id }).first()));
    times.page.push(await measureMs(() => listEntries(db, {}, { limit: 50, offset: 0 })));
  }
  const [point, page] = [computeMedian(times.point), computeMedian(times.page)];
  return toRatioRow({
    id: 'L1',
    what: `first page of 50 audit entries of ${ROWS}, with the total`,
    ratio: page / point,
    limit: 3,
    comparison: 'a point lookup',
    note: `${page.toFixed(2)} ms against ${point.toFixed(2)} ms`,
  });
}

async function benchDeepPage(db: Knex): Promise<BenchRow> {
  const offset = ROWS * 0.9;
  const plainPage = () =>
    db('audit_log')
      .orderBy(['created_at', 'seq', 'id'].map((column) => ({ column, order: 'desc' })))
      .limit(50)
      .offset(offset)
      .select('id', 'actor_email', 'org_id', 'action', 'detail', 'created_at');
  const times: Record<'plain' | 'page' | 'middle', number[]> = { plain: [], page: [], middle: [] };
  for (let n = 0; n < DEEP_PAGES; n++) {
    times.plain.push(await measureMs(plainPage));
    times.page.push(await measureMs(() => listEntries(db, {}, { limit: 50, offset })));
    times.middle.push(await measureMs(() => listEntries(db, {}, { limit: 50, offset: ROWS / 2 })));
  }
  const [plain, page, middle] = [Math.min(...times.plain), Math.min(...times.page), Math.min(...times.middle)];
  return toRatioRow({
    id: 'L2',
    what: `page of audit entries at offset ${offset} of ${ROWS}`,
    ratio: page / plain,
    limit: 0.4,
    comparison: 'plain OFFSET',
    note: `${page.toFixed(0)} ms against ${plain.toFixed(0)} ms; in the middle ${middle.toFixed(0)} ms`,
  });
}

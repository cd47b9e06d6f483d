import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { openOrgDatabase } from '../../server/db/index.ts';
import { createDriftSnapshots, type DriftSnapshots } from '../../server/domains/drift/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { measureMs } from '../lib/time.ts';

const ROWS = Number(process.env['DRIFT_ROWS'] ?? 1_000_000);
const PAGES = 40;
const LIMIT = 100;
const MOST_OF_LOOKUP = { page: 3, filtered: 10 };

type List = (filter: Parameters<DriftSnapshots['list']>[2], offset: number) => Promise<unknown>;

/** D3: pages of the items of a large drift snapshot, compared with reading the snapshot and one item. */
export async function benchDriftLists(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-drift-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  const { db, close } = openOrgDatabase({ url: database.url, max: 2, log });
  try {
    const { org_id, scan_run_id } = await fill(owner);
    const snapshots = createDriftSnapshots({ db, sweep_db: db as never, now: () => new Date() });
    const list: List = (filter, offset) => snapshots.list(org_id, scan_run_id, filter, { limit: LIMIT, offset });
    const lookup = () => snapshots.list(org_id, scan_run_id, {}, { limit: 1, offset: 0 });
    return await measure(list, lookup);
  } finally {
    await Promise.all([close(), owner.end()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(list: List, lookup: () => Promise<unknown>): Promise<BenchRow[]> {
  const pages: { what: string; limit: number; page: () => Promise<unknown> }[] = [
    { what: 'first page', limit: MOST_OF_LOOKUP.page, page: () => list({}, 0) },
    { what: 'page at nine tenths', limit: MOST_OF_LOOKUP.page, page: () => list({}, Math.floor(ROWS * 0.9)) },
    {
      what: 'first page of one drift type',
      limit: MOST_OF_LOOKUP.page,
      page: () => list({ drift_type: 'changed' }, 0),
    },
    { what: 'first page of high levels', limit: MOST_OF_LOOKUP.filtered, page: () => list({ min_risk: 'high' }, 0) },
    { what: 'first page of all levels', limit: MOST_OF_LOOKUP.filtered, page: () => list({ min_risk: 'low' }, 0) },
  ];
  const rows: BenchRow[] = [];
  for (const { what, limit, page } of pages) {
    const times: Record<'lookup' | 'page', number[]> = { lookup: [], page: [] };
    for (let n = 0; n < PAGES; n += 1) {
      times.lookup.push(await measureMs(lookup));
      times.page.push(await measureMs(page));
    }
    const [of_lookup, of_page] = [computeMedian(times.lookup), computeMedian(times.page)];
    rows.push(
      toRatioRow({
        id: 'D3',
        what: `${what} of ${LIMIT} drift items of ${ROWS}`,
        ratio: of_page / of_lookup,
        limit,
        comparison: 'a page of one item',
        note: `${of_page.toFixed(2)} ms against ${of_lookup.toFixed(2)} ms`,
      }),
    );
  }
  return rows;
}

async function fill(owner: Client): Promise<{ org_id: string; scan_run_id: string }> {
  const [org_id, user, account, scan, set] = [newId(), newId(), newId(), newId(), newId()];
  await owner.query(`insert into orgs (id, slug, display_name, noise_key_ct) values ($1, 'acme', 'Acme', '\\x00')`, [
    org_id,
  ]);
  await owner.query(
    `insert into users (id, issuer, subject, email, display_name) values ($1, 'urn:x', 'x', 'a@example.com', 'Ana')`,
    [user],
  );
  await owner.query(
    `insert into cloud_accounts (id, org_id, provider, display_name, external_account_id, credential_type,
       credentials_ct, status, regions, enabled, created_by, created_at, updated_at)
     values ($1, $2, 'aws', 'Account', '1', 'aws_role', '\\x00', 'active', '{}', true, $3, now(), now())`,
    [account, org_id, user],
  );
  await owner.query(
    `insert into scan_runs (id, org_id, kind, scan_type, provider, cloud_account_id, status, queued_at, finished_at)
     values ($1, $2, 'cloud', 'manual', 'aws', $3, 'done', now(), now())`,
    [scan, org_id, account],
  );
  await owner.query(
    `insert into drift_item_sets (id, org_id, cloud_account_id, content_hash, item_count, created_at, last_used_at)
     values ($1, $2, $3, sha256('x'), $4, now(), now())`,
    [set, org_id, account, ROWS],
  );
  await fillItems(owner, { org_id, set });
  const changed = Math.floor(ROWS / 10);
  await owner.query(
    `insert into drift_snapshots (id, org_id, scan_run_id, cloud_account_id, items_id, created_at, drift_status,
       changed_count, extra_count, matched_count, missing_count, parse_failure_count, not_checked_count, excluded_count,
       ignored_count, total_iac, total_live, coverage_pct, risk_level, narrative_status, notes)
     values ($1, $2, $3, $4, $5, now(), 'drifted', $6, $7, 0, 0, 0, 0, 0, 0, $6, $8, 10, 'high', 'fallback', '[]')`,
    [newId(), org_id, scan, account, set, changed, ROWS - changed, ROWS],
  );
  return { org_id, scan_run_id: scan };
}

/** One in ten is changed, and one in a hundred is high. */
async function fillItems(owner: Client, { org_id, set }: { org_id: string; set: string }): Promise<void> {
  for (let done = 0; done < ROWS; done += 100_000) {
    await owner.query(
      `insert into drift_items (items_id, position, org_id, id, stable_key, drift_type, first_detected_at,
         resource_address, resource_type, provider_type, normalized_type, provider_resource_id, tags, categories,
         certainty, level, level_rank, reasons, attributes, attributes_total, suppressed)
       select $1, n, $2, gen_random_uuid(), sha256(n::text::bytea),
         case when n < ${Math.floor(ROWS / 10)} then 'changed' else 'new' end, now(),
         case when n < ${Math.floor(ROWS / 10)} then 'module.web.aws_sqs_queue.q' || n end, 'aws_sqs_queue',
         'AWS::SQS::Queue', 'queue', 'arn:aws:sqs:eu-west-1:123456789012:' || md5(n::text), '{"team":"web"}', '{}',
         'confirmed', case when n % 100 = 0 then 'high' else 'low' end, case when n % 100 = 0 then 3 else 1 end,
         '[{"rule_id":"R-X","message":"Some reason that is as long as they are."}]', '[]', 0, false
       from generate_series(${done}, ${Math.min(ROWS, done + 100_000) - 1}) n`,
      [set, org_id],
    );
  }
  await owner.query(
    `insert into drift_item_counts
     select items_id, org_id, drift_type, level_rank, resource_type, provider_type, count(*) from drift_items
     group by 1, 2, 3, 4, 5, 6`,
  );
  await owner.query('vacuum analyze drift_items');
}

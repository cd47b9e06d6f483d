import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { type OrgDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { createResources } from '../../server/domains/resources/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { measureMs } from '../lib/time.ts';

const ROWS = Number(process.env['INVENTORY_ROWS'] ?? 1_000_000);
/** Half of the resources have one type; the others are spread over the rest. */
const TYPES = 200;
const ACCOUNTS = 20;
const PAGES = 60;
const DEEP_PAGES = 7;
const LIMIT = 100;

interface Parts {
  db: OrgDatabase;
  org_id: string;
  account_id: string;
  /** Of one resource. */
  id: string;
  resources: ReturnType<typeof createResources>;
}

/**
 * E1, E2: the list of resources of a large inventory, compared with a primary-key lookup and with OFFSET. E3: filters
 * and a search, compared with the same lookup.
 */
export async function benchInventoryLists(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-inventory-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  const { db, close } = openOrgDatabase({ url: database.url, max: 2, log });
  try {
    const filled = await fill(owner);
    const unused = () => Promise.reject(new Error('not measured'));
    const sealer = { seal: () => Buffer.alloc(0), open: () => Buffer.alloc(0) };
    const resources = createResources({
      ...{ db, sealer, drift: { listLatest: unused, listDaily: unused }, wait: unused, now: () => new Date() },
      ...{ planDrift: { listOfPlan: unused, findOutcomes: unused }, findExposures: unused },
      accounts: { readResource: unused },
    });
    const parts = { ...filled, db, resources };
    return [await benchFirstPage(parts), await benchDeepPage(parts), ...(await benchFilters(parts))];
  } finally {
    await Promise.all([close(), owner.end()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(owner: Client): Promise<Pick<Parts, 'org_id' | 'account_id' | 'id'>> {
  const [org_id, user] = [newId(), newId()];
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
     select gen_random_uuid(), $1, 'aws', 'Account ' || n, n::text, 'aws_role', '\\x00', 'active', '{}', true, $2, now(),
       now()
     from generate_series(1, ${ACCOUNTS}) n`,
    [org_id, user],
  );
  const of_account = `(array(select id from cloud_accounts order by id))[1 + n % ${ACCOUNTS}]`;
  const of_type = `'AWS::Service::Type' || case when n % 2 = 0 then 100 else n % ${TYPES} end`;
  const rebuild = await dropIndexes(owner);
  for (let done = 0; done < ROWS; done += 100_000) {
    await owner.query(
      `insert into live_resources (id, org_id, cloud_account_id, resource_key, part_key, provider, provider_type,
         provider_resource_id, normalized_type, risk_categories, region, name, tags, aliases, iac_resource_id,
         first_seen_at, last_seen_at, last_scan_id)
       select gen_random_uuid(), $1, ${of_account}, sha256(n::text::bytea), 'part', 'aws', ${of_type},
         'arn:aws:service:eu-west-1:123456789012:type/' || md5(n::text), 'compute', '{}', 'eu-west-1', 'web-' || n,
         '{"team":"web","Name":"web"}', '{}', case when n % 10 > 0 then 'module.web.aws_x.this[' || n || ']' end,
         now(), now(), $1
       from generate_series(${done + 1}, ${Math.min(ROWS, done + 100_000)}) n`,
      [org_id],
    );
  }
  await rebuild();
  await owner.query('vacuum analyze live_resources');
  await owner.query('vacuum analyze inventory_counts');
  const { rows } = await owner.query('select id, cloud_account_id as account_id from live_resources limit 1');
  return { org_id, ...rows[0] };
}

/** Filling is faster without indexes. @returns creates them again */
async function dropIndexes(owner: Client): Promise<() => Promise<void>> {
  const { rows } = await owner.query(
    `select indexname, indexdef from pg_indexes where tablename = 'live_resources' and indexdef not like 'CREATE UNIQUE%'`,
  );
  for (const { indexname } of rows) await owner.query(`drop index ${indexname}`);
  return async () => {
    await owner.query(`set maintenance_work_mem = '512MB'`);
    for (const { indexdef } of rows) await owner.query(indexdef);
  };
}

async function benchFirstPage({ resources, org_id, id }: Parts): Promise<BenchRow> {
  const times: Record<'lookup' | 'page', number[]> = { lookup: [], page: [] };
  for (let n = 0; n < PAGES; n += 1) {
    times.lookup.push(await measureMs(() => resources.get(org_id, id)));
    times.page.push(await measureMs(() => resources.list(org_id, {}, { limit: LIMIT, offset: 0 })));
  }
  const [lookup, page] = [computeMedian(times.lookup), computeMedian(times.page)];
  return toRatioRow({
    id: 'E1',
    what: `first page of ${LIMIT} resources of ${ROWS}, with the total`,
    ratio: page / lookup,
    limit: 3,
    comparison: 'a point lookup',
    note: `${page.toFixed(2)} ms against ${lookup.toFixed(2)} ms`,
  });
}

async function benchDeepPage({ db, resources, org_id }: Parts): Promise<BenchRow> {
  const offset = Math.floor(ROWS * 0.9);
  const middle = Math.floor(ROWS * 0.25);
  const times: Record<'plain' | 'page' | 'plain_middle' | 'middle', number[]> = {
    ...{ plain: [], page: [], plain_middle: [], middle: [] },
  };
  const plain = (at: number) =>
    db.readInOrg(org_id, (read) =>
      read('live_resources')
        .where({ org_id })
        .whereNull('gone_at')
        .orderBy(['provider_type', 'order_key', 'id'])
        .limit(LIMIT)
        .offset(at),
    );
  for (let n = 0; n < DEEP_PAGES; n += 1) {
    times.plain.push(await measureMs(() => plain(offset)));
    times.page.push(await measureMs(() => resources.list(org_id, {}, { limit: LIMIT, offset })));
    times.plain_middle.push(await measureMs(() => plain(middle)));
    times.middle.push(await measureMs(() => resources.list(org_id, {}, { limit: LIMIT, offset: middle })));
  }
  const [plain_ms, page, plain_middle, in_middle] = [
    computeMedian(times.plain),
    computeMedian(times.page),
    computeMedian(times.plain_middle),
    computeMedian(times.middle),
  ];
  return toRatioRow({
    id: 'E2',
    what: `page of resources at offset ${offset} of ${ROWS}, and in the middle of the largest type`,
    ratio: Math.max(page / plain_ms, in_middle / plain_middle),
    limit: 0.4,
    comparison: 'plain OFFSET',
    note: `${page.toFixed(1)} ms against ${plain_ms.toFixed(1)} ms; in the middle ${in_middle.toFixed(1)} ms against ${plain_middle.toFixed(1)} ms`,
  });
}

async function benchFilters({ resources, org_id, account_id, id }: Parts): Promise<BenchRow[]> {
  const filters = {
    'of one account': { account_id },
    'that no state declares': { unmatched: true },
    'whose name begins with a text': { q: 'web-12345' },
  };
  const rows: BenchRow[] = [];
  for (const [what, filter] of Object.entries(filters)) {
    const times: Record<'lookup' | 'page', number[]> = { lookup: [], page: [] };
    for (let n = 0; n < PAGES; n += 1) {
      times.lookup.push(await measureMs(() => resources.get(org_id, id)));
      times.page.push(await measureMs(() => resources.list(org_id, filter, { limit: LIMIT, offset: 0 })));
    }
    const [lookup, page] = [computeMedian(times.lookup), computeMedian(times.page)];
    const note = `${page.toFixed(2)} ms against ${lookup.toFixed(2)} ms`;
    rows.push(
      toRatioRow({
        id: 'E3',
        what: `first page of resources ${what}`,
        ratio: page / lookup,
        limit: 10,
        comparison: 'a point lookup',
        note,
      }),
    );
  }
  return rows;
}

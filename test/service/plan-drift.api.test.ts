import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openClouds } from '../../server/composition/clouds.ts';
import { newId } from '../../server/lib/ids.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const ACCOUNT = {
  display_name: 'Shop',
  provider: 'aws',
  external_account_id: '210987654321',
  credential_type: 'aws_access_key',
  credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'fixture://shop' },
};
const STATE = 'recorded-accounts/shop/state.json';
/** Queues of the recorded account, a queue that only the state has, and a database with a public address. */
const [DRIFTED, STAYING, CLEAN, GONE] = [
  'shop_orders_prod',
  'shop_orders_dead_letters_prod',
  'shop_orders_test',
  'gone',
];
const PUBLIC = 'search_prod';
const MODULE = 'module.eu_west_1';
const DAY_MS = 86_400_000;

type Attributes = Record<string, unknown>;
interface State {
  resources: {
    module: string;
    type: string;
    name: string;
    provider: string;
    instances: { attributes: Attributes }[];
  }[];
}

let service: TestService;
let owner: Caller;
let org: string;
let org_id: string;
let account_id: string;
let scan_id: string;
let source_id: string;
/** As recorded: equal to the account. */
let recorded: State;
/** What the last apply wrote: two queues have other timeouts, and one queue is not in the account. */
let drifted: State;

beforeAll(async () => {
  const clouds = openClouds({
    fetch: async () => {
      throw new Error('no cloud is asked here');
    },
    deployment: null,
    aws_keys: null,
    recorded_accounts: 'recorded-accounts',
    now: () => new Date(),
  });
  service = await startTestService({}, 'all', { clouds });
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'team' });
  org = `/api/v2/orgs/${org_id}`;
  account_id = (await owner.post(`${org}/cloud-accounts`, ACCOUNT)).body.id;
});

// Hooks of their own, so that none is near its timeout on a slow machine.
beforeAll(async () => {
  scan_id = await scan();
  source_id = (await owner.post(`${org}/state-sources`, { display_name: 'shop', kind: 'upload', config: {} })).body.id;
});

beforeAll(async () => {
  recorded = JSON.parse(await readFile(STATE, 'utf8'));
  drifted = structuredClone(recorded);
  for (const name of [DRIFTED, STAYING]) readAttributes(drifted, name)['visibility_timeout_seconds'] = 4_000;
  drifted.resources.push(buildGoneQueue(drifted));
  await compare(drifted);
});

afterAll(() => service.close());

async function scan(): Promise<string> {
  const { body } = await owner.post(`${org}/scans`, { cloud_account_id: account_id });
  for (;;) {
    const run = (await owner.get(`${org}/scans/${body.id}`)).body;
    if (run.status === 'done') return body.id;
    if (run.status === 'error') throw new Error(JSON.stringify(run.scan_errors));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function compare(state: State): Promise<void> {
  expect((await owner.post(`${org}/state-sources/${source_id}/upload`, state)).status).toBe(200);
  expect((await owner.post(`${org}/scans/${scan_id}/drift/compute`, undefined)).status).toBe(200);
}

function readAttributes(state: State, name: string | undefined): Attributes {
  const found = findResource(state, name)?.instances[0]?.attributes;
  if (found === undefined) throw new Error(`the state has no ${name}`);
  return found;
}

function findResource({ resources }: State, name: string | undefined): State['resources'][number] | undefined {
  const type = name === PUBLIC ? 'aws_db_instance' : 'aws_sqs_queue';
  return resources.find((resource) => resource.module === MODULE && resource.type === type && resource.name === name);
}

function buildGoneQueue(state: State): State['resources'][number] {
  const queue = structuredClone(findResource(state, CLEAN) as State['resources'][number]);
  const url = 'https://sqs.eu-west-1.amazonaws.com/210987654321/gone';
  const arn = 'arn:aws:sqs:eu-west-1:210987654321:gone';
  Object.assign(queue.instances[0]?.attributes ?? {}, { id: url, url, arn, name: 'gone' });
  return { ...queue, name: 'gone' };
}

/** A refreshed plan: what is changed starts from the values of the cloud. */
function buildPlan(): string {
  const queue = (name: string | undefined, change: object) =>
    entry('aws_sqs_queue', name, { ...readAttributes(name === GONE ? drifted : recorded, name) }, change);
  const database = { ...readAttributes(recorded, PUBLIC), deletion_protection: true };
  return JSON.stringify({
    format_version: '1.2',
    resource_changes: [
      queue(DRIFTED, { visibility_timeout_seconds: 4_000 }),
      queue(STAYING, { visibility_timeout_seconds: 4_000 }),
      queue(CLEAN, { delay_seconds: 10 }),
      queue(GONE, { delay_seconds: 10 }),
      entry('aws_db_instance', PUBLIC, database, { deletion_protection: false }),
    ],
  });
}

function entry(type: string, name: string | undefined, before: Attributes, changed: object) {
  const provider_name = 'registry.terraform.io/hashicorp/aws';
  const change = { actions: ['update'], before, after: { ...before, ...changed }, after_unknown: {} };
  return {
    address: `${MODULE}.${type}.${name}`,
    module_address: MODULE,
    mode: 'managed',
    type,
    name,
    provider_name,
    change,
  };
}

async function analyze() {
  const { status, body } = await owner.post(`${org}/analyze`, { plan_json: buildPlan() });
  expect([status, body]).toEqual([202, expect.anything()]);
  const job = await service.waitForJob(owner, `${org}/llm-jobs/${body.job_id}`);
  expect(job.body).toMatchObject({ status: 'done' });
  const { result } = job.body;
  const find = (name: string | undefined) =>
    result.changes.find((change: { name: string }) => change.name === name) ?? {};
  return { result, find, scan_run_id: body.scan_run_id as string };
}

const findReason = (change: { risk: { reasons: { rule_id: string; message: string }[] } }) =>
  change.risk.reasons.find(({ rule_id }) => rule_id === 'R-EXP-LIVE')?.message;

describe('an analysis of a plan about resources of a scanned account', () => {
  test('says what the last drift snapshot and the inventory know about each of them', async () => {
    const { result, find } = await analyze();

    expect(find(DRIFTED)).toMatchObject({
      reverts_drift: { kind: 'revert', paths: ['visibility_timeout_seconds'], paths_total: 1 },
      live: { drift: { drift_type: 'changed', scan_run_id: scan_id, later_scan_failed: false }, exposure: null },
    });
    expect(find(GONE).live.drift).toMatchObject({ drift_type: 'missing', certainty: 'potential', paths: [] });
    expect(find(PUBLIC).live).toMatchObject({ drift: null, exposure: { rule_id: 'R-DB-PUBLIC', group_id: null } });
    expect(find(CLEAN)).not.toHaveProperty('live');
    for (const name of [DRIFTED, CLEAN, PUBLIC]) expect(find(name).live_resource_id).not.toBeNull();
    expect(result.narrative).toMatch(
      /This apply reverts a change made outside of IaC \(first seen less than an hour ago\)/,
    );
    expect(result.narrative).toMatch(/`module\.eu_west_1\.aws_sqs_queue\.gone` possibly gone in the cloud/);
  });

  test('raises the weakening of a public database by one level, and stores the link with that level', async () => {
    const { result, find } = await analyze();
    const change = find(PUBLIC);
    const links = (await owner.get(`${org}/resources/${change.live_resource_id}/plan-links`)).body.links;

    expect(change.risk).toMatchObject({ level: 'critical', deterministic_level: 'critical', guarded: true });
    expect(findReason(change)).toMatch(/^Public right now \(seen less than an hour ago\)/);
    expect(result.risk_level).toBe('critical');
    expect(links[0]).toMatchObject({ risk_level: 'critical', matched_by: 'address', drift_outcome: null });
  });

  test('has the same levels when rules are previewed on its stored result', async () => {
    const { scan_run_id } = await analyze();

    const preview = await owner.post(`${org}/risk-policy/preview`, { scan_run_id, rules: [] });

    expect(preview).toMatchObject({ status: 200, body: { before: 'critical', after: 'critical', changed: [] } });
  });

  test('does not claim that a database is public now if the last scan failed', async () => {
    const failed = { id: newId(), org_id, cloud_account_id: account_id, kind: 'cloud', scan_type: 'manual' };
    const at = new Date(Date.now() + 1_000);
    const ended = { provider: 'aws', status: 'error', queued_at: at, created_at: at, finished_at: at };
    await service.admin_db('scan_runs').insert({ ...failed, ...ended });

    const { result, find } = await analyze();
    await service.admin_db('scan_runs').where({ id: failed.id }).delete();

    expect(findReason(find(PUBLIC))).toMatch(/^Public when last seen \(.+; the last scan failed\)/);
    expect(find(GONE).live.drift.later_scan_failed).toBe(true);
    expect(result.narrative).toMatch(/the scan is from less than an hour ago and the next one failed/);
  });

  test('raises nothing by what was seen more than a week ago, and says its age', async () => {
    const resources = service.admin_db('live_resources').where({ org_id });
    const rows = await resources.clone().select('id', 'last_seen_at');
    await resources.clone().update({ last_seen_at: new Date(Date.now() - 9.5 * DAY_MS) });

    const { result, find } = await analyze();
    await resources.clone().update({ last_seen_at: rows[0].last_seen_at });

    expect(find(PUBLIC).risk.level).toBe('high');
    expect(findReason(find(PUBLIC))).toBeUndefined();
    expect(result.narrative).toContain('public when last seen (9 days ago)');
  });
});

test('after the apply, drift of a plan is resolved or still different in the next comparison', async () => {
  const { find, scan_run_id } = await analyze();
  const list = async () => (await owner.get(`${org}/scans/${scan_run_id}/plan-drift`)).body;
  const outcomes = async () =>
    Object.fromEntries(
      (await list()).changes.map((change: { address: string; outcome: string }) => [
        change.address.split('.').at(-1),
        change.outcome,
      ]),
    );
  const before = await outcomes();
  const applied = structuredClone(recorded);
  readAttributes(applied, STAYING)['visibility_timeout_seconds'] = 4_000;
  await compare(applied);

  expect(before).toEqual({ [DRIFTED as string]: 'pending', [STAYING as string]: 'pending', gone: 'pending' });
  // The recorded account denies the listing of keys, so only what was found is known.
  expect(await outcomes()).toEqual({
    [DRIFTED as string]: 'resolved',
    [STAYING as string]: 'still_different',
    gone: 'not_checked',
  });
  expect(await list()).toMatchObject({
    total: 3,
    changes: [{}, {}, { compared_scan_id: scan_id, compared_at: expect.any(String) }],
  });
  const links = await owner.get(`${org}/resources/${find(DRIFTED).live_resource_id}/plan-links`);
  expect(links.body.links[0]).toMatchObject({ scan_run_id, drift_outcome: 'resolved' });
  await service.admin_db('drift_snapshots').where({ org_id }).update({ drift_status: 'drifted' });
  expect(await outcomes()).toMatchObject({ gone: 'resolved' });
});

test('the items of a plan are found by an index, whatever the number of items', async () => {
  const { rows } = await service.admin_db
    .raw(
      `set enable_seqscan = off;
     explain select * from drift_items where org_id = '${org_id}' and id_key is not null and id_key = to_id_key('x')`,
    )
    .then((results: { rows: object[] }[]) => results.at(-1) ?? { rows: [] });

  expect(JSON.stringify(rows)).toContain('drift_items_id_key_idx');
});

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

interface State {
  resources: { type: string; name: string; instances: { attributes: Record<string, unknown> }[] }[];
}

let service: TestService;
let owner: Caller;
let org: string;
let scan_id: string;
let source_id: string;

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
  const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
  await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
  org = `/api/v2/orgs/${id}`;
  const account = (await owner.post(`${org}/cloud-accounts`, ACCOUNT)).body;
  scan_id = await scan(account.id);
  source_id = (await owner.post(`${org}/state-sources`, { display_name: 'shop', kind: 'upload', config: {} })).body.id;
});

afterAll(() => service.close());

async function scan(cloud_account_id: string): Promise<string> {
  const { body } = await owner.post(`${org}/scans`, { cloud_account_id });
  for (;;) {
    const run = (await owner.get(`${org}/scans/${body.id}`)).body;
    if (run.status === 'done') return body.id;
    if (run.status === 'error') throw new Error(JSON.stringify(run.scan_errors));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function waitForDrift(id: string) {
  for (;;) {
    const { status, body } = await owner.get(`${org}/scans/${id}/drift`);
    if (status === 200) return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function upload(edit: (state: State) => void): Promise<void> {
  const state = JSON.parse(await readFile(STATE, 'utf8')) as State & { serial: number };
  edit(state);
  const answer = await owner.post(`${org}/state-sources/${source_id}/upload`, state);
  expect(answer.status).toBe(200);
}

function find(state: State, type: string): { attributes: Record<string, unknown> } {
  const instance = state.resources.find((resource) => resource.type === type)?.instances[0];
  if (instance === undefined) throw new Error(`the state has no ${type}`);
  return instance;
}

const compute = async () => (await owner.post(`${org}/scans/${scan_id}/drift/compute`, undefined)).body;

describe('drift of a scan', () => {
  test('is not found before it was computed', async () => {
    const answer = await owner.get(`${org}/scans/${scan_id}/drift`);

    expect(answer).toMatchObject({ status: 404, body: { error_class: 'drift_not_computed' } });
  });

  test('has every resource as new while no state is registered for the account', async () => {
    const drift = await compute();

    expect(drift).toMatchObject({ total_iac: 0, matched_count: 0, coverage_pct: 0 });
    expect(drift.extra_count).toBeGreaterThan(100);
    expect(drift.total_live).toBe(drift.extra_count);
  });

  test('has no items for a state that declares the account, and says what was not read', async () => {
    await upload(() => {});

    const drift = await compute();

    expect(drift).toMatchObject({ items: [], items_total: 0, coverage_pct: 100, risk_level: 'none' });
    expect(drift.matched_count).toBe(drift.total_iac);
    // The recorded account denies the listing of keys.
    expect(drift.drift_status).toBe('incomplete');
    expect(drift.notes.map(({ code }: { code: string }) => code)).toContain('unread_access_denied');
  });

  test('is stored with the scan, the posture and the matched resources', async () => {
    const run = (await owner.get(`${org}/scans/${scan_id}`)).body;
    const [posture] = (await owner.get(`${org}/posture`)).body;
    const [matched] = (await owner.get(`${org}/resources?unmatched=false&limit=1`)).body.resources;
    const history = (await owner.get(`${org}/infrastructure/drift-history?days=1`)).body.points;

    expect(run).toMatchObject({ drift_status: 'incomplete', new_count: 0, changed_count: 0, missing_count: 0 });
    expect(posture).toMatchObject({ coverage_pct: 100, risk_level: 'none' });
    expect(matched.iac_resource_id).toMatch(/^[a-z].*\./);
    expect(history).toMatchObject([{ snapshots: 1, coverage_pct: 100 }]);
  });

  test('names a change that was made outside of the state, and when it was first detected', async () => {
    await upload((state) => {
      find(state, 'aws_sqs_queue').attributes['visibility_timeout_seconds'] = 4_000;
    });

    const first = await compute();
    const second = await compute();

    expect(first.items).toMatchObject([
      {
        drift_type: 'changed',
        resource_type: 'aws_sqs_queue',
        attributes: [{ path: 'visibility_timeout_seconds', before: 4_000 }],
        age_days: 0,
        suppressed: false,
      },
    ]);
    expect(second.id).not.toBe(first.id);
    expect(second.items).toEqual(first.items);
    expect(
      await service.admin_db('drift_items').where({ resource_type: 'aws_sqs_queue', drift_type: 'changed' }),
    ).toHaveLength(1);
  });

  test('names a resource that no longer exists', async () => {
    await upload((state) => {
      const queue = find(state, 'aws_sqs_queue');
      const gone = structuredClone(queue);
      Object.assign(gone.attributes, {
        id: 'https://sqs.eu-west-1.amazonaws.com/210987654321/gone',
        url: 'https://sqs.eu-west-1.amazonaws.com/210987654321/gone',
        arn: 'arn:aws:sqs:eu-west-1:210987654321:gone',
        name: 'gone',
      });
      const resource = state.resources.find(({ instances }) => instances[0] === queue);
      state.resources.push({ ...structuredClone(resource as State['resources'][0]), name: 'gone', instances: [gone] });
    });

    const { items, missing_count } = await compute();

    expect(missing_count).toBe(1);
    expect(items).toMatchObject([{ drift_type: 'missing', resource_address: expect.stringMatching(/\.gone$/) }]);
  });

  test('lists pages and filters of its items', async () => {
    await upload((state) => {
      state.resources = state.resources.filter(({ type }) => type !== 'aws_sqs_queue' && type !== 'aws_iam_role');
    });
    const { items_total: all } = await compute();
    const path = `${org}/scans/${scan_id}/drift`;

    const pages: string[] = [];
    for (let offset = 0; offset < all; offset += 3) {
      const { body } = await owner.get(`${path}?limit=3&offset=${offset}`);
      pages.push(...body.items.map(({ id }: { id: string }) => id));
    }
    const roles = (await owner.get(`${path}?resource_type=aws_iam_role`)).body;
    const risky = (await owner.get(`${path}?min_risk=high&drift_type=new`)).body;

    expect(new Set(pages).size).toBe(all);
    expect(roles.items_total).toBeGreaterThan(0);
    expect(roles.items.every((item: { resource_type: string }) => item.resource_type === 'aws_iam_role')).toBe(true);
    expect(risky.items_total).toBe(roles.items_total);
    expect((await owner.get(`${path}?min_age_days=1`)).body.items_total).toBe(0);
    expect((await owner.get(`${path}?drift_type=missing`)).body.items_total).toBe(0);
  });

  test('accepts what an ignore rule matches, and counts it again after the rule was deleted', async () => {
    const rule = { resource_type: 'aws_iam_role', drift_types: ['new'], reason: 'Made by another team.' };
    const preview = await owner.post(`${org}/drift-ignore-rules/preview`, { scan_run_id: scan_id, rule });
    const { id } = (await owner.post(`${org}/drift-ignore-rules`, rule)).body;

    const ignored = await compute();
    await owner.send('DELETE', `${org}/drift-ignore-rules/${id}`);
    const counted = await compute();

    expect(preview.body.match_count).toBeGreaterThan(0);
    expect(ignored.ignored_count).toBe(preview.body.match_count);
    expect(
      ignored.items.filter(({ ignore_rule_id }: { ignore_rule_id: string | null }) => ignore_rule_id === id),
    ).toHaveLength(ignored.ignored_count);
    expect(ignored.risk_level).not.toBe('high');
    expect(counted).toMatchObject({ ignored_count: 0, risk_level: 'high' });
  });

  test.each([
    [{ reason: 'All.' }, /needs a condition/],
    [{ tag_value: 'x', address: 'a', reason: 'r' }, /tag_value needs a tag_key/],
    [{ attribute: 'tags.*', drift_types: ['new'], reason: 'r' }, /matches only items of the type "changed"/],
    [{ address: 'a', reason: 'r', expires_at: '2020-01-01T00:00:00Z' }, /is in the past/],
  ])('an ignore rule that could never match is refused: %j', async (body, message) => {
    const answer = await owner.post(`${org}/drift-ignore-rules`, body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(message);
  });

  test('two calls at the same time compute it once', async () => {
    const before = await service.admin_db('drift_snapshots').count({ count: '*' }).first();

    const [one, other] = await Promise.all([compute(), compute()]);

    const after = await service.admin_db('drift_snapshots').count({ count: '*' }).first();
    const added = Number(after?.['count']) - Number(before?.['count']);
    expect(new Set([one.id, other.id]).size).toBe(added);
    expect(await service.admin_db('drift_computations')).toHaveLength(0);
  });

  test('is computed once after each scan of an account with states, without anybody asking', async () => {
    const { cloud_account_id } = (await owner.get(`${org}/scans/${scan_id}`)).body;
    const next_id = await scan(cloud_account_id);

    const drift = await waitForDrift(next_id);
    const again = await owner.post(`${org}/scans/${next_id}/drift/compute`, undefined);

    expect(drift.scan_run_id).toBe(next_id);
    expect(again.status).toBe(200);
    const { rows } = await service.admin_db.raw('select count(*)::integer from drift_snapshots where scan_run_id = ?', [
      next_id,
    ]);
    expect(rows).toEqual([{ count: 2 }]);
    expect(await service.admin_db('drift_requests').where({ scan_run_id: next_id })).toEqual([]);
  });

  test('that could not be computed after a scan is 404 with the reason', async () => {
    const { org_id, cloud_account_id } = (await owner.get(`${org}/scans/${scan_id}`)).body;
    const at = new Date();
    const run = { id: newId(), org_id, cloud_account_id, kind: 'cloud', scan_type: 'manual', provider: 'aws' };
    await service.admin_db('scan_runs').insert({ ...run, status: 'done', queued_at: at, finished_at: at });
    const request = { org_id, scan_run_id: run.id, queued_at: at, attempts: 3 };
    await service.admin_db('drift_requests').insert({ ...request, failed_at: at, error: 'The states are too large.' });

    const { status, body } = await owner.get(`${org}/scans/${run.id}/drift`);

    expect(status).toBe(404);
    expect(body.error).toContain('could not be computed: The states are too large. Call POST');
  });

  test('resources are listed by region', async () => {
    const all = (await owner.get(`${org}/resources?limit=500`)).body.resources as {
      id: string;
      region: string | null;
    }[];
    const regions = [...new Set(all.map(({ region }) => region ?? 'global'))];

    for (const region of regions) {
      const { resources, total } = (await owner.get(`${org}/resources?region=${region}&limit=500`)).body;
      const expected = all.filter((one) => (one.region ?? 'global') === region).map(({ id }) => id);
      expect(resources.map(({ id }: { id: string }) => id)).toEqual(expected);
      expect(total).toBe(expected.length);
    }
    expect(regions.length).toBeGreaterThan(1);
  });

  test('needs a scan that has ended', async () => {
    const { org_id, cloud_account_id } = (await owner.get(`${org}/scans/${scan_id}`)).body;
    const pending = { id: newId(), org_id, cloud_account_id, kind: 'cloud', scan_type: 'manual', provider: 'aws' };
    await service.admin_db('scan_runs').insert({ ...pending, queued_at: new Date() });

    const answer = await owner.post(`${org}/scans/${pending.id}/drift/compute`, undefined);

    expect(answer).toMatchObject({ status: 409, body: { error_class: 'scan_not_done' } });
  });
});

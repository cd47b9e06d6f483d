import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fakeFault, fakePart, fakeResource } from '../fakes/cloud/adapter.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';
import { canariesIn, canary, dumpRows } from './canaries.ts';

let service: TestService;
/** The same person at two instances. */
let owner: Caller;
let elsewhere: Caller;
let org_id: string;
let path: string;
let account: string;
beforeAll(async () => {
  service = await startTestService({ JOB_HEARTBEAT_SECONDS: '1' });
  const second = await service.startProcess('all');
  owner = await service.signIn('owner');
  elsewhere = await service.signIn('owner', String(second.url));
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'enterprise' });
  path = `/api/v2/orgs/${org_id}/scans`;
});
afterAll(() => service.close());
let number = 200_000_000_000;
beforeEach(async () => {
  service.clouds.aws.reset();
  await service.admin_db('scan_runs').update({ bulk_id: null });
  account = await addAccount();
});

async function addAccount(secret_access_key = 'secret-of-the-account'): Promise<string> {
  number += 1;
  const answer = await owner.post(`/api/v2/orgs/${org_id}/cloud-accounts`, {
    provider: 'aws',
    display_name: 'Production',
    external_account_id: String(number),
    credential_type: 'aws_access_key',
    credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key },
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

async function waitForEnd(at: string, caller = owner) {
  for (;;) {
    const { body } = await caller.get(at);
    if (body.status === 'done' || body.status === 'error') return body;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const PART = fakePart('AWS::SQS::Queue');

describe('a scan', () => {
  test('it is queued at one instance, runs in any, and is shown by both', async () => {
    service.clouds.aws.account.parts = [
      { part: PART, pages: [[fakeResource('a')], [fakeResource('b')]] },
      {
        part: fakePart('AWS::KMS::Key'),
        pages: [],
        ends_with: fakeFault('access_denied', 'No.', { permission: 'kms:List' }),
      },
    ];
    const started = await owner.post(path, { cloud_account_id: account, ci: { repo_owner: 'acme' } });
    const location = started.headers.get('location') ?? '';

    expect(started).toMatchObject({ status: 202, body: { status: 'pending', status_kind: null, repo_owner: 'acme' } });
    expect(location).toBe(`${path}/${started.body.id}`);
    const run = await waitForEnd(location, elsewhere);
    expect(run).toMatchObject({ status: 'done', status_kind: 'partial', resource_count: 2, result_json: null });
    expect(run.scan_errors).toMatchObject([{ code: 'access_denied', message: 'No. Missing permission: kms:List.' }]);
    const { scans } = (await owner.get(`${path}?account_id=${account}`)).body;
    expect(scans).toMatchObject([{ id: run.id, job_id: null, risk_level: null }]);
  });

  test('the same request twice starts one scan', async () => {
    const key = { 'idempotency-key': `scan-${account}` };
    const body = { cloud_account_id: account };
    const [first, second] = await Promise.all([owner.post(path, body, key), elsewhere.post(path, body, key)]);
    const again = await elsewhere.post(path, body, key);

    const statuses = [first, second].map(({ status }) => status).sort();
    expect([
      [202, 202],
      [202, 409],
    ]).toContainEqual(statuses);
    expect(again).toMatchObject({ status: 202 });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await service.admin_db('scan_runs').where({ cloud_account_id: account })).toHaveLength(1);
    expect((await owner.post(path, { ...body, filter_regions: ['eu-west-1'] }, key)).status).toBe(422);
  });

  test('of two requests at two instances for the last place, one gets it', async () => {
    await waitForAll();
    await service.admin_db('org_limits').insert({ org_id, name: 'concurrent_scans', value: 1 });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.clouds.aws.account.parts = [{ part: PART, pages: [[]] }];
    service.clouds.aws.onPage = () => held;
    const other = await addAccount();
    const answers = await Promise.all([
      owner.post(path, { cloud_account_id: account }),
      elsewhere.post(path, { cloud_account_id: other }),
    ]);
    release();
    await service.admin_db('org_limits').where({ org_id }).delete();

    expect(answers.map(({ status }) => status).sort()).toEqual([202, 402]);
    expect(answers.find(({ status }) => status === 402)?.body).toMatchObject({
      code: 'plan_limit_exceeded',
      resource: 'concurrent_scans',
      limit: 1,
      used: 1,
    });
    await waitForAll();
  });

  test('one that is canceled at another instance ends there', async () => {
    service.clouds.aws.account.parts = [{ part: PART, pages: [[fakeResource('a')], [fakeResource('b')]] }];
    service.clouds.aws.onPage = async (_part, cursor, signal) => {
      if (cursor !== null) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    };
    const { body } = await owner.post(path, { cloud_account_id: account });
    while ((await service.admin_db('live_resources').where({ cloud_account_id: account })).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const canceled = await elsewhere.post(`${path}/${body.id}/cancel`, undefined);

    expect(canceled).toMatchObject({
      status: 200,
      body: { status: 'error', status_kind: 'failed', resource_count: 1 },
    });
    expect(canceled.body.scan_errors).toMatchObject([{ code: 'cancelled' }]);
    expect(await elsewhere.post(`${path}/${body.id}/cancel`, undefined)).toMatchObject({
      status: 409,
      body: { error_class: 'scan_not_cancelable' },
    });
    while (service.clouds.aws.open_sessions > 0) await new Promise((resolve) => setTimeout(resolve, 25));
  });

  test('bodies that do not fit are refused', async () => {
    const send = async (body: unknown, at = path) => (await owner.post(at, body)).status;

    expect(await send({})).toBe(400);
    expect(await send({ cloud_account_id: 'x' })).toBe(400);
    expect(await send({ cloud_account_id: org_id })).toBe(404);
    expect(await send({ cloud_account_id: account, filter_regions: ['Frankfurt'] })).toBe(400);
    expect(await send({ cloud_account_id: account, regions: [] })).toBe(400);
    expect(await send({ account_ids: [account, account] }, `${path}/bulk`)).toBe(400);
    expect(await send({ account_ids: [account, org_id] }, `${path}/bulk`)).toBe(404);
  });
});

describe('bulk scans', () => {
  test('each account is scanned, the call is audited once, and a replay starts and audits nothing', async () => {
    const other = await addAccount();
    const body = { account_ids: [account, other] };
    const key = { 'idempotency-key': `bulk-${account}` };
    const started = await owner.post(`${path}/bulk`, body, key);
    const replayed = await elsewhere.post(`${path}/bulk`, body, key);

    expect(started).toMatchObject({ status: 202, body: { count: 2 } });
    expect(replayed.body).toEqual(started.body);
    for (const id of started.body.scan_ids) expect(await waitForEnd(`${path}/${id}`)).toMatchObject({ status: 'done' });
    const rows = await service.admin_db('audit_log').where({ org_id, action: 'scan.bulk_created' });
    expect(rows.map(({ detail }) => detail).filter(({ scan_ids }) => scan_ids[0] === started.body.scan_ids[0])).toEqual(
      [started.body],
    );
  });

  test('the sixth call in a minute is 429, whichever instance gets it', async () => {
    const calls = [];
    for (let n = 0; n < 6; n += 1)
      calls.push(await (n % 2 === 0 ? owner : elsewhere).post(`${path}/bulk`, { account_ids: [account] }));

    expect(calls.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    expect(calls[5]?.body.error_class).toBe('bulk_scan_rate_limited');
    expect(Number(calls[5]?.headers.get('retry-after'))).toBeGreaterThan(0);
    await waitForAll();
  });
});

test('credentials and properties are found only in encrypted columns', async () => {
  const [secret, property, revoked] = [canary(), canary(), canary()];
  const secret_account = await addAccount(secret);
  service.clouds.aws.account.parts = [
    { part: PART, pages: [[fakeResource('a', { properties: { Notes: property } })]] },
    { part: fakePart('AWS::SNS::Topic'), pages: [[]] },
  ];
  service.clouds.aws.onPage = async (part) => {
    if (part.key !== PART.key) throw new TypeError('an adapter failed');
  };
  const { body } = await owner.post(path, { cloud_account_id: secret_account });
  const run = await waitForEnd(`${path}/${body.id}`);
  const rejected = await addAccount(revoked);
  service.clouds.aws.fail('credential_error', 'The key was deleted.');
  const failed = await owner.post(path, { cloud_account_id: rejected });
  const ended = await waitForEnd(`${path}/${failed.body.id}`);

  expect([run.status_kind, ended.status_kind]).toEqual(['partial', 'failed']);
  expect(service.clouds.aws.opened.some((target) => canariesIn(JSON.stringify(target)).length > 0)).toBe(true);
  expect(canariesIn(JSON.stringify([run, ended, service.log_lines]))).toEqual([]);
  expect(canariesIn(await dumpRows(service.admin_db))).toEqual([]);
});

async function waitForAll(): Promise<void> {
  const unfinished = () => service.admin_db('scan_runs').whereIn('status', ['pending', 'running']);
  while ((await unfinished()).length > 0) await new Promise((resolve) => setTimeout(resolve, 25));
}

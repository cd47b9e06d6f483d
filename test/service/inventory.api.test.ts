import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../../server/lib/ids.ts';
import { clearInventory, insertResources, type ResourceRow } from '../helpers/inventory.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';
import { canariesIn, canary } from './canaries.ts';

const SETTINGS = {
  API_URL: 'https://api.example.com',
  FEDERATION_SUBJECT: 'deployment:test',
  FEDERATION_AWS_PRINCIPAL_ARN: 'arn:aws:iam::999999999999:role/scanner',
  FEDERATION_AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  FEDERATION_AWS_SECRET_ACCESS_KEY: 'not-a-secret',
  RATE_LIMIT_PER_IP: '1000000',
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_PER_CREDENTIAL: '1000000',
  RATE_LIMIT_PER_ORG: '1000000',
};
const CREDENTIALS = {
  aws: {
    credential_type: 'aws_access_key',
    credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalrXUtnFEMI' },
  },
  gcp: {
    credential_type: 'gcp_workload_identity',
    credentials: {
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/dpa/providers/dpa',
      service_account_email: 'dpa@acme-prod-123456.iam.gserviceaccount.com',
    },
  },
};
const EXTERNAL = { aws: '123456789012', gcp: 'acme-prod-123456' };

let service: TestService;
let owner: Caller;
let org_id: string;
let org: string;
/** IDs of the accounts. */
let aws: string;
let gcp: string;
beforeAll(async () => {
  service = await startTestService(SETTINGS);
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'enterprise' });
  org = `/api/v2/orgs/${org_id}`;
  [aws, gcp] = [await addAccount('aws', 'Production'), await addAccount('gcp', 'Data')];
});
afterAll(() => service.close());
beforeEach(async () => {
  for (const cloud of Object.values(service.clouds)) cloud.reset();
  await clearInventory(service.admin_db);
  await service.admin_db('scan_runs').delete();
});

async function addAccount(provider: 'aws' | 'gcp', display_name: string, external = EXTERNAL[provider]) {
  const account = { provider, display_name, external_account_id: external, ...CREDENTIALS[provider] };
  return (await owner.post(`${org}/cloud-accounts`, account)).body.id as string;
}

function found(rows: readonly Partial<ResourceRow>[], cloud_account_id = aws) {
  return insertResources(service.admin_db, { org_id, cloud_account_id }, rows);
}

async function listed(query = '') {
  const { status, body, headers } = await owner.get(`${org}/resources${query}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  expect(headers.get('x-total-count')).toBe(String(body.total));
  return { ...body, names: body.resources.map(({ name }: { name: string }) => name) };
}

describe('the list of resources', () => {
  test('it is ordered by type and ID, and shows where each resource is declared', async () => {
    await found([
      { name: 'b', provider_resource_id: 'b' },
      { name: 'queue', provider_type: 'AWS::SQS::Queue', normalized_type: 'messaging', provider_resource_id: 'a' },
      { name: 'a', provider_resource_id: 'a', iac_resource_id: 'aws_s3_bucket.a', tags: '{"team":"web"}' },
    ]);

    const { resources, names, total } = await listed();

    expect([names, total]).toEqual([['a', 'b', 'queue'], 3]);
    expect(resources[0]).toMatchObject({ iac_resource_id: 'aws_s3_bucket.a', tags: { team: 'web' }, provider: 'aws' });
    expect(resources[1]).not.toHaveProperty('iac_resource_id');
  });

  test('resources that are gone, and those of deleted accounts, are neither listed nor counted', async () => {
    const deleted = await addAccount('aws', 'Old', '999999999999');
    await found([{ name: 'here' }, { name: 'gone', gone_at: new Date(), unseen_scans: 1 }]);
    const [id] = await found([{ name: 'old' }], deleted);
    expect((await listed()).names.sort()).toEqual(['here', 'old']);

    await owner.send('DELETE', `${org}/cloud-accounts/${deleted}`);

    expect(await listed()).toMatchObject({ names: ['here'], total: 1 });
    expect((await listed('?q=old')).names).toEqual([]);
    expect((await listed(`?account_id=${deleted}`)).total).toBe(0);
    expect((await owner.get(`${org}/resources/${id}`)).status).toBe(404);
  });

  test.each([
    ['account_id', () => `?account_id=${gcp}`, ['bucket']],
    ['provider', () => '?provider=aws', ['logs', 'Queue', 'web']],
    ['normalized_type', () => '?normalized_type=storage', ['logs', 'bucket']],
    ['type', () => '?type=AWS::SQS::Queue', ['Queue', 'web']],
    ['unmatched', () => '?unmatched=true', ['logs', 'Queue', 'bucket']],
    ['matched', () => '?unmatched=false', ['web']],
    ['two filters', () => '?unmatched=true&type=AWS::SQS::Queue', ['Queue']],
    ['a name, in any letter case', () => '?q=QUE', ['Queue']],
    ['the beginning of an ID', () => '?q=https://sqs.eu-west-1', ['Queue', 'web']],
    ['an ARN', () => '?q=arn:aws:sqs:eu-west-1:123456789012:web', ['web']],
    ['a name and a filter', () => '?q=l&unmatched=false', []],
    ['text that no type has', () => '?type=AWS::None', []],
  ])('it can be filtered by %s', async (_name, query, expected) => {
    const queue = { provider_type: 'AWS::SQS::Queue', normalized_type: 'messaging' };
    const url = 'https://sqs.eu-west-1.amazonaws.com/123456789012/';
    await found([
      { name: 'logs', provider_resource_id: 'logs' },
      { name: 'Queue', ...queue, provider_resource_id: `${url}Queue` },
      {
        ...queue,
        name: 'web',
        provider_resource_id: `${url}web`,
        aliases: ['arn:aws:sqs:eu-west-1:123456789012:web'],
        iac_resource_id: 'aws_sqs_queue.web',
      },
    ]);
    await found([{ name: 'bucket', provider: 'gcp', provider_type: 'storage.googleapis.com/Bucket' }], gcp);

    expect(await listed(query())).toMatchObject({ names: expected, total: expected.length, truncated: false });
  });

  test.each([
    ['account_id=x', '/query/account_id'],
    ['provider=oracle', '/query/provider'],
    ['q=', '/query/q'],
    ['unmatched=maybe', '/query/unmatched'],
    ['limit=0', '/query/limit'],
  ])('%s is refused', async (query, path) => {
    const { status, body } = await owner.get(`${org}/resources?${query}`);

    expect([status, body.details[0].path]).toEqual([400, path]);
  });

  test('a limit above the maximum is reduced', async () => {
    expect(await listed('?limit=10000')).toMatchObject({ limit: 500, offset: 0 });
    expect(await listed()).toMatchObject({ limit: 100 });
  });

  test('IDs of any length and any characters are stored and found', async () => {
    const long = `arn:aws:x:::${'é%_\\'.repeat(2_000)}`;
    await found([{ name: 'long', provider_resource_id: long, iac_resource_id: 'a.b'.repeat(3_000) }]);

    expect((await listed()).resources[0].provider_resource_id).toBe(long);
    expect((await listed(`?q=${encodeURIComponent(long.slice(0, 500))}`)).names).toEqual(['long']);
  });

  test('a search that matches too many resources says that it is not complete', async () => {
    await found(Array.from({ length: 5_100 }, (_, n) => ({ name: `same-${n}`, provider_resource_id: `id-${n}` })));

    expect(await listed('?q=same-')).toMatchObject({ truncated: true, total: 5_001 });
    expect(await listed('?q=same-509')).toMatchObject({ truncated: false, total: 11 });
  });

  test('all pages together show every resource once, in order, whatever the sizes', async () => {
    const row = fc.record({
      kind: fc.constantFrom('AWS::A::A', 'AWS::B::B', 'AWS::C::C'),
      id: fc.string({ maxLength: 3 }),
      is_declared: fc.boolean(),
      is_gone: fc.boolean(),
    });
    const rows = fc.uniqueArray(row, { maxLength: 40, selector: ({ kind, id }) => `${kind}|${id}` });
    const query = fc.constantFrom('', '&unmatched=true', '&unmatched=false', '&type=AWS::B::B');
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), query, async (some, limit, filter) => {
        await clearInventory(service.admin_db);
        const usable = some.filter(({ id }) => !id.includes('\0'));
        await found(
          usable.map(({ kind, id, is_declared, is_gone }) => ({
            provider_type: kind,
            provider_resource_id: id,
            iac_resource_id: is_declared ? 'a.b' : null,
            ...(is_gone && { gone_at: new Date(), unseen_scans: 1 }),
          })),
        );
        const shown: string[] = [];
        const { total } = await listed(`?limit=1${filter}`);
        for (let offset = 0; offset < total; offset += limit) {
          const { resources } = await listed(`?limit=${limit}&offset=${offset}${filter}`);
          shown.push(...resources.map((one: ResourceRow) => `${one.provider_type}|${one.provider_resource_id}`));
        }
        const expected = usable
          .filter(({ is_gone }) => !is_gone)
          .filter(({ is_declared }) => !filter.includes('unmatched') || filter.endsWith('true') === !is_declared)
          .filter(({ kind }) => !filter.includes('type') || kind === 'AWS::B::B')
          .map(({ kind, id }) => `${kind}|${id}`)
          .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(shown).toEqual(expected);
        expect((await listed(`?offset=${total}${filter}`)).resources).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('the counts follow every change of the rows', async () => {
    const ids = await found([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    const rows = () => service.admin_db('live_resources');
    await rows().where({ id: ids[0] }).update({ iac_resource_id: 'a.b' });
    await rows().where({ id: ids[1] }).update({ gone_at: new Date(), unseen_scans: 1 });
    await rows().where({ id: ids[2] }).update({ provider_type: 'AWS::EC2::Volume' });
    expect(await listed()).toMatchObject({ total: 2, names: ['c', 'a'] });
    expect((await listed('?unmatched=true')).names).toEqual(['c']);

    await rows().where({ id: ids[1] }).update({ gone_at: null, unseen_scans: 0 });
    await rows().where({ id: ids[0] }).delete();

    expect(await listed()).toMatchObject({ total: 2, names: ['c', 'b'] });
  });
});

describe('enrichment', () => {
  const enrich = (id: string | undefined, caller = owner) => caller.post(`${org}/resources/${id}/enrich`, undefined);

  test('AWS is asked once in 15 minutes, and the properties are encrypted', async () => {
    const secret = canary();
    service.clouds.aws.properties = { BucketName: 'logs', Note: secret };
    const [id = ''] = await found([{ provider_resource_id: 'logs' }]);

    const first = await enrich(id);
    const again = await enrich(id);

    expect([first.status, first.body]).toMatchObject([
      200,
      {
        enrichment_status: 'enriched',
        properties: { BucketName: 'logs', Note: secret },
        enrichment_failure_reason: null,
      },
    ]);
    expect(again.body).toEqual(first.body);
    expect(service.clouds.aws.reads).toEqual([
      { provider_type: 'AWS::S3::Bucket', provider_resource_id: 'logs', region: 'eu-west-1' },
    ]);
    const stored = await service.admin_db('live_resources').first();
    expect(canariesIn(`${JSON.stringify(stored)} ${stored.properties_ct.toString('latin1')}`)).toEqual([]);
    expect(canariesIn(JSON.stringify(service.log_lines))).toEqual([]);
    expect((await owner.get(`${org}/resources/${id}`)).body).toMatchObject({ enrichment_status: 'enriched' });

    await service
      .admin_db('live_resources')
      .where({ id })
      .update({ enriched_at: new Date(Date.now() - 16 * 60_000) });
    await enrich(id);
    expect(service.clouds.aws.reads).toHaveLength(2);
  });

  test('concurrent requests share one question, also those of other instances', async () => {
    const other = await service.startProcess('api', { PORT: '0' });
    const elsewhere = await service.signIn('owner', other.url ?? '');
    const [id] = await found([{}]);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.clouds.aws.meanwhile = () => released;

    const answers = [enrich(id), enrich(id), enrich(id, elsewhere)];
    await waitFor(async () => service.clouds.aws.reads.length > 0);
    release();

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(service.clouds.aws.reads).toHaveLength(1);
  });

  test('a claim of a process that died is taken over', async () => {
    const [id] = await found([{}]);
    const dead = { enrich_claim: newId(), enrich_claim_until: new Date(Date.now() - 1) };
    await service.admin_db('live_resources').where({ id }).update(dead);

    expect((await enrich(id)).status).toBe(200);
  });

  test('resources of Google Cloud and Azure are n/a, and nobody is asked', async () => {
    const [id] = await found([{ provider: 'gcp', provider_type: 'storage.googleapis.com/Bucket' }], gcp);

    const { status, body } = await enrich(id);

    expect([status, body.enrichment_status, body.properties]).toEqual([200, 'n/a', null]);
    expect(service.clouds.gcp.opened).toEqual([]);
  });

  test.each([
    ['access_denied', 'Grant s3:GetBucketTagging to the role.'],
    ['credential_error', 'The access key was deleted. Create another one.'],
    ['unsupported_type', 'This type cannot be read.'],
    ['region_disabled', 'The region is not enabled in the account.'],
    ['parse_error', 'The response is not readable.'],
  ] as const)('%s marks the resource as failed and gives the reason', async (code, message) => {
    const [id] = await found([{}]);
    service.clouds.aws.fail(code, message);

    const { status, body } = await enrich(id);

    expect([status, body.error_class, body.error]).toEqual([422, 'enrichment_failed', message]);
    expect(body.resource).toMatchObject({ id, enrichment_status: 'failed', enrichment_failure_reason: message });

    service.clouds.aws.reset();
    expect((await enrich(id)).body).toMatchObject({ enrichment_status: 'enriched', enrichment_failure_reason: null });
  });

  test.each(['throttled', 'timeout', 'internal'] as const)('%s changes nothing, and can be retried', async (code) => {
    const [id] = await found([{}]);
    service.clouds.aws.fail(code, 'AWS is busy.');

    const { status, body, headers } = await enrich(id);

    expect([status, body.error_class, headers.get('retry-after')]).toEqual([503, 'cloud_unreachable', '30']);
    expect(body.error).toContain('The properties of the resource could not be read.');
    expect((await owner.get(`${org}/resources/${id}`)).body.enrichment_status).toBe('none');
    service.clouds.aws.reset();
    expect((await enrich(id)).status).toBe(200);
  });

  test('a resource that vanished from the cloud is 422, and says what happens next', async () => {
    const [id] = await found([{}]);
    service.clouds.aws.properties = null;

    const { status, body } = await enrich(id);

    expect([status, body.error]).toEqual([422, expect.stringContaining('no longer exists in the cloud')]);
    expect(body.resource.properties).toBeNull();
  });

  test('a failure keeps the properties of the last success', async () => {
    const [id] = await found([{}]);
    service.clouds.aws.properties = { Size: 1 };
    await enrich(id);
    await service
      .admin_db('live_resources')
      .where({ id })
      .update({ enriched_at: new Date(0) });
    service.clouds.aws.properties = null;

    expect((await enrich(id)).body.resource).toMatchObject({
      properties: { Size: 1 },
      enriched_at: '1970-01-01T00:00:00.000Z',
    });
  });

  test('a disabled account is not asked', async () => {
    const [id] = await found([{}]);
    await owner.send('PATCH', `${org}/cloud-accounts/${aws}`, { enabled: false });

    const { status, body } = await enrich(id);
    await owner.send('PATCH', `${org}/cloud-accounts/${aws}`, { enabled: true });

    expect([status, body.error]).toEqual([422, expect.stringContaining('account is disabled')]);
    expect(service.clouds.aws.reads).toEqual([]);
  });

  test('credentials that this deployment cannot use are 503', async () => {
    const role = { credential_type: 'aws_role', credentials: { role_arn: 'arn:aws:iam::222222222222:role/dpa' } };
    const account = { provider: 'aws', display_name: 'Role', external_account_id: '222222222222', ...role };
    const { id: with_role } = (await owner.post(`${org}/cloud-accounts`, account)).body;
    const [id] = await found([{}], with_role);
    const names = ['PRINCIPAL_ARN', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map((name) => `FEDERATION_AWS_${name}`);
    const unset = Object.fromEntries(names.map((name) => [name, '']));
    const { url } = await service.startProcess('api', { ...unset, PORT: '0' });

    const { status, body } = await enrich(id, await service.signIn('owner', url ?? ''));
    await owner.send('DELETE', `${org}/cloud-accounts/${with_role}`);

    expect([status, body.error_class]).toEqual([503, 'cloud_registry_not_configured']);
  });

  test('credentials that cannot be decrypted are 422, and say what to do', async () => {
    const [id] = await found([{}]);
    const [{ credentials_ct }] = await service.admin_db('cloud_accounts').where({ id: aws }).select('credentials_ct');
    await service
      .admin_db('cloud_accounts')
      .where({ id: aws })
      .update({ credentials_ct: Buffer.from('unreadable') });

    const { status, body } = await enrich(id);
    await service.admin_db('cloud_accounts').where({ id: aws }).update({ credentials_ct });

    expect([status, body.error]).toEqual([422, expect.stringContaining('Enter them again')]);
  });

  test('an error of the service itself is 500 and ends the question', async () => {
    const [id] = await found([{}]);
    service.clouds.aws.bug = new Error('a bug');
    expect((await enrich(id)).status).toBe(500);

    service.clouds.aws.reset();
    expect((await enrich(id)).status).toBe(200);
  });

  test('a resource that does not exist is 404, also for a malformed ID', async () => {
    expect((await enrich(newId())).status).toBe(404);
    expect((await enrich('x')).status).toBe(404);
  });
});

describe('what scans read of an account', () => {
  const part = (part_key: string, more: object = {}) => ({
    ...{ org_id, cloud_account_id: aws, part_key, service: 'cloudcontrolapi', tried_by: newId() },
    ...{ region: 'eu-west-1', provider_type: 'AWS::S3::Bucket', tried_at: new Date(), checked_at: new Date() },
    ...{ resource_count: 1, ...more },
  });
  const denied = { code: 'access_denied', message: 'Grant it.', permission: 's3:List', retryable: false };

  test('each part says when it was read, or why not', async () => {
    await service
      .admin_db('inventory_parts')
      .insert([
        part('a'),
        part('b', { ...denied, checked_at: null, resource_count: null, region: 'us-east-1' }),
        part('c', { ...denied, code: 'throttled', permission: null, retryable: true, provider_type: null }),
      ]);
    const read = async (query: string) => {
      const { body } = await owner.get(`${org}/cloud-accounts/${aws}/inventory-parts?${query}`);
      return body;
    };
    const keys = async (query: string) => (await read(query)).parts.map((one: { part_key: string }) => one.part_key);

    expect(await read('')).toMatchObject({ total: 3, checked_count: 1, unchecked_count: 2, limit: 100, offset: 0 });
    expect((await read('checked=false')).parts[0]).toMatchObject({ part_key: 'b', ...denied, checked_at: null });
    expect(await keys('checked=true')).toEqual(['a']);
    expect(await keys('code=throttled')).toEqual(['c']);
    expect(await keys('region=us-east-1')).toEqual(['b']);
    expect(await keys('type=AWS::S3::Bucket')).toEqual(['a', 'b']);
    expect(await keys('limit=1&offset=1')).toEqual(['b']);
    expect((await owner.get(`${org}/cloud-accounts/${aws}/inventory-parts?checked=x`)).status).toBe(400);
  });
});

describe('the views of the infrastructure', () => {
  async function scanned(cloud_account_id: string, status: 'done' | 'error', minutes: number, errors: object[] = []) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, minutes));
    const run = { id: newId(), org_id, cloud_account_id, kind: 'cloud', scan_type: 'manual', status };
    const times = { created_at: at, finished_at: at };
    await service.admin_db('scan_runs').insert({ ...run, ...times, scan_errors: JSON.stringify(errors) });
    return { id: run.id, at: at.toISOString() };
  }

  test('accounts of a cloud show their inventory and their last scan', async () => {
    const done = await scanned(aws, 'done', 1, [{ code: 'throttled' }]);
    await found([{}, { iac_resource_id: 'a.b' }, { gone_at: new Date(), unseen_scans: 1 }]);

    const { body } = await owner.get(`${org}/infrastructure/aws/accounts`);

    expect(body).toMatchObject({ total: 1, limit: 100, offset: 0 });
    expect(body.accounts[0]).toMatchObject({
      ...{ cloud_account_id: aws, resource_count: 2, matched_count: 1, undeclared_count: 1, coverage_pct: null },
      ...{ risk_level: null, last_scan_id: done.id, last_scan_at: done.at, last_scan_status_kind: 'partial' },
    });
    const failed = await scanned(aws, 'error', 2);
    const after = (await owner.get(`${org}/infrastructure/aws/accounts`)).body.accounts[0];
    expect(after).toMatchObject({ last_scan_id: failed.id, last_scan_status_kind: 'failed' });
    expect((await owner.get(`${org}/cloud-accounts/${aws}`)).body).toMatchObject({
      ...{ resource_count: 2, last_scan_id: done.id, last_scan_at: done.at },
    });
  });

  test('an unknown cloud is 400', async () => {
    const { status, body } = await owner.get(`${org}/infrastructure/oracle/accounts`);

    expect([status, body.error_class]).toEqual([400, 'invalid_request']);
  });

  test('the summary always has three clouds', async () => {
    await found([{}, { iac_resource_id: 'a.b' }]);

    const { providers } = (await owner.get(`${org}/infrastructure/summary`)).body;

    expect(providers).toMatchObject([
      { provider: 'aws', account_count: 1, resource_count: 2, matched_count: 1, undeclared_count: 1, drifted_count: 0 },
      { provider: 'gcp', account_count: 1, resource_count: 0 },
      { provider: 'azure', account_count: 0, resource_count: 0, coverage_pct: null, last_scan_at: null },
    ]);
  });

  test('the posture has a row for each account, without a coverage before drift was computed', async () => {
    await found([{}, {}]);

    const { body } = await owner.get(`${org}/posture`);

    expect(body.map((row: { display_name: string }) => row.display_name)).toEqual(['Data', 'Production']);
    expect(body[1]).toMatchObject({ undeclared_count: 2, live_count: 2, changed_count: null, drift_snapshot_id: null });
    expect(body[1]).not.toHaveProperty('coverage_pct');
    expect(body[1]).not.toHaveProperty('risk_level');
  });

  test('the history has one point for each day', async () => {
    const points = async (query: string) =>
      (await owner.get(`${org}/infrastructure/drift-history${query}`)).body.points;
    const today = new Date().toISOString().slice(0, 10);

    expect(await points('')).toHaveLength(30);
    expect(await points('?days=1000')).toHaveLength(90);
    const one = await points(`?days=1&provider=aws&account_id=${aws}`);
    expect(one).toMatchObject([{ snapshots: 0, new_count: null, coverage_pct: null, risk_level: null }]);
    // The day can end during the test.
    expect([today, new Date().toISOString().slice(0, 10)]).toContain(one[0].date);
    expect((await owner.get(`${org}/infrastructure/drift-history?days=0`)).status).toBe(400);
  });
});

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';
import { canariesIn, canary, dumpRows } from './canaries.ts';

const SETTINGS = {
  API_URL: 'https://api.example.com',
  FEDERATION_SUBJECT: 'deployment:test',
  FEDERATION_AWS_PRINCIPAL_ARN: 'arn:aws:iam::999999999999:role/scanner',
  FEDERATION_AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  FEDERATION_AWS_SECRET_ACCESS_KEY: 'not-a-secret',
};

let service: TestService;
let owner: Caller;
let viewer: Caller;
let org_id: string;
let path: string;
beforeAll(async () => {
  service = await startTestService(SETTINGS);
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  path = `/api/v2/orgs/${org_id}/cloud-accounts`;
  const { key } = (await owner.post(`/api/v2/orgs/${org_id}/api-keys`, { name: 'reader', scopes: ['inventory:read'] }))
    .body;
  viewer = service.withHeaders({ 'x-api-key': key });
});
afterAll(() => service.close());
beforeEach(async () => {
  for (const cloud of Object.values(service.clouds)) cloud.reset();
  await service.admin_db('cloud_accounts').delete();
  await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'team' });
});

const ROLE = {
  provider: 'aws',
  display_name: 'Production',
  external_account_id: '123456789012',
  credential_type: 'aws_role',
  credentials: { role_arn: 'arn:aws:iam::123456789012:role/dpa' },
};
const accessKey = (secret_access_key = 'wJalrXUtnFEMI') => ({
  ...ROLE,
  credential_type: 'aws_access_key',
  credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key },
});
const UUID = '3f0c1e1c-6f6e-4a8e-9d4d-0c8f3a4b7c11';
const AZURE = {
  provider: 'azure',
  display_name: 'Azure',
  external_account_id: UUID,
  credential_type: 'azure_client_secret',
  credentials: { tenant_id: UUID.replace('3f', '4f'), client_id: UUID, client_secret: 'x~y.z-1' },
};
const GCP = {
  provider: 'gcp',
  display_name: 'Google',
  external_account_id: 'acme-prod-123456',
  credential_type: 'gcp_workload_identity',
  credentials: {
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/dpa/providers/dpa',
    service_account_email: 'dpa@acme-prod-123456.iam.gserviceaccount.com',
  },
};

describe('a cloud account', () => {
  test('it is added, read, listed, changed, validated and deleted', async () => {
    const made = await owner.post(path, ROLE);
    expect([made.status, made.body.status]).toEqual([201, 'active']);
    const at = made.headers.get('location') ?? '';
    expect((await viewer.get(at)).body).toEqual(made.body);
    expect((await viewer.get(`${path}?provider=aws`)).body).toMatchObject({ total: 1, limit: 50, offset: 0 });
    expect((await viewer.get(`${path}?provider=gcp`)).body.cloud_accounts).toEqual([]);

    const changed = await owner.send('PATCH', at, { regions: ['eu-west-1'], enabled: false });
    expect(changed.body).toMatchObject({ regions: ['eu-west-1'], enabled: false });

    const checked = await owner.post(`${at}/validate`, undefined);
    expect(checked.body).toMatchObject({ valid: true, external_account_id: '123456789012', error: null });

    expect((await owner.send('DELETE', at)).status).toBe(204);
    expect((await owner.get(at)).status).toBe(404);
  });

  test.each([
    ['AWS role', ROLE],
    ['AWS access key', accessKey()],
    ['AWS web identity', { ...ROLE, credential_type: 'aws_web_identity' }],
    ['Google workload identity', GCP],
    ['Azure client secret', AZURE],
  ])('%s: the response has no credentials', async (_type, body) => {
    const { status, body: made } = await owner.post(path, body);

    expect(status).toBe(201);
    expect(made).not.toHaveProperty('credentials');
    expect(JSON.stringify(made)).not.toContain(Object.values(body.credentials)[0]);
  });

  test('an account is updated only with its current ETag', async () => {
    const at = (await owner.post(path, ROLE)).headers.get('location') ?? '';
    const etag = (await owner.get(at)).headers.get('etag') ?? '';
    const rename = (display_name: string) => owner.send('PATCH', at, { display_name }, { 'if-match': etag });

    expect([(await rename('First')).status, (await rename('Late')).status]).toEqual([200, 412]);
    expect((await owner.get(at)).body.display_name).toBe('First');
  });

  test('repeating an addition under its key adds one account, and the same key with other credentials is refused', async () => {
    const key = { 'idempotency-key': `account-${org_id}` };
    const first = await owner.post(path, accessKey(), key);
    const again = await owner.post(path, accessKey(), key);
    const other = await owner.post(path, accessKey('another'), key);

    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([other.status, other.body.error_class]).toEqual([422, 'idempotency_key_reused']);
    expect(service.clouds.aws.opened).toHaveLength(1);
  });

  test('the limit of the plan holds for concurrent requests, and is shown', async () => {
    await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'free' });
    const accounts = ['111111111111', '222222222222', '333333333333'].map((external_account_id) => ({
      ...accessKey(),
      external_account_id,
    }));

    const statuses = (await Promise.all(accounts.map((one) => owner.post(path, one)))).map(({ status }) => status);

    expect(statuses.sort()).toEqual([201, 402, 402]);
    const { limits } = (await owner.get(`/api/v2/orgs/${org_id}/limits`)).body;
    expect(limits).toContainEqual({ resource: 'cloud_accounts', limit: 1, used: 1 });
  });

  test('a second instance on the same database opens what the first one stored', async () => {
    const at = (await owner.post(path, accessKey())).headers.get('location') ?? '';
    const second = await service.startProcess('api', SETTINGS);
    const there = await service.signIn('owner', second.url ?? '');

    expect((await there.post(`${at}/validate`, undefined)).body.valid).toBe(true);
    expect(service.clouds.aws.opened.at(-1)?.credentials).toEqual({
      credential_type: 'aws_access_key',
      ...accessKey().credentials,
    });
  });
});

describe('a request that is refused', () => {
  test.each<[string, object, RegExp]>([
    ['an account number with hyphens', { ...ROLE, external_account_id: '1234-5678-9012' }, /12 digits/],
    ['a project number', { ...GCP, external_account_id: '123456789012' }, /ID of a project/],
    ['a subscription name', { ...AZURE, external_account_id: 'Production' }, /must be a UUID/],
    ['a tenant domain', { ...AZURE, credentials: { ...AZURE.credentials, tenant_id: 'acme.com' } }, /must be a UUID/],
    [
      'the ARN of a user',
      { ...ROLE, credentials: { role_arn: 'arn:aws:iam::123456789012:user/x' } },
      /ARN of an IAM role/,
    ],
    [
      'an audience of another service',
      { ...GCP, credentials: { ...GCP.credentials, audience: 'https://x' } },
      /workload identity provider/,
    ],
    [
      'a personal Google address',
      { ...GCP, credentials: { ...GCP.credentials, service_account_email: 'a@gmail.com' } },
      /service account/,
    ],
    ['a region name', { ...ROLE, regions: ['EU (Ireland)'] }, /code of a region/],
    ['a region twice', { ...ROLE, regions: ['eu-west-1', 'eu-west-1'] }, /regions/],
    ['too many regions', { ...ROLE, regions: Array.from({ length: 51 }, (_, i) => `eu-west-${i}`) }, /regions/],
    ['an external ID', { ...ROLE, credentials: { ...ROLE.credentials, external_id: UUID } }, /external_id/],
    ['credentials of another type', { ...ROLE, credentials: accessKey().credentials }, /credentials/],
    [
      'credentials of another cloud',
      { ...ROLE, credential_type: 'azure_federated' },
      /provider|credentials|external_account_id/,
    ],
    ['an unknown type', { ...ROLE, credential_type: 'aws_profile' }, /credential_type/],
    ['a blank name', { ...ROLE, display_name: '  ' }, /visible character/],
    ['a secret that is too long', accessKey('x'.repeat(5_000)), /secret_access_key/],
  ])('%s is 400 with the reason', async (_what, body, reason) => {
    const { status, body: error } = await owner.post(path, body);

    expect([status, JSON.stringify([error.error, error.details])]).toEqual([400, expect.stringMatching(reason)]);
    expect(service.clouds.aws.opened).toEqual([]);
  });

  test('the key file of a person is 400, and the message says which file to use', async () => {
    const service_account_json = JSON.stringify({ type: 'authorized_user', refresh_token: 'secret' });
    const body = { ...GCP, credential_type: 'gcp_service_account_key', credentials: { service_account_json } };

    const { status, body: error } = await owner.post(path, body);

    expect([status, error.details]).toEqual([
      400,
      [
        {
          path: '/body/credentials/service_account_json',
          message: expect.stringContaining('the login of a person'),
          code: 'invalid_credentials',
        },
      ],
    ]);
  });

  test('a mismatch is 422 with an audit entry; a rejection is 422 and an outage 503, without one', async () => {
    const actions = async () =>
      (await service.admin_db('audit_log').where({ action: 'cloud_account.identity_mismatch_rejected' }).pluck('id'))
        .length;
    const before = await actions();
    const refuse = async () => {
      const { status, body } = await owner.post(path, ROLE);
      return [status, body.error_class, await actions()];
    };

    service.clouds.aws.actual_account = '999988887777';
    expect(await refuse()).toEqual([422, 'cloud_identity_mismatch', before + 1]);
    service.clouds.aws.reset();
    service.clouds.aws.fail('credential_error', 'the role does not trust this service');
    expect(await refuse()).toEqual([422, 'cloud_credentials_rejected', before + 1]);
    service.clouds.aws.fail('timeout', 'no response within 20 s');
    expect(await refuse()).toEqual([503, 'cloud_unreachable', before + 1]);
    expect((await owner.post(path, ROLE)).headers.get('retry-after')).toBe('30');
  });

  test('an update with unknown or no fields is 400', async () => {
    const at = (await owner.post(path, ROLE)).headers.get('location') ?? '';
    const statuses = await Promise.all(
      [{}, { status: 'active' }, { provider: 'gcp' }, { credential_type: 'aws_access_key' }, { credentials: {} }].map(
        async (changes) => (await owner.send('PATCH', at, changes)).status,
      ),
    );

    expect(statuses).toEqual([400, 400, 400, 400, 400]);
  });
});

describe('the setup document', () => {
  test('it shows the same external ID and subject that the cloud is asked with', async () => {
    const { aws } = (await owner.get(`${path}/setup?provider=aws`)).body;
    await owner.post(path, ROLE);

    const [target] = service.clouds.aws.opened;
    expect(target).toMatchObject({ token_subject: aws.oidc_subject, credentials: { external_id: aws.external_id } });
    expect(aws.principal_arn).toBe(SETTINGS.FEDERATION_AWS_PRINCIPAL_ARN);
  });

  test('it needs a cloud that exists', async () => {
    const ask = async (query: string) => (await owner.get(`${path}/setup${query}`)).status;

    expect(await Promise.all(['', '?provider=oci', '?provider=gcp', '?provider=azure'].map(ask))).toEqual([
      400, 400, 200, 200,
    ]);
  });
});

test('credentials are found only in their encrypted column', async () => {
  const secrets = [canary(), canary(), canary(), canary()];
  const [key = '', rotated = '', pem = '', client_secret = ''] = secrets;
  const service_account_json = JSON.stringify({
    type: 'service_account',
    project_id: 'acme-prod-123456',
    private_key_id: '0123456789abcdef',
    private_key: `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----\n`,
    client_email: 'dpa@acme-prod-123456.iam.gserviceaccount.com',
  });
  const bodies = [
    accessKey(key),
    { ...GCP, credential_type: 'gcp_service_account_key', credentials: { service_account_json } },
    { ...AZURE, credentials: { ...AZURE.credentials, client_secret } },
  ];
  const answers = [];
  for (const body of bodies) {
    answers.push(await owner.post(path, body, { 'idempotency-key': `canary-${body.provider}` }));
    // The same account again, and in forms that are refused.
    answers.push(await owner.post(path, body));
    answers.push(await owner.post(path, { ...body, external_account_id: '?' }));
    answers.push(await owner.post(path, { ...body, unknown: true }));
    answers.push(await owner.post(path, JSON.stringify(body).slice(0, -1)));
  }
  const at = answers[0]?.headers.get('location') ?? '';
  answers.push(await owner.send('PATCH', at, { credentials: accessKey(rotated).credentials }));
  service.clouds.aws.fail('credential_error', 'the access key is disabled');
  answers.push(await owner.send('PATCH', at, { credentials: accessKey(key).credentials }));
  service.clouds.aws.bug = new TypeError('a bug');
  answers.push(await owner.post(`${at}/validate`, undefined));
  service.clouds.aws.reset();
  answers.push(await owner.post(`${at}/validate`, undefined), await owner.get(path));

  expect(answers.map(({ body }) => canariesIn(JSON.stringify(body)))).toEqual(answers.map(() => []));
  expect(canariesIn(JSON.stringify(service.log_lines))).toEqual([]);
  expect(canariesIn(await dumpRows(service.admin_db))).toEqual([]);
  const opened = service.clouds.aws.opened.at(-1);
  expect(canariesIn(JSON.stringify(opened))).toEqual(canariesIn(rotated));
});

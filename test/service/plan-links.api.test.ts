import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clearInventory, insertResources } from '../helpers/inventory.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;
let owner: Caller;
let org_id: string;
let org: string;
let cloud_account_id: string;
beforeAll(async () => {
  service = await startTestService({ API_URL: 'https://api.example.com', FEDERATION_SUBJECT: 'deployment:test' });
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  org = `/api/v2/orgs/${org_id}`;
  const credentials = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalrXUtnFEMI' };
  const account = { provider: 'aws', display_name: 'Production', external_account_id: '123456789012', credentials };
  const { body } = await owner.post(`${org}/cloud-accounts`, { ...account, credential_type: 'aws_access_key' });
  cloud_account_id = body.id;
});
afterAll(() => service.close());
beforeEach(() => clearInventory(service.admin_db));

interface Change {
  type: string;
  name?: string;
  before?: object | null;
  importing?: { id: string };
  before_sensitive?: object;
}

/** A plan that changes the tag of each object. */
function buildPlan(changes: readonly Change[]): string {
  const resource_changes = changes.map(({ type, name = 'this', before = null, importing, before_sensitive }) => {
    const after = { ...before, tags: { team: 'web' } };
    const actions = before === null ? ['create'] : ['update'];
    const change = { actions, before, after, after_unknown: {}, ...(importing && { importing }) };
    const provider_name = `registry.terraform.io/hashicorp/${type.split('_')[0]}`;
    const address = `${type}.${name}`;
    return {
      ...{ address, mode: 'managed', type, name, provider_name },
      change: { ...change, ...(before_sensitive && { before_sensitive }) },
    };
  });
  return JSON.stringify({ format_version: '1.2', terraform_version: '1.12.1', resource_changes });
}

async function analyze(changes: readonly Change[], ci: object = {}) {
  const { status, body } = await owner.post(`${org}/analyze`, { plan_json: buildPlan(changes), ci });
  expect([status, body]).toEqual([202, expect.anything()]);
  const job = await service.waitForJob(owner, `${org}/llm-jobs/${body.job_id}`);
  expect(job.body).toMatchObject({ status: 'done' });
  const run = await owner.get(`${org}/scans/${body.scan_run_id}`);
  expect(run.body.result_json.changes).toEqual(job.body.result.changes);
  return { scan_run_id: body.scan_run_id as string, changes: job.body.result.changes };
}

async function linked(change: Change): Promise<string | null> {
  const { changes } = await analyze([change]);
  return changes[0].live_resource_id;
}

const found = (rows: Parameters<typeof insertResources>[2]) =>
  insertResources(service.admin_db, { org_id, cloud_account_id }, rows);
const links = async (id: string | undefined, query = '') =>
  (await owner.get(`${org}/resources/${id}/plan-links${query}`)).body;

test('without an inventory, changes are linked to nothing', async () => {
  expect(await linked({ type: 'aws_s3_bucket', before: { id: 'logs', bucket: 'logs' } })).toBeNull();
});

describe('a change is linked to a live resource', () => {
  const bucket = { provider_type: 'AWS::S3::Bucket', provider_resource_id: 'logs' };
  const queue_arn = 'arn:aws:sqs:eu-west-1:123456789012:web';
  const disk = '//compute.googleapis.com/projects/acme/zones/europe-west1-b/disks/data';
  const gcp = { provider: 'gcp', provider_type: 'compute.googleapis.com/Disk', provider_resource_id: disk };
  const arm =
    '/subscriptions/3f0c1e1c-6f6e-4a8e-9d4d-0c8f3a4b7c11/resourceGroups/Web/providers/Microsoft.Web/sites/Shop';
  const azure = { provider: 'azure', provider_type: 'microsoft.web/sites', provider_resource_id: arm.toLowerCase() };

  test.each([
    ['its ID, if the types agree', bucket, { type: 'aws_s3_bucket', before: { id: 'logs' } }],
    [
      'its ARN, which is another ID of the resource',
      { provider_type: 'AWS::SQS::Queue', provider_resource_id: 'https://sqs/web', aliases: [queue_arn] },
      { type: 'aws_sqs_queue', before: { id: 'web', arn: queue_arn } },
    ],
    [
      'an ID that says its kind',
      { provider_type: 'AWS::EC2::SecurityGroup', provider_resource_id: 'sg-0abc1234def567890' },
      { type: 'aws_default_security_group', before: { id: 'sg-0abc1234def567890' } },
    ],
    ['the path of a Google Cloud name', gcp, { type: 'google_compute_disk', before: { id: disk.slice(25) } }],
    [
      'a self link',
      gcp,
      {
        type: 'google_compute_disk',
        before: { id: 'x', self_link: `https://www.googleapis.com/compute/v1/${disk.slice(25)}` },
      },
    ],
    ['an ARM ID in other letter cases', azure, { type: 'azurerm_linux_web_app', before: { id: arm } }],
  ])('by %s', async (_how, row, change) => {
    const [id] = await found([row]);

    expect(await linked(change)).toBe(id);
    expect((await links(id)).links[0]).toMatchObject({ matched_by: 'provider_id', action: 'update' });
  });

  test('by the ID of an import block', async () => {
    const [id] = await found([bucket]);

    expect(await linked({ type: 'aws_s3_bucket', importing: { id: 'logs' } })).toBe(id);
    expect((await links(id)).links[0]).toMatchObject({ matched_by: 'importing' });
  });

  test('by its address in the state, if no ID matches', async () => {
    const [id] = await found([{ ...bucket, iac_resource_id: 'aws_s3_bucket.this' }]);

    expect(await linked({ type: 'aws_s3_bucket', before: { id: 'other' } })).toBe(id);
    expect((await links(id)).links[0]).toMatchObject({ matched_by: 'address', address: 'aws_s3_bucket.this' });
  });

  test('and the page of links shows the runs, newest first', async () => {
    const [id] = await found([bucket]);
    const change = { type: 'aws_s3_bucket', before: { id: 'logs', bucket: 'logs' } };
    const ci = { repo_owner: 'acme', repo_name: 'infra', repo_url: 'https://github.com/acme/infra.git', pr_number: 7 };
    const first = await analyze([change]);
    const second = await analyze([change], { ...ci, branch: 'main' });

    const page = await links(id);

    expect(page).toMatchObject({ total: 2, limit: 20, offset: 0 });
    expect(page.links.map((link: { scan_run_id: string }) => link.scan_run_id)).toEqual([
      second.scan_run_id,
      first.scan_run_id,
    ]);
    expect(page.links[0]).toMatchObject({
      ...{ repo_owner: 'acme', pr_number: 7, pr_url: 'https://github.com/acme/infra/pull/7', branch: 'main' },
      ...{ change_id: second.changes[0].id, risk_level: second.changes[0].risk.level },
    });
    expect(page.links[1]).toMatchObject({ pr_number: null, pr_url: null });
    expect((await links(id, '?limit=1&offset=1')).links).toHaveLength(1);
    expect((await links(id, '?limit=1000')).limit).toBe(100);
  });

  test('and a deleted analysis takes its links along', async () => {
    const [id] = await found([bucket]);
    const { scan_run_id } = await analyze([{ type: 'aws_s3_bucket', before: { id: 'logs' } }]);
    await service.admin_db('llm_jobs').where({ scan_run_id }).delete();
    await service.admin_db('scan_runs').where({ id: scan_run_id }).delete();

    expect(await links(id)).toMatchObject({ links: [], total: 0 });
  });
});

describe('a change is linked to nothing', () => {
  test('if the name belongs to a resource of another type', async () => {
    await found([{ provider_type: 'AWS::IAM::Role', provider_resource_id: 'logs' }]);

    expect(await linked({ type: 'aws_s3_bucket', before: { id: 'logs' } })).toBeNull();
  });

  test('if two resources have the same name and type', async () => {
    const role = { provider_type: 'AWS::IAM::Role', provider_resource_id: 'admin' };
    await found([role, { ...role, region: 'us-east-1' }]);

    expect(await linked({ type: 'aws_iam_role', before: { id: 'admin' } })).toBeNull();
  });

  test('if two resources are declared at the same address', async () => {
    const declared = { iac_resource_id: 'aws_s3_bucket.this' };
    await found([declared, declared]);

    expect(await linked({ type: 'aws_s3_bucket', before: { id: 'other' } })).toBeNull();
  });

  test('if the resource is gone', async () => {
    await found([{ provider_resource_id: 'logs', gone_at: new Date(), unseen_scans: 1 }, {}]);

    expect(await linked({ type: 'aws_s3_bucket', before: { id: 'logs' } })).toBeNull();
  });

  test('if it creates an object, also when the address is known', async () => {
    await found([{ iac_resource_id: 'aws_s3_bucket.this' }]);

    expect(await linked({ type: 'aws_s3_bucket' })).toBeNull();
  });
});

test('text of a plan that looks like a place for an ID stays as it is', async () => {
  const [id] = await found([{ provider_resource_id: 'logs' }]);
  const forged = '"live_resource_id":null,"0123456789abcdefchg_0123456789abcdef"';

  const { changes } = await analyze([
    { type: 'aws_s3_bucket', before: { id: 'logs', note: forged, tags: { a: forged } } },
  ]);

  expect(changes[0].live_resource_id).toBe(id);
  expect(JSON.stringify(changes)).toContain('chg_0123456789abcdef');
});

test('an ID that the plan marks as sensitive is not looked up', async () => {
  await found([{ provider_resource_id: 'sekret-bucket' }]);
  const before = { id: 'sekret-bucket' };

  expect(await linked({ type: 'aws_s3_bucket', before, before_sensitive: { id: true } })).toBeNull();
});

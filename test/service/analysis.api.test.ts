import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../engine/index.ts';
import { type Caller, planText, startTestService, type TestService } from '../helpers/service.ts';

describe('analyzing a plan over HTTP', () => {
  let service: TestService;
  let ana: Caller;
  let plan: string;
  beforeAll(async () => {
    service = await startTestService();
    ana = await service.signIn('ana');
    plan = await planText('every-action.json');
  });
  afterAll(() => service.close());

  let orgs = 0;
  async function makeOrg(caller = ana): Promise<string> {
    orgs += 1;
    const answer = await caller.post('/api/v2/orgs', { slug: `org-${orgs}`, display_name: `Org ${orgs}` });
    expect(answer.status).toBe(201);
    return answer.headers.get('location') ?? '';
  }

  test('a plan is accepted, analyzed by a worker, and the result is that of the engine', async () => {
    const org = await makeOrg();
    const ci = { repo_owner: 'acme', repo_name: 'infra', repo_url: 'https://github.com/acme/infra', pr_number: 7 };

    const accepted = await ana.post(`${org}/analyze`, { plan_json: plan, ci });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({ job_id: expect.any(String), scan_run_id: expect.any(String), status: 'pending' });
    expect(accepted.headers.get('retry-after')).toBe('5');
    const location = accepted.headers.get('location') ?? '';
    expect(location).toBe(`${org}/llm-jobs/${accepted.body.job_id}`);

    const { body } = await service.waitForJob(ana, location);
    expect(body).toMatchObject({ job_id: accepted.body.job_id, kind: 'analyze', status: 'done' });
    const { scan_run, trace_ids, ...analysis } = body.result;
    const { noise, ...expected } = withoutFingerprints(analyzePlan(plan));
    expect(withoutFingerprints(analysis)).toEqual({ noise: expect.anything(), ...expected });
    expect(noise).toBeDefined();
    expect(trace_ids).toEqual([]);
    expect(scan_run).toMatchObject({ id: accepted.body.scan_run_id, status: 'done', status_kind: 'ok', ...ci });

    const scan = await ana.get(`${org}/scans/${accepted.body.scan_run_id}`);
    expect(scan.body).toEqual({ ...scan_run, result_json: body.result });
    const list = await ana.get(`${org}/scans?repo_owner=acme&pr_number=7`);
    expect(list.body).toMatchObject({ limit: 50, offset: 0, total: 1, scans: [scan_run] });
    expect(list.body.scans[0]).not.toHaveProperty('result_json');
    const leads_to = { job_id: accepted.body.job_id, risk_level: body.result.risk_level };
    expect(list.body.scans[0]).toMatchObject(leads_to);
  });

  test('a finished job returns 304 for its own ETag, and the stored plan is deleted', async () => {
    const org = await makeOrg();
    const { headers, body } = await ana.post(`${org}/analyze`, { plan_json: plan });
    const location = headers.get('location') ?? '';
    const done = await service.waitForJob(ana, location);

    const again = await ana.get(location, { 'if-none-match': done.headers.get('etag') ?? '' });

    expect(again.status).toBe(304);
    expect(again.body).toBe('');
    expect(await service.admin_db('llm_jobs').where({ id: body.job_id }).first('payload_key')).toEqual({
      payload_key: null,
    });
  });

  test('repository names can have the length that the contract allows, in any script', async () => {
    const org = await makeOrg();
    const long = Array.from({ length: 500 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');
    const ci = { repo_owner: long, repo_name: [...long].reverse().join(''), branch: long, pr_number: 3 };

    const { status, headers } = await ana.post(`${org}/analyze`, { plan_json: plan, ci });

    expect(status).toBe(202);
    expect((await service.waitForJob(ana, headers.get('location') ?? '')).body.status).toBe('done');
  });

  test('a gzip body is accepted', async () => {
    const org = await makeOrg();
    const response = await fetch(`${service.url}${org}/analyze`, {
      method: 'POST',
      headers: { ...(await signCredential('ana')), 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ plan_json: plan })),
    });

    expect(response.status).toBe(202);
  });

  test.each<[string, unknown, string, string]>([
    ['text that is not JSON', 'nonsense', 'invalid_plan_json', 'plan'],
    ['a state', '{"version":4,"serial":1,"lineage":"x","resources":[]}', 'invalid_plan_json', 'state'],
    ['provider schemas', '{"format_version":"1.0","provider_schemas":{}}', 'invalid_plan_json', 'schema'],
    ['a truncated plan', '{"format_version":"1.2","resource_changes":[{"addr', 'invalid_plan_json', 'truncated'],
    ['a plan of a future version', '{"format_version":"2.0","resource_changes":[]}', 'unsupported_plan_version', '2.0'],
    ['endless nesting', `{"resource_changes":${'['.repeat(300)}${']'.repeat(300)}}`, 'invalid_plan_json', '200'],
    ['nothing', '', 'invalid_plan_json', 'empty'],
    ['20,001 changes', `{"resource_changes":[${Array(20_001).fill('{}')}]}`, 'invalid_plan_json', 'dpa analyze'],
  ])('%s is rejected before the 202 with its error class', async (_title, plan_json, error_class, word) => {
    const org = await makeOrg();

    const { status, body } = await ana.post(`${org}/analyze`, { plan_json });

    expect({ status, error_class: body.error_class }).toEqual({ status: 400, error_class });
    expect(body.error.toLowerCase()).toContain(word);
    expect((await ana.get(`${org}/scans`)).body.total).toBe(0);
  });

  test.each<[string, unknown, string, string]>([
    ['a nested object instead of text', { plan_json: { resource_changes: [] } }, 'invalid_request', '/body/plan_json'],
    ['a missing plan', {}, 'invalid_request', 'plan_json'],
    [
      'the removed llm_config',
      { plan_json: '{}', llm_config: {} },
      'unknown_field',
      'json: unknown field "llm_config"',
    ],
    ['an unknown field of ci', { plan_json: '{}', ci: { job: 1 } }, 'unknown_field', 'json: unknown field "job"'],
    [
      'a repository URL of another scheme',
      { plan_json: '{}', ci: { repo_url: 'javascript:1' } },
      'invalid_request',
      'repo_url',
    ],
    ['a pull request number of 0', { plan_json: '{}', ci: { pr_number: 0 } }, 'invalid_request', 'pr_number'],
    ['a body that is not JSON', '{"plan_json":', 'invalid_json', ''],
    ['a duplicate key', '{"plan_json":"{}","plan_json":"{}"}', 'invalid_json', 'plan_json'],
    ['an array', '[]', 'invalid_request', ''],
  ])('%s is a 400 with a message', async (_title, sent, error_class, text) => {
    const org = await makeOrg();

    const { status, body } = await ana.post(`${org}/analyze`, sent);

    expect({ status, error_class: body.error_class }).toEqual({ status: 400, error_class });
    expect(JSON.stringify(body)).toContain(JSON.stringify(text).slice(1, -1));
  });

  test('an invalid element ends the job in error with a readable message', async () => {
    const org = await makeOrg();
    const { headers, status } = await ana.post(`${org}/analyze`, { plan_json: '{"resource_changes":[{"address":1}]}' });
    expect(status).toBe(202);

    const { body } = await service.waitForJob(ana, headers.get('location') ?? '');

    expect(body).toMatchObject({ status: 'error', error_class: 'invalid_plan_json', error: expect.any(String) });
    expect(body).not.toHaveProperty('result');
    expect((await ana.get(`${org}/scans`)).body.scans[0]).toMatchObject({
      status: 'error',
      status_kind: 'failed',
      risk_level: null,
    });
  });

  test('the 31st plan within an hour is 429 with Retry-After', async () => {
    const org = await makeOrg();
    const small = JSON.stringify({ format_version: '1.2', resource_changes: [] });
    const statuses = new Map<number, number>();
    const answers = await Promise.all(
      Array.from({ length: 35 }, () => ana.post(`${org}/analyze`, { plan_json: small })),
    );
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);

    expect(Object.fromEntries(statuses)).toEqual({ 202: 30, 429: 5 });
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused?.body).toMatchObject({ error_class: 'analyze_rate_limited' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_500);
  });

  test('a platform admin can set the hourly limit of an organization', async () => {
    const org = await makeOrg();
    const submit = async () => (await ana.post(`${org}/analyze`, { plan_json: plan })).status;
    expect((await ana.get('/api/v2/admin/me')).body).toMatchObject({ is_platform_admin: true });
    const admin_path = org.replace('/orgs/', '/admin/orgs/');
    const setLimit = (most: number | null) => ana.send('PATCH', admin_path, { limits: { analyses_hourly: most } });

    expect((await setLimit(1)).status).toBe(200);
    expect([await submit(), await submit()]).toEqual([202, 429]);
    await setLimit(-1);
    expect(await submit()).toBe(202);
    await setLimit(null);
    const { limits } = (await ana.get(`${org}/limits`)).body;
    expect(limits).toContainEqual({ resource: 'analyses_hourly', limit: 30, used: 2 });
  });

  test('a deployment can change the hourly limit of all organizations', async () => {
    const deployment = await startTestService({ ANALYSES_PER_HOUR: '0' });
    const owner = await deployment.signIn('ana');
    const org = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).headers.get('location');
    const refused = await owner.post(`${org}/analyze`, { plan_json: plan });
    await deployment.close();

    expect([refused.status, refused.body.error_class]).toEqual([429, 'analyze_rate_limited']);
  });

  test('the same Idempotency-Key submits once', async () => {
    const org = await makeOrg();
    const submit = () => ana.post(`${org}/analyze`, { plan_json: plan }, { 'idempotency-key': 'pipeline-1' });

    const first = await submit();
    const second = await submit();

    expect(second.status).toBe(202);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await ana.get(`${org}/scans`)).body.total).toBe(1);
  });

  test('a sensitive value is not in the result, the database or the stored plan', async () => {
    const org = await makeOrg();
    const canary = 'c4n4ry-7f3a9b';
    const plan_json = JSON.stringify({
      format_version: '1.2',
      variables: { db_password: { value: canary } },
      resource_changes: [
        {
          address: 'aws_db_instance.main',
          mode: 'managed',
          type: 'aws_db_instance',
          name: 'main',
          provider_name: 'registry.terraform.io/hashicorp/aws',
          change: {
            actions: ['update'],
            before: { password: canary, notes: `was ${canary}` },
            after: { password: `${canary}-2`, notes: `is ${canary}-2` },
            after_unknown: {},
            before_sensitive: { password: true },
            after_sensitive: { password: true },
          },
        },
      ],
    });

    const { headers } = await ana.post(`${org}/analyze`, { plan_json });
    const { body } = await service.waitForJob(ana, headers.get('location') ?? '');

    expect(body.result.changes).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(canary);
    for (const table of ['llm_jobs', 'scan_runs', 'outbox', 'idempotency_keys']) {
      expect(JSON.stringify(await service.admin_db(table))).not.toContain(canary);
    }
  });

  async function signCredential(name: string): Promise<Record<string, string>> {
    const { signDevToken } = await import('../../server/adapters/oidc/index.ts');
    const token = await signDevToken({ data_dir: service.data_dir, email: `${name}@example.com`, production: false });
    return { authorization: `Bearer ${token}` };
  }
});

/** Fingerprints of changed values depend on the organization's key, which the engine alone does not have. */
function withoutFingerprints(analysis: object): Record<string, unknown> {
  const text = JSON.stringify(analysis, (key, value) => (key === 'fingerprints' ? [] : value));
  return { noise: true, ...JSON.parse(text) };
}

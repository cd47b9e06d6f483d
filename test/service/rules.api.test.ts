import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const NOISE = { version: 1, match: { resource_types: ['aws_s3_*'] }, attributes: ['tags.*'], severity: 'harmless' };
const PLAN = JSON.stringify({
  format_version: '1.2',
  resource_changes: [
    {
      address: 'aws_s3_bucket.logs',
      mode: 'managed',
      type: 'aws_s3_bucket',
      name: 'logs',
      provider_name: 'registry.terraform.io/hashicorp/aws',
      change: {
        actions: ['update'],
        before: { tags: { a: '1' } },
        after: { tags: { a: '2' } },
        after_unknown: {},
        before_sensitive: {},
        after_sensitive: {},
      },
    },
  ],
});

let service: TestService;
let owner: Caller;
let org: string;
let scan_run_id: string;
beforeAll(async () => {
  service = await startTestService();
  owner = await service.signIn('owner');
  org = `/api/v2/orgs/${(await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id}`;
  const { body } = await owner.post(`${org}/analyze`, { plan_json: PLAN });
  await service.waitForJob(owner, `${org}/llm-jobs/${body.job_id}`);
  scan_run_id = body.scan_run_id;
});
afterAll(() => service.close());

const block = (id: string) => ({ id, name: id, enabled: true, match: {}, effect: 'block', reason: 'Freeze.' });
const rule = (name: string) => ({ name, description: '', rule_type: 'noise', config: NOISE });

describe('conditional writes over HTTP', () => {
  test('a policy is overwritten only with its current ETag', async () => {
    const path = `${org}/risk-policy`;
    const etag = (await owner.get(path)).headers.get('etag') ?? '';
    const put = (id: string, tag: string) => owner.send('PUT', path, { rules: [block(id)] }, { 'if-match': tag });

    const first = await put('first', etag);
    const late = await put('late', etag);
    const next = await put('next', first.headers.get('etag') ?? '');

    expect([first.status, late.status, next.status]).toEqual([200, 412, 200]);
    expect(late.body.error_class).toBe('precondition_failed');
    const read = await owner.get(path);
    expect(read.body).toEqual(next.body);
    expect(read.headers.get('etag')).toBe(next.headers.get('etag'));
    expect((await owner.get(path, { 'if-none-match': next.headers.get('etag') ?? '' })).status).toBe(304);
  });

  test('a custom rule is overwritten only with its current ETag, and enabling it changes the ETag', async () => {
    const made = await owner.post(`${org}/custom-rules`, rule('Tags'));
    const path = made.headers.get('location') ?? '';
    const etag = (await owner.get(path)).headers.get('etag') ?? '';
    const { rule_type: _fixed, ...body } = rule('Tags of buckets');
    const put = (tag: string) => owner.send('PUT', path, body, { 'if-match': tag });

    await owner.send('PATCH', path, { enabled: false });
    const late = await put(etag);
    const known = await put((await owner.get(path)).headers.get('etag') ?? '');

    expect([made.status, late.status, known.status]).toEqual([201, 412, 200]);
    expect(known.body).toMatchObject({ name: 'Tags of buckets', enabled: false });
  });
});

test('repeating a creation under its key creates no second rule', async () => {
  const key = { 'idempotency-key': 'tags-1' };
  const first = await owner.post(`${org}/custom-rules`, rule('Once'), key);
  const again = await owner.post(`${org}/custom-rules`, rule('Once'), key);

  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

test('a replacement cannot contain the type', async () => {
  const { body } = await owner.post(`${org}/custom-rules`, rule('Typed'));
  const answer = await owner.send('PUT', `${org}/custom-rules/${body.id}`, rule('Typed'));

  expect([answer.status, answer.body.error_class]).toEqual([400, 'unknown_field']);
});

test('an invalid config is reported with the location of the fault', async () => {
  const config = { ...NOISE, match: { resource_types: ['aws_s3_*'], not: { types: ['x'] } } };
  const { status, body } = await owner.post(`${org}/custom-rules`, { ...rule('Faulty'), config });

  expect([status, body.error_class]).toEqual([400, 'invalid_config']);
  expect(body.details).toEqual([
    { path: '/body/config/match/not/types', message: expect.any(String), code: 'invalid_config' },
  ]);
});

test('a risk rule is in the catalog and can be disabled by its id', async () => {
  const { risk_rules } = (await owner.get('/api/v2/builtin-rules?provider=aws')).body;
  const open = risk_rules.find(
    ({ title }: { title: string }) => title === 'A port becomes reachable from the internet',
  );
  const of_one = risk_rules.find(({ resource_type }: { resource_type: string | null }) => resource_type !== null);

  for (const { id } of [open, of_one]) {
    const disabled = await owner.post(`${org}/disabled-rules`, { rule_type: 'risk', builtin_rule_id: id });
    expect([disabled.status, disabled.body.builtin_rule_id]).toEqual([201, id]);
    const again = await owner.post(`${org}/disabled-rules`, { rule_type: 'risk', builtin_rule_id: id });
    expect([again.status, again.body.error_class]).toEqual([409, 'already_disabled']);
    await owner.send('DELETE', `${org}/disabled-rules/${disabled.body.id}`);
  }
});

test('testing a rule and previewing a policy store nothing', async () => {
  const entries = () => service.admin_db('audit_log').count('* as count').first();
  const before = await entries();

  const tried = await owner.post(`${org}/custom-rules/test`, { rule_type: 'noise', config: NOISE, scan_run_id });
  const level = { ...block('low'), effect: 'set', level: 'high' };
  const previewed = await owner.post(`${org}/risk-policy/preview`, { rules: [level], scan_run_id });

  expect(tried.body).toEqual({
    matches: [{ address: 'aws_s3_bucket.logs', path: 'tags.a' }],
    match_count: 1,
    total_changes: 1,
  });
  expect(previewed.body).toMatchObject({ after: 'high', changed: [{ address: 'aws_s3_bucket.logs', after: 'high' }] });
  expect(await entries()).toEqual(before);
});

test('the limits of the organization count its rules', async () => {
  const { body } = await owner.get(`${org}/limits`);
  const rules = (await owner.get(`${org}/custom-rules`)).body.rules.length;

  expect(body.limits).toContainEqual({ resource: 'custom_rules', limit: 5, used: rules });
});

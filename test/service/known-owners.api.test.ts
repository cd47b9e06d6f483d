import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;
let owner: Caller;
let org_id: string;
let org: string;
let path: string;
beforeAll(async () => {
  service = await startTestService();
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  org = `/api/v2/orgs/${org_id}`;
  path = `${org}/known-owners`;
});
afterAll(() => service.close());

function planText(account: string): string {
  const destination = (id: string) => ({ destination_arn: `arn:aws:logs:eu-west-1:${id}:destination:x` });
  const change = { actions: ['update'], before: destination('111122223333'), after: destination(account) };
  const [type, name] = ['aws_cloudwatch_log_subscription_filter', 'audit'];
  const provider_name = 'registry.terraform.io/hashicorp/aws';
  const resource_changes = [{ address: `${type}.${name}`, mode: 'managed', type, name, provider_name, change }];
  const aws = { name: 'aws', expressions: { allowed_account_ids: { constant_value: ['111122223333'] } } };
  return JSON.stringify({ format_version: '1.2', resource_changes, configuration: { provider_config: { aws } } });
}

async function analyze(account: string): Promise<string[]> {
  const { body } = await owner.post(`${org}/analyze`, { plan_json: planText(account) });
  const job = await service.waitForJob(owner, `${org}/llm-jobs/${body.job_id}`);
  const [change] = job.body.result.changes;
  return change.risk.reasons.map(({ rule_id }: { rule_id: string }) => rule_id);
}

const list = async (query = '') => (await owner.get(`${path}${query}`)).body;
const listNames = async (query = '') => (await list(query)).owners.map((one: { owner: string }) => one.owner);

describe('owners of an organization', () => {
  test('a plan suggests owners of its prior values and configuration only, and suggestions change no verdict', async () => {
    expect(await analyze('444455556666')).toContain('R-DST-FOREIGN');
    expect(await analyze('444455556666')).toContain('R-DST-FOREIGN');

    expect(await list('?status=suggested')).toMatchObject({
      total: 1,
      owners: [{ owner: 'account:111122223333', kind: 'account', source: 'learned', plans_seen: 2 }],
    });
    expect((await list('?status=confirmed')).total).toBe(0);
  });

  test('an added owner counts in the next analysis and in the rule book, and stops counting when dismissed', async () => {
    const made = await owner.post(path, { owner: 'arn:aws:iam::444455556666:root', note: 'Central logs' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ owner: 'account:444455556666', status: 'confirmed', source: 'added' });
    const at = made.headers.get('location') ?? '';
    expect((await owner.get(at)).body).toEqual(made.body);

    expect(await analyze('444455556666')).not.toContain('R-DST-FOREIGN');
    expect((await owner.get(`${org}/rule-book`)).body.owners).toEqual(['account:444455556666']);

    await owner.send('PATCH', at, { status: 'dismissed' });
    expect(await analyze('444455556666')).toContain('R-DST-FOREIGN');
    expect((await owner.get(`${org}/rule-book`)).body.owners).toEqual([]);

    expect((await owner.send('DELETE', at)).status).toBe(204);
    expect((await owner.get(at)).status).toBe(404);
  });

  test('a suggestion counts once it is confirmed', async () => {
    await service.admin_db('known_owners').where({ org_id }).delete();
    await analyze('444455556666');
    await service
      .admin_db('known_owners')
      .where({ org_id, owner: 'account:111122223333' })
      .update({ owner: 'account:444455556666' });
    const [suggestion] = (await list()).owners;
    expect(await analyze('444455556666')).toContain('R-DST-FOREIGN');

    const confirmed = await owner.send('PATCH', `${path}/${suggestion.id}`, { status: 'confirmed' });

    expect(confirmed.body).toMatchObject({ status: 'confirmed', decided_by: 'owner@example.com' });
    expect(await analyze('444455556666')).not.toContain('R-DST-FOREIGN');
  });
});

describe('requests', () => {
  test('an owner that cannot be read is 400 with the reason, and one that is listed is 409', async () => {
    const invalid = await owner.post(path, { owner: 'github.com' });
    await owner.post(path, { owner: 'shop.example.com' });
    const again = await owner.post(path, { owner: 'https://www.example.com/' });

    expect([invalid.status, invalid.body.error_class]).toEqual([400, 'invalid_owner']);
    expect(invalid.body.error).toContain('"github.com" belongs to a vendor');
    expect(invalid.body.details).toMatchObject([{ path: '/body/owner', code: 'invalid_owner' }]);
    expect([again.status, again.body.error_class]).toEqual([409, 'known_owner_exists']);
  });

  test.each([
    ['an unknown field', { owner: 'example.net', status: 'suggested' }],
    ['no owner', { note: 'x' }],
    ['an empty owner', { owner: '' }],
    ['a control character', { owner: 'example.net\n' }],
    ['a note that is too long', { owner: 'example.net', note: 'x'.repeat(501) }],
  ])('a creation with %s is 400', async (_what, body) => {
    expect((await owner.post(path, body)).status).toBe(400);
    expect(await listNames()).not.toContain('example.net');
  });

  test.each([
    ['nothing', {}],
    ['a status that only analyses set', { status: 'suggested' }],
    ['another owner', { owner: 'example.net' }],
  ])('an update with %s is 400', async (_what, body) => {
    const [one] = (await list()).owners;

    expect((await owner.send('PATCH', `${path}/${one.id}`, body)).status).toBe(400);
  });

  test('an owner is updated only with its current ETag', async () => {
    const { body } = await owner.post(path, { owner: 'gitlab.com/acme' });
    const at = `${path}/${body.id}`;
    const etag = (await owner.get(at)).headers.get('etag') ?? '';
    const patch = (note: string) => owner.send('PATCH', at, { note }, { 'if-match': etag });

    const first = await patch('first');
    const late = await patch('late');

    expect([first.status, late.status]).toEqual([200, 412]);
    expect((await owner.get(at)).body.note).toBe('first');
    expect((await owner.get(at, { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
  });

  test('repeating an addition under its key adds one owner', async () => {
    const key = { 'idempotency-key': 'owner-1' };
    const first = await owner.post(path, { owner: 'quay.io/acme' }, key);
    const again = await owner.post(path, { owner: 'quay.io/acme' }, key);

    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('the list has pages and filters', async () => {
    const { total, limit, offset, owners } = await list('?limit=1&offset=1');
    const everything = await listNames('?limit=500');

    expect({ limit, offset, total }).toEqual({ limit: 1, offset: 1, total: everything.length });
    expect(owners[0].owner).toBe(everything[1]);
    expect(await listNames('?kind=registry')).toEqual(['quay.io/acme']);
    expect((await owner.get(`${path}?kind=planet`)).status).toBe(400);
    expect((await owner.get(`${path}?status=maybe`)).status).toBe(400);
  });

  test('the limits of the organization count confirmed owners, and 402 names the larger plan', async () => {
    await service.admin_db('org_limits').insert({ org_id, name: 'known_owners', value: 1 });
    const used = (await list('?status=confirmed')).total;

    const { body } = await owner.get(`${org}/limits`);
    const refused = await owner.post(path, { owner: 'example.net' });

    expect(body.limits).toContainEqual({ resource: 'known_owners', limit: 1, used });
    expect([refused.status, refused.body.resource]).toEqual([402, 'known_owners']);
  });
});

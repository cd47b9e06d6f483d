import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const WRITES = 20;

let service: TestService;
let root: Caller;
beforeAll(async () => {
  service = await startTestService();
  root = await service.signIn('root');
  await root.get('/api/v2/admin/me');
});
afterAll(() => service.close());

async function makeOrg(slug: string): Promise<string> {
  const { body } = await root.post('/api/v2/orgs', { slug, display_name: slug });
  await service.admin_db('orgs').where({ id: body.id }).update({ plan: 'enterprise' });
  return `/api/v2/orgs/${body.id}`;
}
const makeKey = (org: string, name: string) => root.post(`${org}/api-keys`, { name, scopes: ['read'] });
const extractId = (org: string) => org.split('/').at(-1) ?? '';

/** Changes that no role of the service and no ordinary statement can make. */
async function tamper(sql: string): Promise<void> {
  await service.admin_db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await trx.raw(sql);
  });
}

describe('a locked audit chain', () => {
  test('a locked chain costs its requests their row and at most ten seconds, but not their success, and does not affect others', async () => {
    const [held, free] = [await makeOrg('held'), await makeOrg('free')];
    const hold = await service.admin_db.transaction();
    await hold('audit_heads')
      .where({ org_id: extractId(held) })
      .forUpdate();

    const writes = Array.from({ length: WRITES }, (_, i) => makeKey(held, `key ${i}`));
    const elsewhere = await makeKey(free, 'key');
    const answers = await Promise.all(writes);
    await hold.rollback();

    expect(answers.map(({ status }) => status)).toEqual(Array(WRITES).fill(201));
    expect(elsewhere.status).toBe(201);
    const lost = service.log_lines.filter(({ msg }) => msg === 'audit log write failed');
    expect(lost).toHaveLength(WRITES);
    for (const line of lost) {
      expect(line).toMatchObject({ action: 'api_key.created', request_id: expect.any(String) });
    }
    expect((await makeKey(held, 'later')).status).toBe(201);
    expect((await root.get(`${held}/audit-log/verify`)).body).toMatchObject({ status: 'ok', checked: 2 });
  });
});

describe('verifying over HTTP', () => {
  test('a changed row and a truncated chain are detected', async () => {
    const org = await makeOrg('tampered');
    await makeKey(org, 'one');
    await makeKey(org, 'two');
    expect((await root.get(`${org}/audit-log/verify`)).body).toMatchObject({ status: 'ok', head_seq: 3 });

    await tamper(`delete from audit_log where org_id = '${extractId(org)}' and seq = 3`);
    expect((await root.get(`${org}/audit-log/verify`)).body).toMatchObject({ status: 'broken', broken_at_seq: 3 });
    expect(await root.get(`${org}/audit-log/verify?expected_min_seq=3`)).toMatchObject({
      status: 409,
      body: { error_class: 'chain_head_below_anchor', head_seq: 2, expected_min_seq: 3 },
    });

    await tamper(`update audit_log set actor_email = 'eve@example.com' where org_id = '${extractId(org)}' and seq = 1`);
    expect((await root.get(`/api/v2/admin/audit-log/verify?org_id=${extractId(org)}`)).body).toMatchObject({
      status: 'broken',
      reason: 'hash_mismatch',
      broken_at_seq: 1,
      checked: 1,
    });
  });

  test('an organization can verify ten times an hour, and the platform without limit', async () => {
    const org = await makeOrg('often');
    const asked = [];
    for (let i = 0; i < 11; i += 1)
      asked.push(await root.get(`${org}/audit-log/verify?expected_min_seq=${i % 2 === 0 ? 0 : 99}`));
    const platform = [];
    for (let i = 0; i < 12; i += 1) platform.push((await root.get('/api/v2/admin/audit-log/verify')).status);

    expect(asked.map(({ status }) => status)).toEqual([200, 409, 200, 409, 200, 409, 200, 409, 200, 409, 429]);
    expect(asked.at(-1)?.body.error_class).toBe('verify_rate_limited');
    expect(Number(asked.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(new Set(platform)).toEqual(new Set([200]));
  });
});

test('altered rows are listed with 200, whatever they contain', async () => {
  const org = await makeOrg('unlistable');
  for (const name of ['one', 'two', 'three', 'four']) await makeKey(org, name);
  await service.admin_db.raw('alter table audit_log drop constraint audit_log_detail_check');
  await service.admin_db.raw('alter table audit_log drop constraint audit_log_created_at_check');
  const edit = (seq: number, set: string) =>
    tamper(`update audit_log set ${set} where org_id = '${extractId(org)}' and seq = ${seq}`);
  await edit(1, "created_at = 'infinity'");
  await edit(2, "created_at = '-infinity', detail = '[]'");
  await edit(3, "created_at = created_at - interval '4000 years', detail = 'null'");
  await edit(4, "created_at = '294276-01-01', detail = (repeat('[', 6000) || repeat(']', 6000))::json");
  await edit(5, "detail = (repeat('{\"a\":', 6000) || 1 || repeat('}', 6000))::json");

  const listed = await root.get(`/api/v2/admin/audit-log?org_id=${extractId(org)}`);
  const everything = await root.get('/api/v2/admin/audit-log?since=2026-01-01T00:00:00.000Z');

  expect([listed.status, everything.status]).toEqual([200, 200]);
  const years = listed.body.map(({ created_at }: { created_at: string }) => created_at.slice(0, 4));
  expect(years).toEqual(['9999', '9999', expect.stringMatching(/^2/), '0001', '0001']);
  expect((await root.get(`${org}/audit-log/verify`)).body).toMatchObject({ status: 'broken', broken_at_seq: 1 });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openClouds } from '../../server/composition/clouds.ts';
import { newId } from '../../server/lib/ids.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const SHOP = {
  display_name: 'Shop',
  provider: 'aws',
  external_account_id: '210987654321',
  credential_type: 'aws_access_key',
  credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'fixture://shop' },
};
const DAILY = { name: 'Nightly', schedule: '30 2 * * *' };

let service: TestService;
let root: ReturnType<typeof withMethods>;
let owner: ReturnType<typeof withMethods>;
let org_id: string;
let org: string;
let account_id: string;

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
  // The first one who asks becomes the platform admin.
  root = withMethods(await service.signIn('root'));
  await root.get('/api/v2/admin/me');
  owner = withMethods(await service.signIn('owner'));
});
afterAll(() => service.close());
beforeEach(async () => {
  const slug = `org-${newId().slice(-12)}`;
  org_id = (await owner.post('/api/v2/orgs', { slug, display_name: slug })).body.id;
  await setPlan('team');
  org = `/api/v2/orgs/${org_id}`;
  account_id = (await owner.post(`${org}/cloud-accounts`, SHOP)).body.id;
});

function withMethods(caller: Caller) {
  return {
    ...caller,
    put: (path: string, body: unknown, headers?: Record<string, string>) => caller.send('PUT', path, body, headers),
    patch: (path: string, body: unknown) => caller.send('PATCH', path, body),
    delete: (path: string) => caller.send('DELETE', path),
  };
}

const setPlan = (plan: string) => service.admin_db('orgs').where({ id: org_id }).update({ plan });
const create = async (more: Record<string, unknown> = {}) =>
  (await owner.post(`${org}/schedules`, { ...DAILY, ...more })).body;
const get = async (id: string) => (await owner.get(`${org}/schedules/${id}`)).body;
const audited = () =>
  service.admin_db('audit_log').where({ org_id }).where('action', 'like', 'schedule.%').orderBy('seq');

/** Makes a schedule due now, by the clock of the database. */
async function makeDue(id: string): Promise<void> {
  await service
    .admin_db('schedules')
    .where({ id })
    .update({ next_run_at: service.admin_db.raw('clock_timestamp()') });
}

async function waitFor<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('records', () => {
  test('a created schedule has defaults, shows its next run, and is listed, changed and deleted', async () => {
    const created = await owner.post(`${org}/schedules`, { ...DAILY, name: ' Nightly ' });
    const { id, next_run_at } = created.body;

    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`${org}/schedules/${id}`);
    expect(created.body).toEqual({
      id,
      org_id,
      ...DAILY,
      cloud_account_id: null,
      enabled: true,
      filter_regions: [],
      notify_chat_channel: null,
      notify_webhook_config_ids: [],
      consecutive_failures: 0,
      disabled_reason: null,
      last_error: null,
      last_run_at: null,
      next_run_at,
      created_at: expect.any(String),
      created_by: 'owner@example.com',
      updated_at: expect.any(String),
    });
    expect(Date.parse(next_run_at)).toBeGreaterThan(Date.now());
    expect(next_run_at).toMatch(/T02:3\d:\d\d\.000Z$/);
    expect((await owner.get(`${org}/schedules`)).body).toEqual({
      schedules: [created.body],
      total: 1,
      limit: 50,
      offset: 0,
    });

    const changed = await owner.put(`${org}/schedules/${id}`, {
      schedule: '0  6 * * 1-5',
      notify_chat_channel: '#infra',
    });
    expect(changed.body).toMatchObject({ name: 'Nightly', schedule: '0 6 * * 1-5', notify_chat_channel: '#infra' });
    expect(changed.body.next_run_at).toMatch(/T06:0\d:\d\d\.000Z$/);
    const cleared = await owner.put(`${org}/schedules/${id}`, { notify_chat_channel: null, filter_regions: null });
    expect(cleared.body).toMatchObject({ notify_chat_channel: null, filter_regions: [] });

    expect((await owner.delete(`${org}/schedules/${id}`)).status).toBe(204);
    expect((await owner.get(`${org}/schedules/${id}`)).status).toBe(404);
    expect((await owner.get(`${org}/schedules`)).body.total).toBe(0);
    expect((await audited()).map(({ action, detail }) => ({ action, detail }))).toEqual([
      { action: 'schedule.created', detail: { schedule_id: id, name: 'Nightly' } },
      { action: 'schedule.updated', detail: { schedule_id: id } },
      { action: 'schedule.updated', detail: { schedule_id: id } },
      { action: 'schedule.deleted', detail: { schedule_id: id } },
    ]);
  });

  test('a change that changes nothing writes nothing', async () => {
    const schedule = await create();
    const { body, status } = await owner.put(`${org}/schedules/${schedule.id}`, { ...DAILY, enabled: true });

    expect(status).toBe(200);
    expect(body).toEqual(schedule);
    expect(await audited()).toHaveLength(1);
  });

  test('If-Match of an older state is rejected', async () => {
    const { id } = await create();
    const etag = (await owner.get(`${org}/schedules/${id}`)).headers.get('etag') ?? '';
    const change = (name: string) => owner.put(`${org}/schedules/${id}`, { name }, { 'if-match': etag });

    expect((await change('first')).status).toBe(200);
    expect((await change('second')).body).toMatchObject({ error_class: 'precondition_failed' });
  });

  test('a repeated request with the same Idempotency-Key creates one schedule', async () => {
    const headers = { 'idempotency-key': newId() };
    const [first, second] = [
      await owner.post(`${org}/schedules`, DAILY, headers),
      await owner.post(`${org}/schedules`, DAILY, headers),
    ];

    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await owner.get(`${org}/schedules`)).body.total).toBe(1);
  });

  test.each([
    ['61 * * * *', 'invalid_cron', '"61" is not valid in the field minute; use 0 to 59, "*", a list or a range'],
    ['@hourly * * * *', 'invalid_cron', 'nicknames such as "@hourly" are not supported; write the five fields'],
    ['0 0 31 2 *', 'invalid_cron', 'no date matches within four years; check the days of the month and the months'],
    [
      '0 0 L * *',
      'invalid_cron',
      '"L" is not valid in the field day of the month; use 1 to 31, "*", a list or a range',
    ],
  ])('the expression %s is rejected with an explanation', async (schedule, error_class, problem) => {
    const { status, body } = await owner.post(`${org}/schedules`, { ...DAILY, schedule });

    expect(status).toBe(400);
    expect(body).toMatchObject({ error_class, error: `"${schedule}" is not a usable cron expression: ${problem}` });
    expect(body.details).toEqual([{ path: '/body/schedule', message: problem, code: 'invalid_cron' }]);
  });

  test('accounts and webhook configurations must exist, and null is not a name', async () => {
    const stranger = await service.signIn('stranger');
    const other = (await stranger.post('/api/v2/orgs', { slug: `s-${newId().slice(-12)}`, display_name: 'S' })).body;
    const foreign = (await stranger.post(`/api/v2/orgs/${other.id}/cloud-accounts`, SHOP)).body.id;
    const { id } = await create();

    const post = (more: Record<string, unknown>) => owner.post(`${org}/schedules`, { ...DAILY, ...more });
    expect((await post({ cloud_account_id: foreign })).status).toBe(404);
    expect((await owner.put(`${org}/schedules/${id}`, { cloud_account_id: newId() })).status).toBe(404);
    const unknown = await post({ notify_webhook_config_ids: [newId()] });
    expect(unknown.status).toBe(400);
    expect(unknown.body.details[0].path).toBe('/body/notify_webhook_config_ids/0');
    expect((await post({ notify_chat_channel: 'infra' })).status).toBe(400);
    for (const field of ['name', 'schedule', 'enabled']) {
      expect((await owner.put(`${org}/schedules/${id}`, { [field]: null })).status).toBe(400);
    }
    const config = { provider: 'generic', provider_base_url: 'https://hooks.example.com/1' };
    const config_id = (await owner.post(`${org}/webhook-configs`, config)).body.id;
    expect((await post({ notify_webhook_config_ids: [config_id] })).status).toBe(201);
  });
});

describe('plan limits', () => {
  test('one schedule too many and a shorter interval than the plan allows are 402', async () => {
    await setPlan('free');
    const often = await owner.post(`${org}/schedules`, { ...DAILY, schedule: '0 */6 * * *' });
    expect(often.status).toBe(402);
    expect(often.body).toMatchObject({
      code: 'plan_schedule_frequency',
      error: 'plan_schedule_frequency',
      limit: 1_440,
      used: 360,
      plan: 'free',
      required_plan: 'team',
      resource: 'schedule_interval',
    });

    const { id } = await create({ enabled: false });
    expect((await owner.post(`${org}/schedules`, DAILY)).body).toMatchObject({
      code: 'plan_limit_exceeded',
      limit: 1,
      used: 1,
      required_plan: 'team',
      resource: 'schedules',
    });
    expect((await owner.put(`${org}/schedules/${id}`, { schedule: '0 * * * *' })).status).toBe(402);
    expect((await get(id)).schedule).toBe(DAILY.schedule);
  });

  test('a smaller plan disables the newest schedules and those that run too often, and they can be enabled again', async () => {
    const [first, often, third] = [await create(), await create({ schedule: '0 * * * *' }), await create()];
    expect((await root.patch(`/api/v2/admin/orgs/${org_id}`, { plan: 'free' })).status).toBe(200);

    expect(await get(first.id)).toMatchObject({ enabled: true, disabled_reason: null });
    for (const { id } of [often, third]) {
      expect(await get(id)).toMatchObject({ enabled: false, disabled_reason: 'plan_limit', next_run_at: null });
    }
    expect((await audited()).filter(({ actor_email }) => actor_email === '')).toHaveLength(2);
    expect((await owner.put(`${org}/schedules/${third.id}`, { enabled: true })).status).toBe(402);
    await owner.put(`${org}/schedules/${first.id}`, { enabled: false });
    expect((await owner.put(`${org}/schedules/${often.id}`, { enabled: true })).body.code).toBe(
      'plan_schedule_frequency',
    );
    const enabled = await owner.put(`${org}/schedules/${third.id}`, { enabled: true });
    expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null });
  });
});

describe('runs', () => {
  test('a due schedule is fired by the service, its scan runs, and the next run is shown', async () => {
    const schedule = await create({ cloud_account_id: account_id });
    await makeDue(schedule.id);

    const scan = await waitFor(async () => {
      const { scans } = (await owner.get(`${org}/scans?scan_type=scheduled`)).body;
      return scans.find(({ status }: { status: string }) => status === 'done');
    });
    expect(scan).toMatchObject({ cloud_account_id: account_id, scan_type: 'scheduled' });
    const fired = await get(schedule.id);
    expect(fired).toMatchObject({ next_run_at: schedule.next_run_at, last_error: null, consecutive_failures: 0 });
    expect(fired.last_run_at).not.toBeNull();
  });

  test('a run by hand scans now, also for a disabled schedule, and keeps the next run', async () => {
    const schedule = await create({ enabled: false });
    const { status, body } = await owner.post(`${org}/schedules/${schedule.id}/run`, undefined);

    expect(status).toBe(202);
    expect(body).toEqual({ count: 1, scan_ids: [expect.any(String)] });
    const scan = (await owner.get(`${org}/scans/${body.scan_ids[0]}`)).body;
    expect(scan).toMatchObject({ cloud_account_id: account_id, scan_type: 'manual' });
    expect(await get(schedule.id)).toMatchObject({ next_run_at: null, last_run_at: expect.any(String) });
    const { action, actor_email, detail } = (await audited()).at(-1);
    expect({ action, actor_email, detail }).toEqual({
      action: 'schedule.run_triggered',
      actor_email: 'owner@example.com',
      detail: { schedule_id: schedule.id, count: 1 },
    });
  });

  test('a run by hand beyond the limit of scans is 402, and without any account it is empty', async () => {
    const schedule = await create();
    await service.admin_db('org_limits').insert({ org_id, name: 'concurrent_scans', value: 0 });
    const refused = await owner.post(`${org}/schedules/${schedule.id}/run`, undefined);
    expect(refused.status).toBe(402);
    expect(refused.body.resource).toBe('concurrent_scans');

    await owner.patch(`${org}/cloud-accounts/${account_id}`, { enabled: false });
    expect((await owner.post(`${org}/schedules/${schedule.id}/run`, undefined)).body).toEqual({
      count: 0,
      scan_ids: [],
    });
    const own = await create({ cloud_account_id: account_id });
    expect((await owner.post(`${org}/schedules/${own.id}/run`, undefined)).body.error_class).toBe(
      'cloud_account_disabled',
    );
  });

  test('deleting an account disables its schedules, and another account is the way back', async () => {
    const schedule = await create({ cloud_account_id: account_id });
    await owner.delete(`${org}/cloud-accounts/${account_id}`);

    expect(await get(schedule.id)).toMatchObject({ enabled: false, disabled_reason: 'account_deleted' });
    const run = await owner.post(`${org}/schedules/${schedule.id}/run`, undefined);
    expect(run.status).toBe(404);
    expect(run.body.error).toBe('the cloud account of the schedule was deleted; choose another one');
    expect((await owner.put(`${org}/schedules/${schedule.id}`, { enabled: true })).status).toBe(404);
    const fixed = await owner.put(`${org}/schedules/${schedule.id}`, { enabled: true, cloud_account_id: null });
    expect(fixed.body).toMatchObject({ enabled: true, disabled_reason: null, cloud_account_id: null });
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PlatformError } from '../../../server/adapters/scm/types.ts';
import { findSchedule } from '../../../server/domains/schedules/store.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import {
  createTrackers,
  type FakeIssueHost,
  startGithubIssues,
  startGitlabIssues,
} from '../../adapters/scm/issues/setup.ts';
import { type MadeSchedule, type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let under: NotificationsUnderTest;
let host: FakeIssueHost;
let owner: Principal;
let org: string;
let account: string;
let schedule: MadeSchedule;
let config: string;
beforeAll(async () => {
  under = await setUpNotifications();
});
afterAll(() => under.database.close());
afterEach(() => host.stop());

async function setUpHost(start: () => Promise<FakeIssueHost>, given: { api_token?: null } = {}): Promise<void> {
  host = await start();
  ({ owner, org } = await under.makeOwner());
  account = await under.makeAccount(org, owner.user.id);
  under.host.token_probe = { status: 'active', user_id: '4711', expires_at: null };
  const { provider, repo_path, api_token } = host.access;
  const token = given.api_token === null ? {} : { api_token };
  const created = await under.webhooks.configs.create(owner, org, { provider, repo_path, ...token });
  config = created.config.id;
  schedule = await under.makeSchedule(org, owner.user.id, { webhook_config_ids: [config] });
  // The clock of the fake hosts is the real one.
  under.clock.now = new Date();
  const { open } = createTrackers();
  under.git_host.open = (access) => open({ ...access, provider_base_url: host.access.provider_base_url });
}

async function scan(
  items: Parameters<typeof under.snapshot>[2]['items'],
  { of = account, by = schedule as MadeSchedule | null } = {},
): Promise<void> {
  await under.pass(org, MINUTE_MS);
  const { scan_run_id } = await under.snapshot(org, of, { items });
  if (by !== null) await under.startedBy(scan_run_id, by);
  await under.work(org);
}

const readSchedule = async () => under.database.db.readInOrg(org, (read) => findSchedule(read, org, schedule.id));
const issues = () => host.issues();

describe.each([
  ['GitHub', startGithubIssues],
  ['GitLab', startGitlabIssues],
])('the issue of a schedule at %s', (_name, start) => {
  beforeEach(() => setUpHost(start));

  test('is opened with the drift, follows it, is closed with it, and is opened again', async () => {
    await scan({ a: 'low' });
    expect(issues()).toMatchObject([{ title: 'Drift: nightly', is_open: true, comments: [] }]);
    expect(issues()[0]?.body).toContain('`a` changed outside of the code, low');

    await scan({ a: 'low', b: 'low' });
    expect(issues()[0]?.body).toContain('`b`');
    expect(issues()[0]?.comments).toEqual([]);
    await scan({ a: 'low', b: 'low', c: 'critical' });
    expect(issues()[0]?.comments).toEqual([expect.stringContaining('risk is now critical')]);

    await scan({});
    expect(issues()).toMatchObject([{ is_open: false, comments: [{}, {}].map(() => expect.any(String)) }]);
    expect(issues()[0]?.comments[1]).toContain('all differences are gone');
    await scan({ d: 'medium' });
    expect(issues()).toMatchObject([{ is_open: true, body: expect.stringContaining('`d`') }]);
    expect(issues()[0]?.comments).toHaveLength(3);
  });

  test('is not created twice when the process is killed before its number is stored', async () => {
    host.fail({ method: 'POST', status: 0, is_processed: true });
    await scan({ a: 'high' });
    expect(issues()).toHaveLength(1);

    await under.pass(org, HOUR_MS);

    expect(issues()).toHaveLength(1);
    expect(await under.deliveries(org)).toMatchObject([{ status: 'delivered', attempts: 2, target_kind: 'issue' }]);
    await scan({});
    expect(issues()).toMatchObject([{ is_open: false }]);
  });

  test('has each comment once when the response to it was lost', async () => {
    await scan({ a: 'low' });
    host.fail({ method: 'POST', status: 0, is_processed: true });
    await scan({ a: 'critical' });
    await under.pass(org, HOUR_MS);

    expect(issues()[0]?.comments).toHaveLength(1);
    expect((await under.deliveries(org)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });

  test('waits as long as the host asks for', async () => {
    host.fail({ method: 'POST', status: 429, headers: { 'retry-after': '600' } });
    await scan({ a: 'high' });
    const [{ next_attempt_at }] = await under.deliveries(org);
    expect(next_attempt_at.getTime()).toBeGreaterThanOrEqual(under.clock.now.getTime() + 600_000);
    // The tracker keeps the pause of its host, so another process writes the issue.
    const { open } = createTrackers();
    under.git_host.open = (access) => open({ ...access, provider_base_url: host.access.provider_base_url });
    await under.pass(org, HOUR_MS);

    expect(issues()).toHaveLength(1);
  });

  test('is replaced if somebody has deleted it', async () => {
    await scan({ a: 'low' });
    host.deleteIssues();
    await scan({ a: 'low', b: 'low' });

    expect(issues()).toMatchObject([{ is_open: true, body: expect.stringContaining('`b`') }]);
  });

  test.each<[string, (one: FakeIssueHost) => void, RegExp]>([
    ['issues are turned off', (one) => one.turnOffIssues(), /has no issues; turn them on/],
    ['the repository is gone', (one) => one.hideRepository(), /does not exist, has moved/],
    ['the repository is archived', (one) => one.archive(), /is archived/],
    ['the permission is missing', (one) => one.takePermission(), /may not write issues/],
  ])('shows a reason when %s', async (_title, change, reason) => {
    change(host);
    await scan({ a: 'high' });

    const [failed] = await under.deliveries(org);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringMatching(reason) });
    expect(await readSchedule()).toMatchObject({ last_error: expect.stringMatching(reason) });
  });
});

describe('the issue of a schedule', () => {
  beforeEach(() => setUpHost(startGitlabIssues));

  test('is written after the next scan when an obstacle is gone, and the reason disappears', async () => {
    under.git_host.open = () => {
      throw new Error('not asked');
    };
    await under.database.admin_db('webhook_configs').where({ id: config }).update({ api_token_status: 'expired' });
    await scan({ a: 'high' });
    expect(await readSchedule()).toMatchObject({ last_error: expect.stringContaining('no_api_token') });

    const { open } = createTrackers();
    under.git_host.open = (access) => open({ ...access, provider_base_url: host.access.provider_base_url });
    await under.database.admin_db('webhook_configs').where({ id: config }).update({ api_token_status: 'active' });
    await scan({ a: 'high' });

    expect(issues()).toMatchObject([{ is_open: true, body: expect.stringContaining('`a`') }]);
    expect(await readSchedule()).toMatchObject({ last_error: null });
  });

  test('follows what any scan of the accounts of its schedule sees', async () => {
    await scan({ a: 'high' }, { by: null });
    expect(issues()).toMatchObject([{ is_open: true }]);

    await scan({ a: 'high' });
    expect(issues()).toMatchObject([{ is_open: true, comments: [] }]);
    const other = await under.makeSchedule(org, owner.user.id, { name: 'weekly', channel: 'C9' });
    await scan({}, { by: other });
    expect(issues()).toMatchObject([{ is_open: false }]);
  });

  test('of a schedule that starts later is written after the next scan', async () => {
    const own = () => under.database.admin_db('schedules').where({ id: schedule.id });
    await own().update({ enabled: false, next_run_at: null });
    await scan({ a: 'high' }, { by: null });
    expect(issues()).toEqual([]);

    await own().update({ enabled: true, next_run_at: under.clock.now });
    await scan({ a: 'high' }, { by: null });
    expect(issues()).toMatchObject([{ is_open: true }]);
  });

  test('is about all accounts of the schedule, and is closed when none has drift', async () => {
    const other = await under.makeAccount(org, owner.user.id, 'stage');
    await scan({ a: 'low' });
    await scan({ b: 'high' }, { of: other });
    expect(issues()).toHaveLength(1);
    expect(issues()[0]?.comments).toHaveLength(1);

    await scan({});
    expect(issues()).toMatchObject([{ is_open: true }]);
    await scan({}, { of: other });
    expect(issues()).toMatchObject([{ is_open: false }]);
  });

  test('two events at a time create one issue', async () => {
    const other = await under.makeAccount(org, owner.user.id, 'stage');
    for (const of of [account, other]) {
      const { scan_run_id } = await under.snapshot(org, of, { items: { a: 'high' } });
      await under.startedBy(scan_run_id, schedule);
    }
    await Promise.all(under.queued.events.splice(0).map((id) => under.another().decisions.decide({ org_id: org, id })));
    await under.pass(org, MINUTE_MS);

    expect(issues()).toHaveLength(1);
  });

  test('gets a comment when the schedule is disabled, and a failed scan changes nothing', async () => {
    const disable = async () => {
      await under.database
        .admin_db('schedules')
        .where({ id: schedule.id })
        .update({ enabled: false, next_run_at: null, disabled_reason: 'account_deleted' });
      await under.database.db.inOrg(org, (trx) =>
        under.notifications.record(trx, org, { source: 'schedule', source_id: schedule.id }),
      );
      await under.work(org);
    };
    await disable();
    expect(issues()).toEqual([]);

    await scan({ a: 'high' });
    const id = await under.insertScan(org, account, { status: 'error', scan_errors: '[]' });
    await under.startedBy(id, schedule);
    await under.database.db.inOrg(org, (trx) =>
      under.notifications.record(trx, org, { source: 'scan', source_id: id }),
    );
    await disable();

    expect(issues()).toMatchObject([{ is_open: true }]);
    expect(issues()[0]?.comments).toEqual([expect.stringContaining('Its cloud account was deleted.')]);
  });

  test('is not written for a schedule that was deleted meanwhile', async () => {
    await under.pass(org, MINUTE_MS);
    const { scan_run_id } = await under.snapshot(org, account, { items: { a: 'high' } });
    await under.startedBy(scan_run_id, schedule);
    for (const id of under.queued.events.splice(0)) await under.notifications.decisions.decide({ org_id: org, id });
    const gone = { deleted_at: under.clock.now, next_run_at: null };
    await under.database.admin_db('schedules').where({ id: schedule.id }).update(gone);
    await under.work(org);

    expect(issues()).toEqual([]);
    expect(await under.deliveries(org)).toMatchObject([{ status: 'failed', error: 'the schedule was deleted' }]);
  });

  test('is retried when the host is unavailable, and never repeats a rejected token', async () => {
    let calls = 0;
    const unavailable = () => {
      calls += 1;
      return Promise.reject(new PlatformError('unavailable', 'the host is not available'));
    };
    under.git_host.open = () => ({
      find: unavailable,
      create: unavailable,
      update: unavailable,
      hasComment: unavailable,
      comment: unavailable,
      explain: unavailable,
    });
    await scan({ a: 'high' });
    for (let hours = 0; hours < 30; hours += 1) await under.pass(org, HOUR_MS);

    expect(calls).toBe(8);
    expect(await under.deliveries(org)).toMatchObject([{ status: 'failed', attempts: 8 }]);
    expect(await readSchedule()).toMatchObject({ last_error: 'the host is not available' });
  });
});

test('a repository without a token shows the code no_api_token', async () => {
  await setUpHost(startGithubIssues, { api_token: null });
  await scan({ a: 'high' });

  expect(await under.deliveries(org)).toMatchObject([
    { status: 'failed', error: expect.stringContaining('no_api_token') },
  ]);
});

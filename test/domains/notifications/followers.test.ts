import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findSchedule } from '../../../server/domains/schedules/store.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { type MadeSchedule, type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const MINUTE_MS = 60_000;

let under: NotificationsUnderTest;
let owner: Principal;
let org: string;
let account: string;
beforeAll(async () => {
  under = await setUpNotifications();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  account = await under.makeAccount(org, owner.user.id);
  under.chat.posted.splice(0);
  under.chosen['default_notify_channel'] = 'C0';
});

const follow = (channel: string | null, more: Partial<MadeSchedule> = {}) =>
  under.makeSchedule(org, owner.user.id, { channel, ...more });
const change = (table: string, id: string, fields: object) =>
  under.database.admin_db(table).where({ id }).update(fields);

async function scan(items: Parameters<typeof under.snapshot>[2]['items'], by?: MadeSchedule): Promise<void> {
  await under.pass(org, 10 * MINUTE_MS);
  const { scan_run_id } = await under.snapshot(org, account, { items });
  if (by !== undefined) await under.startedBy(scan_run_id, by);
  await under.work(org);
}

const channels = () =>
  under.chat
    .roots()
    .map(({ channel }) => channel)
    .sort();
const titles = () => under.chat.roots().map(({ revisions }) => revisions.at(-1)?.text.split(':')[0]);

test('all schedules of an account are notified of its drift and of its end, whichever scan sees it', async () => {
  const nightly = await follow('C1');
  const weekly = await follow('C2');
  await change('schedules', nightly.id, { cloud_account_id: account });

  await scan({ a: 'high' }, nightly);
  expect(channels()).toEqual(['C1', 'C2']);
  await scan({}, weekly);
  expect(titles()).toEqual(['Drift resolved', 'Drift resolved']);
});

test('each target is notified once, also if two schedules and the organization name it', async () => {
  await under.notifications.targets.create(owner, org, { kind: 'slack', channel: 'C1', min_level: 'critical' });
  await follow('C1');
  await follow('C1');
  await follow(null);

  await scan({ a: 'low' });
  expect(channels()).toEqual(['C0', 'C1']);
});

test('the organization is notified if a schedule of the account has no targets, or if no schedule scans it', async () => {
  const own = await follow('C1');
  await scan({ a: 'low' }, own);
  expect(channels()).toEqual(['C1']);

  await follow(null);
  await scan({ a: 'low', b: 'low' }, own);
  expect(channels()).toEqual(['C0', 'C1']);

  under.chat.posted.splice(0);
  account = await under.makeAccount(org, owner.user.id, 'stage');
  await under.database.admin_db('schedules').where({ org_id: org }).update({ enabled: false, next_run_at: null });
  await scan({ a: 'low' });
  expect(channels()).toEqual(['C0']);
});

test('a disabled or deleted schedule, one of another account, and one of all accounts if this one is disabled are not notified', async () => {
  const starter = await follow('C1');
  await change('schedules', (await follow('C2')).id, { enabled: false, next_run_at: null });
  await change('schedules', (await follow('C3')).id, { deleted_at: under.clock.now, next_run_at: null });
  const other = await under.makeAccount(org, owner.user.id, 'stage');
  await change('schedules', (await follow('C4')).id, { cloud_account_id: other });
  await follow('C5');
  await change('cloud_accounts', account, { enabled: false });

  await scan({ a: 'low' }, starter);
  expect(channels()).toEqual(['C1']);
});

test('the schedule that started a scan is notified of it, also if it was disabled since', async () => {
  const starter = await follow('C1');
  await follow('C2');
  await change('schedules', starter.id, { enabled: false, next_run_at: null });

  await scan({ a: 'low' }, starter);
  expect(channels()).toEqual(['C1', 'C2']);
});

test('a server of two schedules receives an event once, and it names the schedule that started the scan', async () => {
  const generic = { provider: 'generic' as const, provider_base_url: under.server.url };
  const { config } = await under.webhooks.configs.create(owner, org, generic);
  await follow(null, { webhook_config_ids: [config.id] });
  const weekly = await follow(null, { name: 'weekly', webhook_config_ids: [config.id] });

  await scan({ a: 'low' }, weekly);
  const sent = await under.database.admin_db('webhook_deliveries').where({ config_id: config.id });
  expect(sent).toHaveLength(1);
  const [event] = await under.database.admin_db('notification_events').where({ org_id: org });
  expect(event.data.schedule).toEqual({ id: weekly.id, name: 'weekly' });
});

test('the first failure in a row is sent to all schedules of the account', async () => {
  const nightly = await follow('C1');
  const weekly = await follow('C2');
  for (const starter of [nightly, weekly]) {
    const scan_errors = JSON.stringify([{ code: 'credential_error', message: 'AWS rejects the credentials.' }]);
    const id = await under.insertScan(org, account, { status: 'error', scan_errors, schedule_id: starter.id });
    await under.database.db.inOrg(org, (trx) =>
      under.notifications.record(trx, org, { source: 'scan', source_id: id }),
    );
    await under.work(org);
  }
  expect(channels()).toEqual(['C1', 'C2']);
});

test('a channel that two schedules share shows its error at both', async () => {
  const schedules = [await follow('C1'), await follow('C1')];
  const errors = async () => {
    const rows = schedules.map(({ id }) => under.database.db.readInOrg(org, (read) => findSchedule(read, org, id)));
    return (await Promise.all(rows)).map((row) => row?.last_error ?? null);
  };
  const error = 'the app is not in the channel';
  under.chat.failNext({ code: 'not_in_channel', error, is_final: true, retry_after_ms: null });
  await scan({ a: 'high' });
  expect(await errors()).toEqual([error, error]);

  await scan({ a: 'high', b: 'high' });
  expect(await errors()).toEqual([null, null]);
});

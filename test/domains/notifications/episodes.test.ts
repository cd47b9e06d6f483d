import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SlackMessage } from '../../../server/domains/notifications/slack-blocks.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { listTexts } from '../../helpers/block-kit.ts';
import { type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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
  under.mails.splice(0);
  under.queued.deliveries.splice(0);
  under.clock.now = new Date('2026-03-02T12:00:00.000Z');
  Object.assign(under.chosen, { default_notify_channel: '#infra', notify_quiet_hours: null, notify_digest_at: null });
});

/** A scan a minute later that found these differences. */
async function scan(items: Parameters<typeof under.snapshot>[2]['items'], of = account, is_incomplete = false) {
  await under.pass(org, MINUTE_MS);
  const stored = await under.snapshot(org, of, { items, is_incomplete });
  await under.work(org);
  return stored;
}

const show = (message: object | undefined) => listTexts(message as SlackMessage).join('\n');
const showNewest = (place: number) => show(under.chat.roots()[place]?.revisions.at(-1));

describe('the message about an account', () => {
  test('is posted once, updated silently, and answered when it is worse or resolved', async () => {
    await scan({ a: 'medium' });
    await scan({ a: 'medium' });
    await scan({ a: 'medium', b: 'low' });
    await scan({ b: 'low' });
    await scan({ b: 'critical' });
    await under.pass(org, 26 * HOUR_MS);
    await scan({});

    const { roots, replies } = under.chat;
    expect(roots()).toHaveLength(1);
    expect(roots()[0]?.revisions).toHaveLength(5);
    expect(replies().map(({ thread_ts, revisions: [message] }) => [thread_ts, message?.text])).toEqual([
      ['1.0', 'prod: 1 new difference, risk is now critical. 0 new, 1 changed, 0 missing.'],
      ['1.0', 'prod: all differences are gone after 1 day 2 hours.'],
    ]);
    expect(showNewest(0)).toContain('Drift resolved: prod');
  });

  test('opens again after it was resolved', async () => {
    await scan({ a: 'high' });
    await scan({});
    await under.pass(org, HOUR_MS);
    await scan({ a: 'high' });

    expect(under.chat.roots()).toHaveLength(2);
  });

  test('stays open after a scan that could not read what it read before', async () => {
    await scan({ a: 'high' });
    await scan({}, account, true);

    expect(showNewest(0)).toContain('Drift detected');
    expect(under.chat.replies()).toHaveLength(0);
  });

  test('is resolved by a scan with the same gaps as before', async () => {
    await scan({ a: 'high' }, account, true);
    await scan({}, account, true);

    expect(showNewest(0)).toContain('Drift resolved');
  });

  test('is shared by accounts that open within five minutes', async () => {
    const other = await under.makeAccount(org, owner.user.id, 'stage');
    const late = await under.makeAccount(org, owner.user.id, 'lab');

    await scan({ a: 'low' });
    await scan({ a: 'critical' }, other);
    await under.pass(org, 10 * MINUTE_MS);
    await scan({ a: 'low' }, late);

    expect(under.chat.roots()).toHaveLength(2);
    expect(showNewest(0)).toContain('Drift detected: 2 accounts');
    expect(showNewest(1)).toContain('Drift detected: lab');
    expect(under.chat.replies().map(({ revisions: [message] }) => message?.text)).toEqual([
      expect.stringContaining('stage: '),
    ]);
  });

  test('does not begin below the level of its target', async () => {
    under.chosen['default_notify_channel'] = null;
    await under.notifications.targets.create(owner, org, { kind: 'slack', channel: 'C1', min_level: 'high' });

    await scan({ a: 'medium' });
    expect(under.chat.posted).toHaveLength(0);
    await scan({ a: 'medium', b: 'high' });
    expect(under.chat.roots()).toMatchObject([{ channel: 'C1' }]);
  });

  test('is not affected by a snapshot that was computed before the last one', async () => {
    await under.pass(org, MINUTE_MS);
    const before = await under.snapshot(org, account, { items: {} });
    const [late] = under.queued.events.splice(0);
    await scan({ a: 'high' });
    under.queued.events.push(late ?? '');
    await under.work(org);

    expect(before.id).not.toBe('');
    expect(showNewest(0)).toContain('Drift detected');
  });
});

describe('quiet hours and the digest', () => {
  test('quiet hours postpone every message and drop none', async () => {
    under.chosen['notify_quiet_hours'] = '20:00-06:00';
    under.clock.now = new Date('2026-03-02T21:00:00.000Z');
    await scan({ a: 'critical' });
    await under.pass(org, 8 * HOUR_MS);
    expect(under.chat.posted).toHaveLength(0);

    await under.pass(org, 2 * HOUR_MS);

    expect(under.chat.roots()).toHaveLength(1);
  });

  test('differences that are gone before the end of quiet hours are reported as resolved', async () => {
    under.chosen['notify_quiet_hours'] = '20:00-06:00';
    under.clock.now = new Date('2026-03-02T21:00:00.000Z');
    await scan({ a: 'critical' });
    await scan({});
    await under.pass(org, 12 * HOUR_MS);

    expect(under.chat.posted).toHaveLength(1);
    expect(showNewest(0)).toContain('Drift resolved');
  });

  test('the digest collects low and medium risk in one message a day', async () => {
    under.chosen['notify_digest_at'] = '08:00';
    const other = await under.makeAccount(org, owner.user.id, 'stage');
    await scan({ a: 'low' });
    await under.pass(org, 3 * HOUR_MS);
    await scan({ a: 'medium' }, other);
    expect(under.chat.posted).toHaveLength(0);

    await under.pass(org, DAY_MS);

    expect(under.chat.roots()).toHaveLength(1);
    expect(showNewest(0)).toContain('2 accounts');
    expect(under.chat.posted).toHaveLength(1);
  });

  test('high risk does not wait for the digest', async () => {
    under.chosen['notify_digest_at'] = '08:00';
    await scan({ a: 'low' });
    await scan({ a: 'low', b: 'high' });

    expect(under.chat.roots()).toHaveLength(1);
    await under.pass(org, DAY_MS);
    expect(under.chat.posted).toHaveLength(1);
  });
});

describe('other media', () => {
  test('an email is sent when drift opens, is worse, and is resolved, in one conversation', async () => {
    under.chosen['default_notify_channel'] = null;
    const address = `ops@${owner.user.email.split('@')[1]}`;
    await under.notifications.targets.create(owner, org, { kind: 'email', addresses: [address] });

    await scan({ a: 'low' });
    await scan({ a: 'low', b: 'low' });
    await scan({ a: 'low', b: 'high' });
    await scan({});

    expect(under.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [[address], 'Drift detected: prod'],
      [[address], 'Drift detected: prod'],
      [[address], 'Drift resolved: prod'],
    ]);
    const [first, ...others] = under.mails;
    expect(first?.in_reply_to).toBeNull();
    expect(others.map(({ in_reply_to }) => in_reply_to)).toEqual([first?.message_id, first?.message_id]);
  });

  test('a server receives an event for each snapshot, and people none for an unchanged one', async () => {
    const { config } = await under.webhooks.configs.create(owner, org, {
      provider: 'generic',
      provider_base_url: under.server.url,
    });
    await under.notifications.targets.create(owner, org, { kind: 'webhook', webhook_config_id: config.id });
    await scan({ a: 'low' });
    await scan({ a: 'low' });
    await scan({});

    const sent = await under.database.admin_db('webhook_deliveries').where({ config_id: config.id }).orderBy('id');
    expect(sent.map(({ event }) => event)).toEqual(['drift.detected', 'drift.unchanged', 'drift.resolved']);
  });

  test('a schedule with a channel of its own replaces the targets of the organization', async () => {
    await under.pass(org, MINUTE_MS);
    const { scan_run_id } = await under.snapshot(org, account, { items: { a: 'high' } });
    await under.startedBy(scan_run_id, await under.makeSchedule(org, owner.user.id, { channel: 'C9' }));
    await under.work(org);

    expect(under.chat.roots().map(({ channel }) => channel)).toEqual(['C9']);
  });
});

describe('a failed scan', () => {
  async function fail(): Promise<void> {
    await under.pass(org, MINUTE_MS);
    const scan_errors = JSON.stringify([{ code: 'credential_error', message: 'AWS rejects the credentials.' }]);
    const id = await under.insertScan(org, account, { status: 'error', scan_errors });
    await under.database.db.inOrg(org, (trx) =>
      under.notifications.record(trx, org, { source: 'scan', source_id: id }),
    );
    await under.work(org);
  }

  test('is reported once in a row, and again after a scan that worked', async () => {
    await fail();
    await fail();
    await scan({});
    await fail();

    expect(under.chat.roots()).toHaveLength(2);
    expect(showNewest(0)).toContain('AWS rejects the credentials.');
  });

  test('resolves nothing', async () => {
    await scan({ a: 'high' });
    await fail();

    expect(showNewest(0)).toContain('Drift detected');
  });
});

describe('a plan of a pull request', () => {
  async function analyze(risk_level: string, more: Record<string, unknown> = {}): Promise<void> {
    const ci = { repo_owner: 'acme', repo_name: 'shop', pr_number: 42, branch: 'db', ...more };
    const result_json = JSON.stringify({ risk_level });
    const analysis = { kind: 'analysis', cloud_account_id: null, scan_type: 'webhook', result_json, ...ci };
    const source_id = await under.insertScan(org, account, analysis);
    await under.database.db.inOrg(org, (trx) =>
      under.notifications.record(trx, org, { source: 'analysis', source_id }),
    );
    await under.work(org);
  }

  test('is reported when the pull request first reaches high, and again when it reaches critical', async () => {
    for (const level of ['low', 'high', 'high', 'critical', 'high', 'critical']) await analyze(level);

    expect(under.chat.roots().map(({ revisions: [message] }) => message?.text)).toEqual([
      'High risk: acme/shop#42',
      'Critical risk: acme/shop#42',
    ]);
    expect(JSON.stringify(under.chat.roots()[0]?.revisions[0]?.blocks)).toContain('"action_id":"suppress"');
  });

  test('is not reported to people without a pull request', async () => {
    await analyze('critical', { pr_number: null });

    expect(under.chat.posted).toHaveLength(0);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../server/lib/principal.ts';
import { type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

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
  under.mail.result = { ok: true };
  under.server.received.splice(0);
  under.server.answer(202);
  under.chosen['default_notify_channel'] = '#infra';
});

async function scan(items: Parameters<typeof under.snapshot>[2]['items'], of = account): Promise<void> {
  await under.pass(org, MINUTE_MS);
  await under.snapshot(org, of, { items });
  await under.work(org);
}

const RATE_LIMITED = { code: 'rate_limited', error: 'Slack asked to wait', is_final: false, retry_after_ms: 300_000 };
const UNREACHABLE = { code: 'unreachable', error: 'Slack could not be reached', is_final: false, retry_after_ms: null };
const NOT_IN_CHANNEL = {
  code: 'not_in_channel',
  error: 'the app is not in the channel; invite it (not_in_channel)',
  is_final: true,
  retry_after_ms: null,
};

describe('a delivery to Slack', () => {
  test('waits as long as Slack asks before it tries again', async () => {
    under.chat.failNext(RATE_LIMITED);
    await scan({ a: 'high' });
    const calls = under.chat.countCalls();

    await under.pass(org, 299 * SECOND_MS);
    expect(under.chat.countCalls()).toBe(calls);
    await under.pass(org, 2 * SECOND_MS);

    expect(under.chat.roots()).toHaveLength(1);
    expect(await under.deliveries(org)).toMatchObject([{ status: 'delivered', attempts: 2, error: null }]);
  });

  test('is tried eight times over 21 hours, and then stays visible as failed', async () => {
    under.chat.failNext(...Array.from({ length: 8 }, () => UNREACHABLE));
    await scan({ a: 'high' });
    await under.pass(org, MINUTE_MS);
    for (let hours = 0; hours < 30; hours += 1) await under.pass(org, HOUR_MS);

    expect(await under.deliveries(org)).toMatchObject([
      { status: 'failed', attempts: 8, error: 'Slack could not be reached', next_attempt_at: null },
    ]);
  });

  test('is not retried when somebody must change something first, and can then be sent again', async () => {
    under.chat.failNext(NOT_IN_CHANNEL);
    await scan({ a: 'high' });
    const [failed] = await under.deliveries(org);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, error: NOT_IN_CHANNEL.error });

    await under.notifications.deliveries.redeliver(org, failed.id);
    await under.work(org);

    expect(under.chat.roots()).toHaveLength(1);
    expect(await under.deliveries(org)).toMatchObject([{ status: 'delivered', error: null }]);
  });

  test('shows the whole state in the next message after one was lost', async () => {
    under.chat.failNext(NOT_IN_CHANNEL);
    await scan({ a: 'low' });
    await scan({ a: 'low', b: 'low' });

    expect(under.chat.roots()).toHaveLength(1);
  });

  test('fails with a reason on a plan without chat', async () => {
    await under.database.admin_db('orgs').where({ id: org }).update({ plan: 'free' });
    await scan({ a: 'high' });

    const [failed] = await under.deliveries(org);
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('plan does not include chat') });
  });

  test('posts a new message if somebody has deleted the old one', async () => {
    await scan({ a: 'low' });
    under.chat.failNext({ code: 'message_not_found', error: 'deleted', is_final: true, retry_after_ms: null });
    await scan({ a: 'low', b: 'low' });

    expect(under.chat.roots()).toHaveLength(2);
    expect((await under.deliveries(org)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });
});

describe('several workers', () => {
  test('decide an event and post its message once', async () => {
    await under.snapshot(org, account, { items: { a: 'high' } });
    const [id = ''] = under.queued.events.splice(0);
    const [one, two] = [under.another(), under.another()];

    await Promise.all([one, two, one, two].map(({ decisions }) => decisions.decide({ org_id: org, id })));
    const deliveries = under.queued.deliveries.splice(0);
    await Promise.all(
      deliveries.flatMap(({ id }) => [one, two].map((worker) => worker.deliveries.sendDue({ org_id: org, id }))),
    );

    expect(deliveries).toHaveLength(1);
    expect(under.chat.posted).toHaveLength(1);
  });

  test('change a message one after the other, so that it is posted once', async () => {
    const other = await under.makeAccount(org, owner.user.id, 'stage');
    await under.snapshot(org, account, { items: { a: 'high' } });
    await under.snapshot(org, other, { items: { a: 'high' } });
    for (const id of under.queued.events.splice(0)) await under.notifications.decisions.decide({ org_id: org, id });
    const [one, two] = [under.another(), under.another()];
    const [first, second] = under.queued.deliveries.splice(0);

    await Promise.all([
      one.deliveries.sendDue({ org_id: org, id: first?.id ?? '' }),
      two.deliveries.sendDue({ org_id: org, id: second?.id ?? '' }),
    ]);
    await under.pass(org, 2 * SECOND_MS);

    expect(under.chat.roots()).toHaveLength(1);
    expect((await under.deliveries(org)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });

  test('send what a killed one has left, after its lease', async () => {
    await under.snapshot(org, account, { items: { a: 'high' } });
    for (const id of under.queued.events.splice(0)) await under.notifications.decisions.decide({ org_id: org, id });
    const [delivery] = under.queued.deliveries.splice(0);
    under.chat.onPosted(() => Promise.reject(new Error('killed')));
    const killed = under.notifications.deliveries.sendDue({ org_id: org, id: delivery?.id ?? '' });
    await expect(killed).rejects.toThrow('killed');
    under.chat.onPosted(undefined);

    await under.notifications.deliveries.requeueLost();
    expect(under.queued.deliveries).toHaveLength(0);
    under.clock.now = new Date(under.clock.now.getTime() + 2 * MINUTE_MS + SECOND_MS);
    await under.notifications.deliveries.requeueLost();
    await under.work(org);

    expect(await under.deliveries(org)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test('decide an event that the queue has lost', async () => {
    await under.snapshot(org, account, { items: { a: 'high' } });
    const lost = under.queued.events.splice(0);
    under.clock.now = new Date(under.clock.now.getTime() + 2 * MINUTE_MS);
    await under.notifications.decisions.requeueLost();

    expect(under.queued.events).toEqual(expect.arrayContaining(lost));
    await under.work(org);
    expect(under.chat.roots()).toHaveLength(1);
  });
});

describe('a delivery to Teams', () => {
  const createTeams = () => under.notifications.targets.create(owner, org, { kind: 'teams', url: under.server.url });

  test('is a card, and its URL is a secret', async () => {
    const target = await createTeams();
    await scan({ a: 'high' });

    expect(JSON.parse(under.server.received[0]?.body ?? '')).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }],
    });
    expect(target.url).not.toContain('/hook');
    expect(
      JSON.stringify(await under.database.admin_db('notification_targets').where({ id: target.id })),
    ).not.toContain('/hook');
  });

  test('is retried after 500 and 429, and not after 404', async () => {
    await createTeams();
    under.chosen['default_notify_channel'] = null;
    under.server.answer(500);
    await scan({ a: 'high' });
    under.server.answer(429, { 'retry-after': '600' });
    await under.pass(org, MINUTE_MS);
    await under.pass(org, 9 * MINUTE_MS);
    expect(under.server.received).toHaveLength(2);
    under.server.answer(404);
    await under.pass(org, 2 * MINUTE_MS);

    expect(await under.deliveries(org)).toMatchObject([{ status: 'failed', attempts: 3, http_status: 404 }]);
  });

  test('does not follow a redirect', async () => {
    await createTeams();
    under.server.answer(302, { location: 'http://169.254.169.254/latest/meta-data' });
    await scan({ a: 'high' });

    expect(under.server.received).toHaveLength(1);
    expect(await under.deliveries(org)).toContainEqual(
      expect.objectContaining({ target_kind: 'teams', status: 'pending', http_status: 302 }),
    );
  });

  test.each(['http://10.0.0.1/hook', 'https://169.254.169.254/', 'https://localhost/hook', 'ftp://example.com'])(
    'cannot be created for %s',
    async (url) => {
      const creating = under.notifications.targets.create(owner, org, { kind: 'teams', url });

      await expect(creating).rejects.toMatchObject({ error_class: 'url_not_allowed' });
    },
  );
});

describe('a target', () => {
  test('shows why its last delivery failed', async () => {
    under.chosen['default_notify_channel'] = null;
    const { id } = await under.notifications.targets.create(owner, org, { kind: 'slack', channel: 'C1' });
    under.chat.failNext(NOT_IN_CHANNEL);
    await scan({ a: 'high' });

    expect(await under.notifications.targets.get(org, id)).toMatchObject({
      last_delivery_status: 'failed',
      last_error: NOT_IN_CHANNEL.error,
    });
  });

  test('that was deleted fails its pending deliveries, and is not chosen again', async () => {
    under.chosen['default_notify_channel'] = null;
    const { id } = await under.notifications.targets.create(owner, org, { kind: 'slack', channel: 'C1' });
    under.chat.failNext(UNREACHABLE);
    await scan({ a: 'high' });
    await under.notifications.targets.remove(owner, org, id);
    await under.pass(org, MINUTE_MS);
    await scan({ a: 'critical' });

    expect(await under.deliveries(org)).toMatchObject([
      { status: 'failed', error: expect.stringContaining('deleted') },
    ]);
    expect(under.chat.posted).toHaveLength(0);
  });

  test('for email accepts only addresses in the domain of the person who creates it', async () => {
    const creating = under.notifications.targets.create(owner, org, {
      kind: 'email',
      addresses: ['a@stranger.example'],
    });

    await expect(creating).rejects.toMatchObject({ error_class: 'address_not_allowed' });
  });

  test.each([
    [{ kind: 'slack' }, 'channel is required'],
    [{ kind: 'slack', channel: 'C1', url: 'https://example.com' }, 'url does not apply to the kind slack'],
    [{ kind: 'webhook', webhook_config_id: '019b7a10-0000-7000-8000-000000000041' }, 'not found'],
  ] as const)('%j is refused: %s', async (input, message) => {
    await expect(under.notifications.targets.create(owner, org, input)).rejects.toThrow(new RegExp(message, 'i'));
  });

  test('is tested at most ten times an hour, and each test is listed', async () => {
    const { id } = await under.notifications.targets.create(owner, org, { kind: 'slack', channel: 'C1' });
    under.chat.failNext(NOT_IN_CHANNEL);

    const first = await under.notifications.test(org, id);
    for (let tests = 1; tests < 10; tests += 1) await under.notifications.test(org, id);

    expect(first).toMatchObject({ delivered: false, error: NOT_IN_CHANNEL.error });
    await expect(under.notifications.test(org, id)).rejects.toMatchObject({
      error_class: 'webhook_test_rate_limited',
    });
    expect((await under.notifications.deliveries.list(org, { target_id: id }, { limit: 50, offset: 0 })).total).toBe(
      10,
    );
  });
});

test('a sweep deletes what is older than 30 days, and keeps open threads', async () => {
  await scan({ a: 'high' });
  const other = await under.makeAccount(org, owner.user.id, 'stage');
  await under.pass(org, HOUR_MS);
  await scan({ a: 'high' }, other);
  await scan({}, other);
  await under.pass(org, 31 * 24 * HOUR_MS);
  await under.notifications.maintenance.deleteOld();

  expect(await under.deliveries(org)).toHaveLength(0);
  expect(await under.database.admin_db('notification_events').where({ org_id: org })).toHaveLength(0);
  expect(await under.database.admin_db('notification_threads').where({ org_id: org })).toHaveLength(1);
});

/** Many events while targets fail. `NOTIFY_EVENTS=1000 npx jest storms` runs more of them; the suite runs a few. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Principal } from '../../../server/lib/principal.ts';
import { setUpWebhooks, type WebhooksUnderTest } from '../webhooks/setup.ts';
import { type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const EVENTS = Number(process.env['NOTIFY_EVENTS'] ?? 30);
const TARGETS = 3;
const FAILING = 0.3;
/** As many deliveries at a time as a few worker processes send. */
const WORKERS = 16;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than all retries of a delivery take. */
const HOURS = 26;

/** Equal in every run. */
function createDice(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** A server that loses requests, and whose responses get lost. */
async function startUnreliableServer() {
  const dice = createDice(7);
  /** Bodies by target and `webhook-id`. */
  const received = new Map<string, Set<string>>();
  let repeated = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const roll = dice();
    if (roll < FAILING / 2) return void response.writeHead(503).end();
    const key = `${request.url} ${request.headers['webhook-id']}`;
    if (received.has(key)) repeated += 1;
    received.set(key, (received.get(key) ?? new Set()).add(body));
    if (roll < FAILING) request.socket.destroy();
    else response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, countRepeated: () => repeated };
}

test(`each of ${EVENTS} events reaches each of ${TARGETS} servers that fail often, and is repeated only under its own id`, async () => {
  const target = await startUnreliableServer();
  const under: WebhooksUnderTest = await setUpWebhooks(new URL(target.url).host);
  const { owner, org } = await under.makeOwner();
  const { outbound, configs } = under.webhooks;
  const ids: string[] = [];
  for (let n = 0; n < TARGETS; n += 1) {
    const { config } = await configs.create(owner, org, {
      provider: 'generic',
      provider_base_url: `${target.url}/${n}`,
    });
    ids.push(config.id);
  }
  for (let n = 0; n < EVENTS; n += 1) {
    const event = { id: `evt_${n}`, type: 'drift.detected', created_at: under.clock.now, data: { n } };
    await under.database.db.inOrg(org, async (trx) => {
      for (const id of ids) await outbound.queue(trx, org, id, { ...event, org: { id: org, slug: 'acme' } });
    });
  }
  for (let hours = 0; hours < HOURS; hours += 1) {
    const due: string[] = await under.database
      .admin_db('webhook_deliveries')
      .where({ org_id: org, status: 'pending' })
      .where('next_attempt_at', '<=', under.clock.now)
      .pluck('id');
    const sendNext = async () => {
      for (let id = due.pop(); id !== undefined; id = due.pop()) await outbound.sendDue({ org_id: org, id });
    };
    await Promise.all(Array.from({ length: WORKERS }, sendNext));
    under.clock.now = new Date(under.clock.now.getTime() + HOUR_MS);
  }

  expect(target.received.size).toBe(EVENTS * TARGETS);
  expect([...target.received.values()].every((bodies) => bodies.size === 1)).toBe(true);
  expect(target.countRepeated()).toBeGreaterThan(0);
  await under.database.close();
}, 600_000);

let under: NotificationsUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  under = await setUpNotifications();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  under.chat.posted.splice(0);
  under.chosen['default_notify_channel'] = '#infra';
});

const WAIT = { code: 'rate_limited', error: 'Slack asked to wait', is_final: false, retry_after_ms: 120_000 };

test('while Slack asks to wait it is not called for any message, and later each message is posted once, in order', async () => {
  const accounts: string[] = [];
  for (let n = 0; n < 4; n += 1) accounts.push(await under.makeAccount(org, owner.user.id, `account ${n}`));
  // Each account gets a message of its own, because they open more than five minutes apart.
  for (const account of accounts) {
    await under.pass(org, 6 * MINUTE_MS);
    await under.snapshot(org, account, { items: { a: 'low' } });
    await under.work(org);
  }
  expect(under.chat.roots()).toHaveLength(4);

  under.chat.failNext(WAIT);
  const calls = under.chat.countCalls();
  for (const level of ['high', 'critical'] as const) {
    for (const account of accounts) {
      await under.pass(org, 1_000);
      await under.snapshot(org, account, { items: { a: level } });
      await under.work(org);
    }
  }
  expect(under.chat.countCalls()).toBe(calls + 1);
  for (let minutes = 0; minutes < 90; minutes += 1) await under.pass(org, MINUTE_MS);

  expect(under.chat.roots()).toHaveLength(4);
  for (const root of under.chat.roots()) {
    expect(root.revisions.at(-1)?.text).toContain('critical risk');
    // A message shows the state at the time when it is sent, so that one line tells of both changes.
    const lines = under.chat.replies().filter(({ thread_ts }) => thread_ts === root.ts);
    expect(lines.map(({ revisions }) => revisions[0]?.text)).toEqual([expect.stringContaining('risk is now critical')]);
  }
  expect((await under.deliveries(org)).every(({ status }) => status === 'delivered')).toBe(true);
});

test('a process that is killed before Slack was called posts nothing twice and loses nothing', async () => {
  const account = await under.makeAccount(org, owner.user.id);
  await under.snapshot(org, account, { items: { a: 'high' } });
  for (const id of under.queued.events.splice(0)) await under.notifications.decisions.decide({ org_id: org, id });
  const [delivery] = under.queued.deliveries.splice(0);
  const { post } = under.chat.sender;
  under.chat.sender.post = () => Promise.reject(new Error('killed'));
  await expect(under.notifications.deliveries.sendDue({ org_id: org, id: delivery?.id ?? '' })).rejects.toThrow(
    'killed',
  );
  under.chat.sender.post = post;
  under.clock.now = new Date(under.clock.now.getTime() + 3 * MINUTE_MS);
  await under.notifications.deliveries.requeueLost();
  await under.work(org);

  expect(under.chat.roots()).toHaveLength(1);
});

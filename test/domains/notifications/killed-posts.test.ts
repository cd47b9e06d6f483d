/** A process that is killed while Slack posts, against Slack's Web API over HTTP. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createSlackSender } from '../../../server/adapters/slack/index.ts';
import type { ChatSender } from '../../../server/adapters/slack/types.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { type SlackServer, startSlackServer } from '../../fakes/slack-server.ts';
import { type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const MINUTE_MS = 60_000;
const CHANNEL = 'C0000001';

let under: NotificationsUnderTest;
let slack: SlackServer;
let owner: Principal;
let org: string;
let account: string;
/** What happens after Slack has accepted the next message. */
let afterPost: (() => never) | null = null;
beforeAll(async () => {
  under = await setUpNotifications();
  slack = await startSlackServer({ now: () => under.clock.now });
  slack.tokens.add('xoxb-test');
  const sender = createSlackSender({ token: 'xoxb-test', api_url: slack.api_url });
  const post: ChatSender['post'] = async (...given) => {
    const result = await sender.post(...given);
    const happen = afterPost;
    afterPost = null;
    happen?.();
    return result;
  };
  under.workspace.sender = { ...sender, post };
});
afterAll(async () => {
  await slack.stop();
  await under.database.close();
});
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  account = await under.makeAccount(org, owner.user.id);
  slack.messages.splice(0);
  slack.calls.splice(0);
  slack.scopes.add('channels:history');
  under.chosen['default_notify_channel'] = CHANNEL;
  await under.pass(org, 60 * MINUTE_MS);
});

async function scan(items: Parameters<typeof under.snapshot>[2]['items']): Promise<void> {
  await under.pass(org, 6 * MINUTE_MS);
  await under.snapshot(org, account, { items });
  await under.work(org);
}

function kill(): never {
  throw new Error('killed');
}

/** The process ends between the response of Slack and the transaction that stores it. */
async function scanAndDie(items: Parameters<typeof under.snapshot>[2]['items']): Promise<void> {
  afterPost = kill;
  await expect(scan(items)).rejects.toThrow('killed');
}

/** Another process takes over what the killed one had claimed. */
async function recover(): Promise<void> {
  under.clock.now = new Date(under.clock.now.getTime() + 3 * MINUTE_MS);
  await under.notifications.deliveries.requeueLost();
  await under.work(org);
}

const texts = () => slack.messages.map(({ texts: all }) => all.at(-1));
const countReads = () => slack.calls.filter(({ method }) => method.startsWith('conversations.')).length;
const allDelivered = async () => (await under.deliveries(org)).every(({ status }) => status === 'delivered');

test('a message is posted once if its process is killed before the response is stored, and is updated later', async () => {
  await scanAndDie({ a: 'high' });
  // Others write more than fits on a page.
  const others = createSlackSender({ token: 'xoxb-test', api_url: slack.api_url });
  for (let n = 0; n < 3; n += 1) await others.post(CHANNEL, { text: 'hello', blocks: [] }, null, 'another');
  await recover();
  expect(texts().filter((text) => text?.startsWith('Drift'))).toEqual([
    'Drift detected: prod: high risk, 1 difference',
  ]);
  expect(await allDelivered()).toBe(true);

  await scan({});
  expect(texts()[0]).toBe('Drift resolved: prod: all differences are gone');
});

test('a line in a thread is posted once if its process is killed', async () => {
  await scan({ a: 'medium' });
  await scanAndDie({ a: 'medium', b: 'critical' });
  await recover();

  expect(texts()).toEqual([
    'Drift detected: prod: critical risk, 2 differences',
    'prod: 1 new difference, risk is now critical. 0 new, 2 changed, 0 missing.',
  ]);
  expect(await allDelivered()).toBe(true);
});

test('what became worse after the message was posted is still sent', async () => {
  await scanAndDie({ a: 'medium' });
  await under.snapshot(org, account, { items: { a: 'medium' } });
  under.clock.now = new Date(under.clock.now.getTime() + MINUTE_MS / 2);
  await under.snapshot(org, account, { items: { a: 'critical' } });
  await recover();
  for (let minutes = 0; minutes < 5; minutes += 1) await under.pass(org, MINUTE_MS);

  expect(texts()).toEqual([
    'Drift detected: prod: critical risk, 1 difference',
    expect.stringContaining('risk is now critical'),
  ]);
});

test('a response that is lost posts nothing twice', async () => {
  afterPost = () => {
    throw new Error('socket hang up');
  };
  const { sender } = under.workspace;
  const post: ChatSender['post'] = async (...given) =>
    (sender as ChatSender).post(...given).catch(() => ({
      ...{ ok: false, code: 'unreachable', error: 'Slack could not be reached', is_final: false, retry_after_ms: null },
    }));
  under.workspace.sender = { ...(sender as ChatSender), post };
  await scan({ a: 'high' });
  for (let minutes = 0; minutes < 5; minutes += 1) await under.pass(org, MINUTE_MS);
  under.workspace.sender = sender;

  expect(texts()).toHaveLength(1);
  expect(await under.deliveries(org)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
});

test('nothing is read unless an outcome is unknown', async () => {
  await scan({ a: 'medium' });
  await scan({ a: 'critical' });
  slack.failNext({ status: 429, retry_after: 30 });
  await scan({ a: 'critical', b: 'critical' });
  for (let minutes = 0; minutes < 5; minutes += 1) await under.pass(org, MINUTE_MS);

  expect(countReads()).toBe(0);
  expect(texts()).toHaveLength(3);
});

test('a workspace that does not let the app read gets the message again', async () => {
  slack.scopes.clear();
  await scanAndDie({ a: 'high' });
  await recover();

  expect(texts()).toHaveLength(2);
  expect(await allDelivered()).toBe(true);
});

test('a workspace that is too busy to be read gets the message again after some attempts, rather than never', async () => {
  await scanAndDie({ a: 'high' });
  for (let n = 0; n < 3; n += 1) {
    slack.failMethod('conversations.history', 'internal_error');
    await recover();
    for (let minutes = 0; minutes < 20; minutes += 1) await under.pass(org, MINUTE_MS);
    if (await allDelivered()) break;
  }

  expect(await allDelivered()).toBe(true);
});

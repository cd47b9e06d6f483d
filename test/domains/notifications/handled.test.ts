/** What people do about drift from its messages. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import { listTexts } from '../../helpers/block-kit.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let under: NotificationsUnderTest;
let org: string;
let account: string;

beforeAll(async () => {
  under = await setUpNotifications();
});
afterAll(() => under.database.close());

beforeEach(async () => {
  const owner = await makeUser(under.database.admin_db);
  org = await makeOrg(under.database.admin_db, { owner, plan: 'team' });
  under.chosen['default_notify_channel'] = 'C1';
  under.chat.posted.splice(0);
  account = await under.makeAccount(org, owner.user.id);
});

async function see(items: Parameters<typeof under.snapshot>[2]['items'], ms = MINUTE_MS): Promise<void> {
  under.clock.now = new Date(under.clock.now.getTime() + ms);
  await under.snapshot(org, account, { items });
  await under.work(org);
}

async function findThread(): Promise<string> {
  const [row] = await under.database.admin_db('notification_threads').where({ org_id: org }).orderBy('opened_at');
  return row.id;
}

/** The current text of the first message. */
function read(): string {
  return listTexts(under.chat.roots()[0]?.revisions.at(-1) as Parameters<typeof listTexts>[0]).join('\n');
}

test('a message about open drift has buttons, and a resolved one has none', async () => {
  await see({ a: 'low' });
  const open = JSON.stringify(under.chat.roots()[0]?.revisions.at(-1));
  await see({});
  const resolved = JSON.stringify(under.chat.roots()[0]?.revisions.at(-1));

  for (const action of ['scan_again', 'snooze', 'acknowledge', 'ignore']) {
    expect(open).toContain(`"action_id":"${action}"`);
    expect(resolved).not.toContain(`"action_id":"${action}"`);
  }
});

test('snoozed drift is updated in silence, and people hear of it again when it is worse than it was then', async () => {
  await see({ a: 'medium' });
  const done = await under.notifications.handling.snooze(org, await findThread(), 'Ana');
  await under.work(org);
  const snoozed = read();
  await see({ a: 'medium', b: 'medium' });
  await see({ b: 'low' });
  await see({ a: 'medium' });
  const silent = under.chat.replies().length;
  await see({ a: 'medium', c: 'high' });
  const loud = under.chat.replies().length;

  expect(done).toMatchObject({ outcome: 'done', cloud_account_ids: [account] });
  expect(snoozed).toContain('by Ana, unless it becomes worse');
  expect([silent, loud]).toEqual([0, 1]);
  expect(read()).toContain('No longer snoozed, because it is worse');
  expect(under.chat.roots()).toHaveLength(1);
});

test('drift that ends while it is snoozed ends in silence, and opens anew with a message', async () => {
  await see({ a: 'high' });
  await under.notifications.handling.snooze(org, await findThread(), 'Ana');
  await see({});
  expect(read()).toContain('Drift resolved');
  expect(under.chat.replies()).toEqual([]);

  await see({ a: 'high' }, 10 * MINUTE_MS);
  expect(under.chat.roots()).toHaveLength(2);
});

test('a dangerous difference that was there when the drift was snoozed is no news when it returns', async () => {
  await see({ a: 'critical', b: 'low' });
  await under.notifications.handling.snooze(org, await findThread(), 'Ana');
  await see({ b: 'low' });
  await see({ a: 'critical', b: 'low' });

  expect(under.chat.replies()).toEqual([]);
});

test('a snooze ends after seven days', async () => {
  await see({ a: 'low' });
  await under.notifications.handling.snooze(org, await findThread(), 'Ana');
  await see({ a: 'high' }, 7 * DAY_MS + MINUTE_MS);

  expect(under.chat.replies()).toHaveLength(1);
  expect(read()).not.toContain('No longer snoozed');
});

test('the first person wins, whoever presses, however often, and at the same time', async () => {
  await see({ a: 'low' });
  const thread = await findThread();
  const { snooze, acknowledge } = under.notifications.handling;
  const outcomes = await Promise.all([
    ...['Ana', 'Ben', 'Ana'].map((name) => snooze(org, thread, name)),
    ...['Ana', 'Ben', 'Ben'].map((name) => acknowledge(org, thread, name)),
  ]);
  await under.work(org);

  for (const pressed of [outcomes.slice(0, 3), outcomes.slice(3)]) {
    expect(pressed.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(pressed.filter(({ outcome }) => outcome === 'before')).toHaveLength(2);
  }
  expect(read().match(/Snoozed until/g)).toHaveLength(1);
  expect(read().match(/Acknowledged by/g)).toHaveLength(1);
});

test('an acknowledgment stays visible until the drift is gone, and silences nothing', async () => {
  await see({ a: 'low' });
  await under.notifications.handling.acknowledge(org, await findThread(), 'Ana');
  await see({ a: 'high' });

  expect(read()).toContain('Acknowledged by Ana');
  expect(under.chat.replies()).toHaveLength(1);
});

test('what was done appears in the messages of all channels that tell of the account', async () => {
  const owner = await makeUser(under.database.admin_db);
  const other = { kind: 'slack' as const, channel: 'C2' };
  await under.notifications.targets.create(owner, org, other);
  await see({ a: 'low' });
  await under.notifications.handling.snooze(org, await findThread(), 'Ana');
  await under.work(org);

  const shown = under.chat.roots().map(({ revisions }) => JSON.stringify(revisions.at(-1)));
  expect(shown).toHaveLength(2);
  for (const message of shown) expect(message).toContain('Snoozed until');
});

test('a message whose drift is gone cannot be handled', async () => {
  await see({ a: 'low' });
  const thread = await findThread();
  await see({});

  expect(await under.notifications.handling.snooze(org, thread, 'Ana')).toEqual({ outcome: 'gone' });
  expect(await under.notifications.handling.acknowledge(org, newId(), 'Ana')).toEqual({ outcome: 'gone' });
});

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { toChatError } from '../../../server/adapters/slack/faults.ts';
import { findSchedule, updateSchedule } from '../../../server/domains/schedules/store.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { type MadeSchedule, type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const MINUTE_MS = 60_000;

let under: NotificationsUnderTest;
let owner: Principal;
let org: string;
let account: string;
let schedule: MadeSchedule;
beforeAll(async () => {
  under = await setUpNotifications();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  account = await under.makeAccount(org, owner.user.id);
  schedule = await under.makeSchedule(org, owner.user.id, { channel: 'C9' });
  under.queued.deliveries.splice(0);
});

async function scan(items: Parameters<typeof under.snapshot>[2]['items']): Promise<void> {
  await under.pass(org, MINUTE_MS);
  const { scan_run_id } = await under.snapshot(org, account, { items });
  await under.startedBy(scan_run_id, schedule);
  await under.work(org);
}

const slackAnswers = (code: string) => {
  const { message, is_final, retry_after_ms } = toChatError({ data: { error: code } });
  return { code, error: message, is_final, retry_after_ms };
};
const readSchedule = () => under.database.db.readInOrg(org, (read) => findSchedule(read, org, schedule.id));

test.each([
  ['channel_not_found', /choose another/],
  ['not_in_channel', /invite it/],
  ['is_archived', /choose another/],
  ['token_revoked', /connect the workspace again/],
  ['account_inactive', /connect it again/],
])('a schedule shows the error %s of its channel with what to do, until a message arrives', async (code, advice) => {
  under.chat.failNext(slackAnswers(code));
  await scan({ a: 'high' });

  const failing = await readSchedule();
  expect(failing?.last_error).toMatch(advice);
  expect(failing?.last_error).toContain(code);
  expect(await under.deliveries(org)).toMatchObject([{ status: 'failed', attempts: 1, next_attempt_at: null }]);

  await scan({ a: 'high', b: 'high' });
  expect(await readSchedule()).toMatchObject({ last_error: null });
  expect((await under.deliveries(org)).map(({ status }) => status)).toEqual(['failed', 'delivered']);
});

test('an error that a retry resolves is not shown at the schedule', async () => {
  under.chat.failNext(slackAnswers('internal_error'));
  await scan({ a: 'high' });
  expect(await readSchedule()).toMatchObject({ last_error: null });

  await under.pass(org, 5 * MINUTE_MS);
  expect(await under.deliveries(org)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
});

test('a run and the channel show their errors side by side, and a successful run keeps that of the channel', async () => {
  under.chat.failNext(slackAnswers('not_in_channel'));
  await scan({ a: 'high' });
  const setRunError = (last_error: string | null) =>
    under.database.db.inOrg(org, (trx) =>
      updateSchedule(trx, org, schedule.id, { last_error, updated_at: under.clock.now }),
    );
  await setRunError('AWS rejects the credentials.');
  expect((await readSchedule())?.last_error).toMatch(/^AWS rejects the credentials\.; .*not_in_channel/);

  await setRunError(null);
  expect((await readSchedule())?.last_error).toMatch(/^the app is not in the channel/);
});

test('an error of a channel that the schedule no longer has is not shown', async () => {
  under.chat.failNext(slackAnswers('not_in_channel'));
  await under.pass(org, MINUTE_MS);
  const { scan_run_id } = await under.snapshot(org, account, { items: { a: 'high' } });
  await under.startedBy(scan_run_id, schedule);
  for (const id of under.queued.events.splice(0)) await under.notifications.decisions.decide({ org_id: org, id });
  const moved = { notify_chat_channel: 'C10', updated_at: under.clock.now };
  await under.database.db.inOrg(org, (trx) => updateSchedule(trx, org, schedule.id, moved));
  await under.work(org);

  expect(await readSchedule()).toMatchObject({ last_error: null });
});

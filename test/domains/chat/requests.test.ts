import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { addMember, makeUser } from '../../helpers/people.ts';
import { type ChatUnderTest, setUpChat } from './setup.ts';

let under: ChatUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  under = await setUpChat();
  ({ owner, org } = await under.makeOwner());
  await under.connect(owner, org, 'T1');
  under.slack.people.set('UOWNER', { email: owner.user.email.toUpperCase(), team_id: 'T1' });
  const known = {
    provider: 'aws',
    undeclared_count: 3,
    changed_count: 1,
    missing_count: 0,
    last_scan_at: null,
    drift_snapshot_id: null,
  };
  const drift = { coverage_pct: 91.4, risk_level: 'high' as const };
  under.accounts.push({ ...known, ...drift, cloud_account_id: newId(), display_name: 'prod <!channel> `x`' });
  under.accounts.push({ ...known, cloud_account_id: newId(), display_name: 'Staging' });
});
afterAll(() => under.close());

let made = 0;
/** A slash command; each has its own `trigger_id`, as at Slack. */
function command(text: string, user_id = 'UOWNER', team_id = 'T1'): string {
  made += 1;
  const { response_url } = under.slack;
  const form = { team_id, user_id, text, response_url, command: '/drift', trigger_id: `${made}` };
  return new URLSearchParams(form).toString();
}

function press(value: string, user_id = 'UOWNER', action_id = 'rescan'): string {
  made += 1;
  const { response_url } = under.slack;
  const actions = [{ type: 'button', action_id, value }];
  const payload = { type: 'block_actions', team: { id: 'T1' }, user: { id: user_id }, response_url, actions };
  return new URLSearchParams({ payload: JSON.stringify({ ...payload, trigger_id: `${made}` }) }).toString();
}

function event(content: object, { event_id = newId(), at = under.clock.now } = {}): string {
  const event_time = Math.floor(at.getTime() / 1_000);
  return JSON.stringify({ type: 'event_callback', team_id: 'T1', event_id, event_time, event: content });
}

/** What a person reads after a command. */
async function ask(text: string, user_id = 'UOWNER'): Promise<string> {
  await under.receive('command', command(text, user_id));
  await under.work();
  return JSON.stringify(under.slack.answers.at(-1));
}

async function readButton(): Promise<string> {
  await ask('status');
  const { blocks } = under.slack.answers.at(-1) as { blocks: { accessory?: { value: string } }[] };
  return blocks.find(({ accessory }) => accessory !== undefined)?.accessory?.value ?? '';
}

test('a request without a valid, recent signature of Slack is refused, and nothing is stored', async () => {
  const body = command('help');
  const old = new Date(under.clock.now.getTime() - 301_000);
  const count = async () => Number((await under.database.admin_db('chat_requests').count())[0]?.['count']);
  const before = await count();

  await expect(under.receive('command', body, { secret: 'another secret' })).rejects.toMatchObject({ status: 401 });
  await expect(under.receive('command', body, { at: old })).rejects.toMatchObject({ status: 401 });
  expect(() => under.chat.receiver.open('event', {})).toThrow(/not signed/);
  expect(() => under.without.receiver.open('event', {})).toThrow(/no Slack app/);
  expect(await count()).toBe(before);
});

test('the verification of the URL gets its challenge', async () => {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });

  expect(await under.receive('event', body)).toEqual({ challenge: 'abc' });
});

test('a body that Slack never sends is refused with a reason', async () => {
  await expect(under.receive('event', 'no json')).rejects.toMatchObject({ status: 400 });
  await expect(under.receive('command', 'text=help')).rejects.toMatchObject({ status: 400 });
});

test('a request that is sent again is answered once, and its body is stored encrypted until then', async () => {
  const body = command('status');
  const first = await under.receive('command', body);
  await under.receive('command', body);
  const [stored] = await under.database.admin_db('chat_requests').where({ status: 'pending' });
  const answers = under.slack.answers.length;
  await under.work();
  const [done] = await under.database.admin_db('chat_requests').where({ id: stored.id });

  expect(first).toEqual({ response_type: 'ephemeral', text: 'One moment …' });
  expect(stored.body_ct.includes('UOWNER')).toBe(false);
  expect([done.status, done.body_ct, under.slack.answers.length]).toEqual(['done', null, answers + 1]);
});

test('requests that arrive together are stored together, each once, and all senders get a response', async () => {
  const bodies = Array.from({ length: 30 }, () => command('help'));
  const sent = [...bodies, ...bodies.slice(0, 10)];
  const replies = await Promise.all(sent.map((body) => under.receive('command', body)));
  const stored = under.queued.length;
  await under.work();

  expect(replies).toHaveLength(40);
  expect(stored).toBe(30);
});

test('a command of a workspace that no organization has says so at once', async () => {
  expect(await under.receive('command', command('status', 'UOWNER', 'T404'))).toMatchObject({
    text: expect.stringContaining('not connected'),
  });
  expect(under.queued).toEqual([]);
});

test('the status shows each account with its risk, and names in it stay text', async () => {
  const answer = await ask('status');

  expect(answer).toContain('risk high, coverage 91.4 %: 1 changed, 0 missing, 3 not declared');
  expect(answer).toContain('prod &lt;!channel&gt;');
  expect(answer).not.toContain('<!channel>');
  expect(answer).toContain('not scanned yet');
});

test('a member starts a scan by the name of an account, and a name that does not exist is explained', async () => {
  expect(await ask('scan staging')).toContain('A scan of Staging has started');
  expect(under.scans.at(-1)).toMatchObject({ email: owner.user.email, org_id: org });
  expect(await ask('scan <!here>')).toContain('&lt;!here&gt;');
  expect(await ask('scan nothing')).toContain('There is no account');
});

test('an explanation has the narrative, the riskiest differences and a link, within the limits of Slack', async () => {
  const hostile = '&<!channel>*`'.repeat(400);
  const kind = { drift_type: 'missing' as const, level: 'critical' as const, normalized_type: 'x', suppressed: false };
  const rest = { id: newId(), provider_resource_id: null, resource_type: null, provider_type: null };
  const item = { ...kind, ...rest, name: hostile };
  const items = Array.from({ length: 10 }, () => ({
    ...item,
    resource_address: hostile,
    reasons: [{ message: hostile }],
  }));
  const snapshot = { narrative: hostile, rules_narrative: '', scan_run_id: 'run' };
  under.snapshots.set('s1', { snapshot, items, items_total: 12 });
  under.accounts[1]!.drift_snapshot_id = 's1';
  const answer = await ask('explain staging');
  const { blocks } = under.slack.answers.at(-1) as { blocks: { text?: { text: string } }[] };

  expect(answer).toContain('no longer exists, critical');
  expect(answer).toMatch(/and \d+ more/);
  expect(answer).toContain('/scans/run');
  expect(answer).not.toContain('<!channel>');
  expect(Math.max(...blocks.map(({ text }) => text?.text.length ?? 0))).toBeLessThanOrEqual(3_000);
  under.accounts[1]!.drift_snapshot_id = null;
  expect(await ask('explain staging')).toContain('not computed yet');
});

test('help is the answer to help, to nothing, and to what does not exist', async () => {
  expect(await ask(`scan ${'&<>'.repeat(1_300)}`)).toContain('There is no account');
  for (const text of ['help', '', 'frobnicate']) expect(await ask(text)).toContain('/drift scan &lt;account&gt;');
});

test('a viewer sees the status but starts no scan, by command or button', async () => {
  const viewer = await makeUser(under.database.admin_db);
  await addMember(under.database.admin_db, org, viewer, 'viewer');
  under.slack.people.set('UVIEWER', { email: viewer.user.email, team_id: 'T1' });
  const scans = under.scans.length;

  expect(await ask('status', 'UVIEWER')).toContain('coverage 91.4');
  expect(await ask('scan staging', 'UVIEWER')).toContain('needs the role member; you have the role viewer');
  await under.receive('interaction', press(await readButton(), 'UVIEWER'));
  await under.work();
  expect(JSON.stringify(under.slack.answers.at(-1))).toContain('needs the role member');
  expect(under.scans.length).toBe(scans);
});

test.each([
  ['who is no member', { email: 'nobody@example.com', team_id: 'T1' }, 'No member of the organization'],
  ['of another workspace in a shared channel', { team_id: 'T2' }, 'Only people of the connected workspace'],
  ['whose email is not confirmed', { team_id: 'T1', is_email_confirmed: false }, 'no confirmed email'],
  ['that is a bot', { team_id: 'T1', is_bot: true }, 'Only people of the connected workspace'],
])('a person %s learns why nothing happens', async (_who, person, answer) => {
  under.slack.people.set('UOTHER', { email: owner.user.email, ...person });

  expect(await ask('status', 'UOTHER')).toContain(answer);
});

test('a button scans its account again, until it is too old, and only for its own organization', async () => {
  const value = await readButton();
  const scans = under.scans.length;
  await under.receive('interaction', press(value));
  await under.work();
  const scanned = under.scans.length;
  const start = under.clock.now;
  under.clock.now = new Date(start.getTime() + 91 * 86_400_000);
  await under.receive('interaction', press(value));
  await under.work();
  under.clock.now = start;
  await under.receive('interaction', press('a.b'));
  await under.work();

  expect([scanned, under.scans.length]).toEqual([scans + 1, scans + 1]);
  expect(under.slack.answers.slice(-2).map(({ text }) => text)).toEqual([
    expect.stringContaining('no longer works'),
    expect.stringContaining('no longer works'),
  ]);
});

test('a button that only opens a link needs no work', async () => {
  const { response_url } = under.slack;
  const actions = [{ type: 'button', action_id: 'open_report' }];
  const payload = { type: 'block_actions', team: { id: 'T1' }, user: { id: 'UOWNER' }, response_url, actions };

  expect(
    await under.receive('interaction', new URLSearchParams({ payload: JSON.stringify(payload) }).toString()),
  ).toEqual({});
  expect(under.queued).toEqual([]);
});

test('a request that Slack does not let answer now is tried again, and given up after five attempts', async () => {
  await under.receive('command', command('status'));
  const [payload] = under.queued.splice(0);
  for (let attempt = 1; attempt < 5; attempt += 1) {
    under.slack.failNext({ status: 429, retry_after: 1 });
    await expect(under.chat.handling.handle(payload!)).rejects.toMatchObject({ code: 'rate_limited' });
  }
  under.slack.failNext({ status: 429, retry_after: 1 });
  await under.chat.handling.handle(payload!);

  const [row] = await under.database.admin_db('chat_requests').where({ id: payload!.id });
  expect([row.status, row.attempts, row.body_ct]).toEqual(['failed', 5, null]);
});

test('a request that the queue lost is queued again, and old ones are deleted', async () => {
  await under.receive('command', command('help'));
  under.queued.splice(0);
  const start = under.clock.now;
  under.clock.now = new Date(start.getTime() + 120_000);
  await under.chat.handling.requeueLost();
  const requeued = under.queued.length;
  await under.work();
  under.clock.now = new Date(start.getTime() + 100 * 86_400_000);
  await under.chat.handling.deleteOld();
  under.clock.now = start;

  expect(requeued).toBe(1);
  expect(await under.database.admin_db('chat_requests')).toEqual([]);
});

test('the home tab shows a member the accounts, and anybody else what is missing', async () => {
  const readHome = async (user: string) => {
    await under.receive('event', event({ type: 'app_home_opened', user, tab: 'home' }));
    await under.work();
    return under.slack.calls.at(-1);
  };
  under.slack.people.set('UOTHER', { email: 'nobody@example.com', team_id: 'T1' });

  expect(await readHome('UOWNER')).toMatchObject({
    method: 'views.publish',
    form: { user_id: 'UOWNER', view: expect.stringContaining('coverage 91.4') },
  });
  expect((await readHome('UOTHER'))?.form['view']).toContain('No member of the organization');
});

test('an organization with many accounts gets a message within the limits of Slack', async () => {
  const known = under.accounts.splice(0);
  const drift = { coverage_pct: 1, risk_level: 'critical' as const, drift_snapshot_id: null };
  const row = { provider: 'aws', undeclared_count: 9, changed_count: 9, missing_count: 9, last_scan_at: new Date(0) };
  for (let index = 0; index < 300; index += 1) {
    under.accounts.push({ ...row, ...drift, cloud_account_id: newId(), display_name: '&<*_~`@'.repeat(40) });
  }
  await ask('status');
  under.accounts.splice(0, 300, ...known);
  const { blocks } = under.slack.answers.at(-1) as { blocks: { text?: { text: string } }[] };

  expect(blocks.length).toBeLessThanOrEqual(50);
  expect(Math.max(...blocks.map(({ text }) => text?.text.length ?? 0))).toBeLessThanOrEqual(3_000);
  expect(blocks.reduce((sum, { text }) => sum + (text?.text.length ?? 0), 0)).toBeLessThanOrEqual(12_000);
  expect(JSON.stringify(blocks)).toContain('and ');
});

test('an organization whose plan no longer includes chat learns that', async () => {
  const { admin_db } = under.database;
  await admin_db('orgs').where({ id: org }).update({ plan: 'free' });
  const answer = await ask('status');
  await admin_db('orgs').where({ id: org }).update({ plan: 'team' });

  expect(answer).toContain('plan');
  expect(answer).not.toContain('coverage');
});

test('an event that the app was removed deletes the workspace, unless it was connected again since', async () => {
  const start = under.clock.now;
  await under.receive('event', event({ type: 'app_uninstalled' }, { at: new Date(start.getTime() - 60_000) }));
  await under.work();
  const kept = await under.installation(org);
  await under.receive('event', event({ type: 'tokens_revoked', tokens: { oauth: ['U1'] } }));
  await under.work();
  const kept_too = await under.installation(org);
  await under.receive('event', event({ type: 'tokens_revoked', tokens: { bot: ['UBOT'] } }));
  await under.work();

  expect([kept, kept_too].every((row) => row !== undefined)).toBe(true);
  expect(await under.installation(org)).toBeUndefined();
  expect(under.audit.selectEvents(org, 'chat.uninstalled')).toEqual([expect.objectContaining({ actor_email: '' })]);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChatUnderTest, describeEnd, setUpChat } from './setup.ts';

let under: ChatUnderTest;
beforeAll(async () => {
  under = await setUpChat();
});
afterAll(() => under.close());

const MESSAGE = { text: 'Drift', blocks: [] };

test('a person who confirms connects their workspace, with the token encrypted', async () => {
  const { owner, org } = await under.makeOwner();

  expect(await under.connect(owner, org, 'T1')).toBe('connected');
  const { available, installation } = await under.chat.workspaces.status(org);
  expect([available, installation]).toEqual([
    true,
    expect.objectContaining({ team_id: 'T1', team_name: 'Team T1', scopes: ['chat:write', 'commands'] }),
  ]);
  const { token_ct } = await under.installation(org);
  expect(token_ct.includes('xoxb-')).toBe(false);
  expect(under.audit.selectEvents(org, 'chat.installed')).toEqual([
    expect.objectContaining({ actor_email: owner.user.email, detail: { team_id: 'T1', team_name: 'Team T1' } }),
  ]);
});

test('the confirmation names the organization and the requester, and before it nothing is exchanged', async () => {
  const { owner, org } = await under.makeOwner();
  const before = under.slack.calls.length;
  const end = await under.chat.callback.complete({
    state: await under.createState(owner, org),
    code: under.slack.approve('T2'),
  });

  expect(end).toMatchObject({ prompt: { requested_by: owner.user.email, org: { slug: expect.any(String) } } });
  expect(under.slack.calls.length).toBe(before);
  expect(await under.installation(org)).toBeUndefined();
});

test('a state works once, and not for another purpose or after ten minutes', async () => {
  const { owner, org } = await under.makeOwner();
  const state = await under.createState(owner, org);
  const code = under.slack.approve('T3');
  const old = await under.createState(owner, org);
  await under.chat.callback.complete({ state, code });
  const start = under.clock.now;
  under.clock.now = new Date(start.getTime() + 11 * 60_000);
  const late = await under.comeAndDecide(old, code);
  under.clock.now = start;

  expect([await under.comeAndDecide(state, code), late, await under.comeAndDecide('a.b', code)]).toEqual([
    'denied invalid_state',
    'denied invalid_state',
    'denied invalid_state',
  ]);
});

test('a confirmation works only in the browser that brought the code, and once', async () => {
  const { owner, org } = await under.makeOwner();
  const state = await under.createState(owner, org);
  const end = await under.chat.callback.complete({ state, code: under.slack.approve('T4') });
  if ('location' in end) throw new Error('no confirmation');
  const { token, browser } = end.prompt;
  const decide = async (of: string | undefined) =>
    describeEnd(await under.chat.callback.decide({ token, browser: of, decision: 'install' }));

  expect([await decide(undefined), await decide('other.code'), await decide(browser), await decide(browser)]).toEqual([
    'denied confirmation_invalid',
    'denied confirmation_invalid',
    'connected',
    'denied confirmation_invalid',
  ]);
});

test('a person who declines, here or at Slack, connects nothing', async () => {
  const { owner, org } = await under.makeOwner();
  const declined = await under.chat.callback.complete({
    state: await under.createState(owner, org),
    error: 'access_denied',
  });

  expect('location' in declined && describeEnd(declined.location)).toBe('denied access_denied');
  expect(await under.comeAndDecide(await under.createState(owner, org), under.slack.approve('T5'), 'cancel')).toBe(
    'denied access_denied',
  );
  expect(await under.installation(org)).toBeUndefined();
});

test('a workspace belongs to one organization, whose token stays valid when another one asks for it', async () => {
  const [one, other] = [await under.makeOwner(), await under.makeOwner()];
  await under.connect(one.owner, one.org, 'T6');
  const revoked = () => under.slack.calls.filter(({ method }) => method === 'auth.revoke').length;
  const before = revoked();

  expect(await under.connect(other.owner, other.org, 'T6')).toBe('denied team_linked');
  expect(revoked()).toBe(before);
});

test('an organization has one workspace; a token of a second one is revoked at once', async () => {
  const { owner, org } = await under.makeOwner();
  await under.connect(owner, org, 'T7');

  expect(await under.connect(owner, org, 'T8')).toBe('denied other_team');
  expect(under.slack.calls.at(-1)?.method).toBe('auth.revoke');
  expect((await under.installation(org)).team_id).toBe('T7');
});

test('an installation for a whole Enterprise Grid organization is refused, one in a workspace of it is not', async () => {
  const { owner, org } = await under.makeOwner();
  const enterprise = { id: 'E1' };

  expect(await under.connect(owner, org, 'T9', { enterprise, is_enterprise_install: true, team: null })).toBe(
    'denied enterprise_install',
  );
  expect(await under.connect(owner, org, 'T9', { enterprise })).toBe('connected');
  expect((await under.installation(org)).enterprise_id).toBe('E1');
});

test('whoever lost their role, or the plan, connects nothing', async () => {
  const { owner, org } = await under.makeOwner();
  const state = await under.createState(owner, org);
  const second = await under.createState(owner, org);
  const { admin_db } = under.database;
  await admin_db('memberships').where({ org_id: org }).update({ role: 'member' });
  const role_lost = await under.comeAndDecide(state, under.slack.approve('T10'));
  await admin_db('memberships').where({ org_id: org }).update({ role: 'owner' });
  await admin_db('orgs').where({ id: org }).update({ plan: 'free' });
  const plan_limit = await under.comeAndDecide(second, under.slack.approve('T10'));

  expect([role_lost, plan_limit]).toEqual(['denied role_lost', 'denied plan_limit']);
  await expect(under.chat.callback.installUrl(owner, org)).rejects.toMatchObject({ status: 402 });
});

test('a code that Slack rejects connects nothing', async () => {
  const { owner, org } = await under.makeOwner();

  expect(await under.comeAndDecide(await under.createState(owner, org), 'unknown')).toBe('denied exchange_failed');
  expect(await under.comeAndDecide(await under.createState(owner, org), 'no; code')).toBe('denied exchange_failed');
});

test('channels are listed page by page and found by a part of their name', async () => {
  const { owner, org } = await under.makeOwner();
  await expect(under.chat.workspaces.listChannels(org, {})).rejects.toMatchObject({ status: 404 });
  await under.connect(owner, org, 'T11');
  const first = await under.chat.workspaces.listChannels(org, { q: '#INFRA' });
  const second = await under.chat.workspaces.listChannels(org, { cursor: first.next_cursor ?? '' });

  expect(first.channels.map(({ name }) => name)).toEqual(['infrastructure']);
  expect([second.channels.map(({ name }) => name), second.next_cursor]).toEqual([['random'], null]);
  under.slack.failNext({ status: 429, retry_after: 3 });
  await expect(under.chat.workspaces.listChannels(org, {})).rejects.toMatchObject({ status: 503 });
  under.slack.failNext({ error: 'missing_scope' });
  await expect(under.chat.workspaces.listChannels(org, {})).rejects.toMatchObject({ status: 502 });
});

test('messages go to the own workspace of an organization, and to that of the deployment without one', async () => {
  const { owner, org } = await under.makeOwner();
  await (await under.chat.workspaces.openChat(org))?.post('C1', MESSAGE, null, 'delivery');
  const posted = under.deployment.posted.length;
  await under.connect(owner, org, 'T12');
  const sent = await (await under.chat.workspaces.openChat(org))?.post('C1', MESSAGE, null, 'delivery');

  expect([posted, under.deployment.posted.length]).toEqual([1, 1]);
  expect(sent).toMatchObject({ ok: true, ref: { channel: 'C1' } });
});

test('the bad answers of Slack to a message say what to do, and 429 how long to wait', async () => {
  const { owner, org } = await under.makeOwner();
  await under.connect(owner, org, 'T13');
  const post = async (failure: object) => {
    under.slack.failNext(failure);
    return (await under.chat.workspaces.openChat(org))?.post('C1', MESSAGE, null, 'delivery');
  };

  expect(await post({ error: 'channel_not_found' })).toMatchObject({
    is_final: true,
    error: expect.stringContaining('does not exist'),
  });
  expect(await post({ error: 'not_in_channel' })).toMatchObject({
    is_final: true,
    error: expect.stringContaining('invite it'),
  });
  expect(await post({ status: 429, retry_after: 7 })).toMatchObject({ is_final: false, retry_after_ms: 7_000 });
  expect(await under.installation(org)).toBeDefined();
});

test('a token that is revoked while a message is sent removes the workspace, and the audit log says so', async () => {
  const { owner, org } = await under.makeOwner();
  await under.connect(owner, org, 'T14');
  const sender = await under.chat.workspaces.openChat(org);
  under.slack.tokens.clear();

  expect(await sender?.post('C1', MESSAGE, null, 'delivery')).toMatchObject({
    ok: false,
    code: 'token_revoked',
    is_final: true,
  });
  expect(await under.installation(org)).toBeUndefined();
  expect(under.audit.selectEvents(org, 'chat.uninstalled')).toEqual([expect.objectContaining({ actor_email: '' })]);
});

test('an expiring token is exchanged once before it ends', async () => {
  const { owner, org } = await under.makeOwner();
  await under.connect(owner, org, 'T15', { expires_in: 43_200 });
  const start = under.clock.now;
  const post = async () => (await under.chat.workspaces.openChat(org))?.post('C1', MESSAGE, null, 'delivery');
  const refreshes = () => under.slack.calls.filter(({ form }) => form['grant_type'] === 'refresh_token').length;
  await post();
  const early = refreshes();
  under.clock.now = new Date(start.getTime() + 11.8 * 3_600_000);
  const results = await Promise.all([post(), post(), post()]);
  await post();
  under.clock.now = start;

  expect([early, refreshes()]).toEqual([0, 1]);
  expect(results.every((result) => result?.ok)).toBe(true);
});

test('a token that has ended is exchanged once, and whoever comes meanwhile tries again', async () => {
  const { owner, org } = await under.makeOwner();
  await under.connect(owner, org, 'T17', { expires_in: 43_200 });
  const start = under.clock.now;
  const post = async () => (await under.chat.workspaces.openChat(org))?.post('C1', MESSAGE, null, 'delivery');
  under.clock.now = new Date(start.getTime() + 13 * 3_600_000);
  const results = await Promise.all([post(), post(), post()]);
  const after = await post();
  under.clock.now = start;

  for (const result of results) expect(result?.ok || result?.code === 'renewing').toBe(true);
  expect([after?.ok, await under.installation(org)]).toEqual([true, expect.objectContaining({ team_id: 'T17' })]);
});

test('a call with the token of before does not remove a workspace that was connected again', async () => {
  const { owner, org } = await under.makeOwner();
  await under.connect(owner, org, 'T18');
  const before = under.clock.now;
  under.clock.now = new Date(before.getTime() + 1_000);
  await under.connect(owner, org, 'T18');
  await under.chat.workspaces.forget(org, before);
  under.clock.now = before;

  expect(await under.installation(org)).toBeDefined();
});

test('removing the app deletes the token here, whatever Slack answers, and once', async () => {
  const { owner, org } = await under.makeOwner();
  await under.connect(owner, org, 'T16');
  under.slack.failNext({ error: 'fatal_error' });

  expect(await under.chat.workspaces.uninstall(owner, org)).toBe(true);
  expect(await under.chat.workspaces.uninstall(owner, org)).toBe(false);
  expect(under.slack.calls.at(-1)?.method).toBe('auth.revoke');
  expect(under.audit.selectEvents(org, 'chat.uninstalled')).toEqual([
    expect.objectContaining({ actor_email: owner.user.email }),
  ]);
});

test('without an app nothing can be installed, and the status says so', async () => {
  const { owner, org } = await under.makeOwner();

  expect(await under.without.workspaces.status(org)).toEqual({ available: false, installation: null });
  await expect(under.without.callback.installUrl(owner, org)).rejects.toMatchObject({ status: 503 });
});

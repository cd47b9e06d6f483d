/** The Slack app over HTTP, with a real queue and worker. */
import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { APP, type SlackServer, startSlackServer } from '../fakes/slack-server.ts';
import { readForm } from '../helpers/github-callback.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;
let slack: SlackServer;
let owner: Caller;
let org: string;

beforeAll(async () => {
  slack = await startSlackServer();
  service = await startTestService({ ...slack.environment, API_URL: 'https://api.example.com' });
  owner = await service.signIn('owner');
  const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme <b>' })).body;
  await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
  org = `/api/v2/orgs/${id}`;
  slack.people.set('U1', { email: 'owner@example.com', team_id: 'T1' });
});
afterAll(async () => {
  await service.close();
  await slack.stop();
});

async function waitFor<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    const found = await find();
    if (found !== undefined) return found;
    await wait(25);
  }
  throw new Error('it did not happen within a minute');
}

function sendSigned(path: string, body: string, type = 'application/x-www-form-urlencoded'): Promise<Answer> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = `v0=${createHmac('sha256', APP.signing_secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  const headers = { 'content-type': type, 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
  return service.anonymous.send('POST', `/api/v2/chat/slack/${path}`, body, headers);
}

test('a workspace is connected through the confirmation page, used, and removed', async () => {
  expect((await owner.get(`${org}/chat/status`)).body).toEqual({
    available: true,
    installed: false,
    created_at: null,
    scopes: [],
  });
  const { authorize_url } = (await owner.post(`${org}/chat/install`, undefined)).body;
  const { searchParams } = new URL(authorize_url);
  expect(searchParams.get('redirect_uri')).toBe('https://api.example.com/api/v2/chat/callback');
  const query = new URLSearchParams({ state: searchParams.get('state') ?? '', code: slack.approve('T1') });
  const page = await service.anonymous.get(`/api/v2/chat/callback?${query}`);
  expect(String(page.body)).toContain('Acme &lt;b&gt;');
  const { token, cookie } = readForm(page);
  const form = new URLSearchParams({ token, decision: 'install' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie };
  const end = await service.anonymous.send('POST', '/api/v2/chat/confirm', form, headers);
  expect(end.headers.get('location')).toBe('https://api.example.com/slack/return?chat=connected');

  expect((await owner.get(`${org}/chat/status`)).body).toMatchObject({ installed: true, team_id: 'T1' });
  expect((await owner.get(`${org}/chat/channels`)).body).toMatchObject({ next_cursor: '2' });
});

test('a signed command is acknowledged at once and answered by the worker', async () => {
  const { response_url } = slack;
  const body = new URLSearchParams({
    command: '/drift',
    team_id: 'T1',
    user_id: 'U1',
    text: 'status',
    response_url,
  }).toString();

  expect(await sendSigned('commands', body)).toMatchObject({ status: 200, body: { response_type: 'ephemeral' } });
  const answer = await waitFor(async () => slack.answers.at(-1));
  expect(answer).toMatchObject({ response_type: 'ephemeral', text: expect.stringContaining('Cloud accounts of Acme') });
});

test('a channel that is given by its name is stored by its ID, wherever it is given', async () => {
  for (const channel of slack.channels) channel.is_member = true;
  const schedule = { name: 'nightly', schedule: '0 3 * * *', notify_chat_channel: '#infrastructure' };
  const made = await owner.post(`${org}/schedules`, schedule);
  const path = `${org}/schedules/${made.body.id}`;

  expect(made.body).toMatchObject({ notify_chat_channel: 'C0000001' });
  expect((await owner.send('PUT', path, { notify_chat_channel: '#random' })).body).toMatchObject({
    notify_chat_channel: 'C0000002',
  });
  expect((await owner.send('PUT', path, { notify_chat_channel: '#nothing' })).body).toMatchObject({
    error_class: 'channel_not_found',
  });
  const target = await owner.post(`${org}/notification-targets`, { kind: 'slack', channel: '#general' });
  expect(target.body).toMatchObject({ channel: 'C0000000' });
  const settings = await owner.send('PATCH', `${org}/settings`, { default_notify_channel: '#general' });
  expect(settings.body).toMatchObject({ default_notify_channel: 'C0000000' });
});

test('a request that Slack did not sign is refused', async () => {
  const headers = { 'x-slack-request-timestamp': String(Math.floor(Date.now() / 1_000)), 'x-slack-signature': 'v0=0' };

  expect(await service.anonymous.send('POST', '/api/v2/chat/slack/events', '{}', headers)).toMatchObject({
    status: 401,
    body: { error_class: 'signature_invalid' },
  });
});

test('the verification of the URL is answered', async () => {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });

  expect((await sendSigned('events', body, 'application/json')).body).toEqual({ challenge: 'abc' });
});

test('the return page says what happened and shows nothing of its query', async () => {
  const page = await service.anonymous.get('/slack/return?chat=denied&reason=team_linked&x=<b>');

  expect(String(page.body)).toContain('The workspace is connected elsewhere');
  expect(String(page.body)).not.toContain('<b>');
});

test('the app is removed, and the audit log has both', async () => {
  expect((await owner.send('DELETE', `${org}/chat/uninstall`)).body).toEqual({ uninstalled: true });
  expect((await owner.send('DELETE', `${org}/chat/uninstall`)).body).toEqual({ uninstalled: false });
  const rows = await waitFor(async () => {
    const found = await service.admin_db('audit_log').whereIn('action', ['chat.installed', 'chat.uninstalled']);
    return found.length === 2 ? found : undefined;
  });
  expect(rows.map(({ actor_email }) => actor_email)).toEqual(['owner@example.com', 'owner@example.com']);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEmulator, type Emulator } from 'emulate';
import { createSlackApp } from '../../../server/adapters/slack/app.ts';
import { createSlackSender } from '../../../server/adapters/slack/index.ts';
import { renderDialog } from '../../../server/domains/chat/dialog-blocks.ts';
import { listButtons } from '../../../server/domains/notifications/buttons.ts';
import { describeThread } from '../../../server/domains/notifications/message.ts';
import { renderSlack, renderSlackLine } from '../../../server/domains/notifications/slack-blocks.ts';
import { buildAccount } from '../../domains/notifications/samples.ts';
import { findFreePort } from '../../fakes/ports.ts';
import { APP } from '../../fakes/slack-server.ts';

const TOKEN = 'xoxb-1-test';
const CHANNEL = 'C000000001';
const BUTTONS = listButtons({ resolved_at: null }, (action) => `signed ${action}`);
const MESSAGE = renderSlack(describeThread([buildAccount()], 'acme'), BUTTONS);

describe('a workspace', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    const seed = { slack: { team: { name: 'Acme', domain: 'acme' } }, tokens: { [TOKEN]: { login: 'dpa' } } };
    emulator = await createEmulator({ service: 'slack', port: await findFreePort(), seed });
  });
  afterAll(async () => void (await emulator.close()));

  const open = () => createSlackSender({ token: TOKEN, api_url: `${emulator.url}/api/` });

  /** Calls a method that the service does not use. */
  async function ask<Answer>(method: string, body: object): Promise<Answer> {
    const answer = await fetch(`${emulator.url}/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Answer;
  }

  async function readThread(ts: string): Promise<string[]> {
    const { messages } = await ask<{ messages: { text: string }[] }>('conversations.replies', { channel: CHANNEL, ts });
    return messages.map(({ text }) => text);
  }

  test('shows a posted message, its update, and a line in its thread', async () => {
    const sender = open();
    const posted = await sender.post(CHANNEL, MESSAGE, null, 'delivery 1');
    if (!posted.ok) throw new Error(posted.error);

    const updated = await sender.update(posted.ref, { ...MESSAGE, text: 'now resolved' });
    const answered = await sender.post(posted.ref.channel, renderSlackLine('prod: worse'), posted.ref, 'delivery 2');

    expect([updated, answered]).toMatchObject([{ ok: true, ref: posted.ref }, { ok: true }]);
    expect(await readThread(posted.ref.ts)).toEqual(['now resolved', 'prod: worse']);
  });

  test('finds a message that it has posted, and a line in a thread, by their deliveries', async () => {
    const sender = open();
    const root = await sender.post(CHANNEL, MESSAGE, null, 'delivery 5');
    if (!root.ok) throw new Error(root.error);
    const line = await sender.post(CHANNEL, renderSlackLine('prod: worse'), root.ref, 'delivery 6');
    if (!line.ok) throw new Error(line.error);
    const find = (delivery_id: string, thread = null as typeof root.ref | null, channel = CHANNEL) =>
      sender.find(channel, thread, { delivery_id, begun_at: new Date() });

    expect(await find('delivery 5')).toEqual({ ok: true, ref: root.ref });
    expect(await find('delivery 6', root.ref)).toEqual({ ok: true, ref: line.ref });
    expect(await find('delivery 7')).toEqual({ ok: true, ref: null });
    expect(await find('delivery 5', null, 'C404')).toMatchObject({ ok: false, is_final: true });
  });

  test('lists its channels, and shows a person a dialog once for each press, a home tab and a text of their own', async () => {
    const workspace = createSlackApp({ ...APP, api_url: `${emulator.url}/api/`, redirect_uri: null }).open(TOKEN);
    const { members } = await ask<{ members: { id: string }[] }>('users.list', {});
    const user_id = members[0]?.id ?? '';
    const { trigger_id } = await ask<{ trigger_id: string }>('views.generateTriggerId', { user_id });
    const groups = [{ display_name: 'prod', options: [{ value: 'a:b', name: 'aws_x.y' }] }];
    const dialog = renderDialog({ state: 'signed', groups, chosen: null });

    expect((await workspace.listChannels(null, 1_000)).channels).toContainEqual(
      expect.objectContaining({ id: CHANNEL }),
    );
    await workspace.tell(CHANNEL, user_id, renderSlackLine('only for you'));
    await workspace.publishHome(user_id, MESSAGE.blocks);
    await workspace.openDialog(trigger_id, dialog);
    await expect(workspace.openDialog(trigger_id, dialog)).rejects.toMatchObject({ is_final: true });
    await expect(workspace.updateDialog('V404', dialog)).rejects.toMatchObject({ code: 'not_found', is_final: true });
  });

  test('says what to do if the channel does not exist', async () => {
    expect(await open().post('C404', MESSAGE, null, 'delivery 3')).toMatchObject({
      ok: false,
      code: 'channel_not_found',
      is_final: true,
      error: expect.stringContaining('invite the app or choose another'),
    });
  });
});

describe('a workspace that refuses', () => {
  const next = { status: 200, headers: {} as Record<string, string>, body: '{}' };
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers }).end(next.body);
    });
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());

  const post = () => {
    const api_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
    return createSlackSender({ token: TOKEN, api_url }).post(CHANNEL, MESSAGE, null, 'delivery 4');
  };

  test('because of its rate limit says how long to wait, and the call does not wait itself', async () => {
    Object.assign(next, { status: 429, headers: { 'retry-after': '120' }, body: '' });

    expect(await post()).toMatchObject({ ok: false, code: 'rate_limited', is_final: false, retry_after_ms: 120_000 });
  });

  test.each(['not_in_channel', 'is_archived', 'token_revoked', 'account_inactive', 'invalid_auth', 'missing_scope'])(
    'with %s is not asked again',
    async (error) => {
      Object.assign(next, { status: 200, headers: {}, body: JSON.stringify({ ok: false, error }) });

      expect(await post()).toMatchObject({
        ok: false,
        code: error,
        is_final: true,
        error: expect.stringMatching(/; |too/),
      });
    },
  );

  test('with an unknown error is asked again, and its text is not repeated', async () => {
    const body = JSON.stringify({ ok: false, error: 'odd <!channel> error' });
    Object.assign(next, { status: 200, headers: {}, body });

    expect(await post()).toMatchObject({ ok: false, is_final: false, error: 'Slack answered with the error unknown' });
  });

  test.each([500, 503])('with status %d is asked again', async (status) => {
    Object.assign(next, { status, headers: {}, body: '' });

    expect(await post()).toMatchObject({ ok: false, code: 'unreachable', is_final: false, retry_after_ms: null });
  });
});

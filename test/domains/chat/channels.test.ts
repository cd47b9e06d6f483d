/** Names of channels are stored as IDs. */
import { expect, test } from '@jest/globals';
import { createChannels } from '../../../server/domains/chat/channels-service.ts';
import type { OpenedWorkspace } from '../../../server/domains/chat/types.ts';
import { ChatError } from '../../../server/lib/chat-error.ts';

const CHANNELS = [
  { id: 'C0', name: 'general', is_private: false, is_member: true },
  { id: 'C1', name: 'infra', is_private: false, is_member: false },
  { id: 'C2', name: 'ops', is_private: true, is_member: false },
];

/** A workspace that lists one channel in each page, and fails first in the given ways. */
function setUp({ scopes = ['chat:write.public'], failures = [] as ChatError[], is_connected = true } = {}) {
  const waits: number[] = [];
  const listed: (string | null)[] = [];
  async function listChannels(cursor: string | null) {
    listed.push(cursor);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const place = Number(cursor ?? 0);
    const next_cursor = place + 1 < CHANNELS.length ? String(place + 1) : null;
    return { channels: CHANNELS.slice(place, place + 1), next_cursor };
  }
  const opened = { installation: { scopes }, workspace: { listChannels } } as unknown as OpenedWorkspace;
  const { resolve } = createChannels({
    workspaces: { open: async () => (is_connected ? opened : undefined) },
    wait: async (ms) => void waits.push(ms),
  });
  return { resolve: (channel: string | null | undefined) => resolve('org', channel, 'channel'), waits, listed };
}

function limited(retry_after_ms: number): ChatError {
  return new ChatError('Slack asked to wait', { code: 'rate_limited', is_final: false, retry_after_ms });
}

test('a name becomes the ID of its channel, whatever page it is on', async () => {
  const { resolve, listed } = setUp();

  expect(await resolve('#Infra')).toBe('C1');
  expect(listed).toEqual([null, '1']);
});

test('an ID, and nothing, stay as they are, and so does a name without a workspace', async () => {
  const { resolve, listed } = setUp();
  const without = setUp({ is_connected: false });

  expect([await resolve('C0123456789'), await resolve(null), await resolve(undefined)]).toEqual([
    'C0123456789',
    null,
    undefined,
  ]);
  expect(await without.resolve('#infra')).toBe('#infra');
  expect(listed).toEqual([]);
});

test('a channel that does not exist, or in which the app may not post, is refused with what to do', async () => {
  await expect(setUp().resolve('#nothing')).rejects.toMatchObject({
    status: 400,
    error_class: 'channel_not_found',
    message: expect.stringContaining('invite the app first'),
  });
  await expect(setUp().resolve('#ops')).rejects.toMatchObject({ status: 400, error_class: 'not_in_channel' });
  await expect(setUp({ scopes: [] }).resolve('#infra')).rejects.toMatchObject({ error_class: 'not_in_channel' });
  expect(await setUp({ scopes: [] }).resolve('#general')).toBe('C0');
});

test('a page is repeated after the wait that Slack asks for, and a long one is left to the caller', async () => {
  const { resolve, waits } = setUp({ failures: [limited(2_000), limited(3_000)] });

  expect(await resolve('#general')).toBe('C0');
  expect(waits).toEqual([2_000, 3_000]);
  await expect(setUp({ failures: [limited(30_000)] }).resolve('#general')).rejects.toMatchObject({ status: 503 });
});

test('a workspace that no longer accepts the app is named as the reason', async () => {
  const gone = new ChatError('the token was revoked', { code: 'token_revoked', is_final: true, retry_after_ms: null });

  await expect(setUp({ failures: [gone] }).resolve('#general')).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('the token was revoked'),
  });
});

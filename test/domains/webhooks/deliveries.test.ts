import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Principal } from '../../../server/lib/principal.ts';
import { setUpWebhooks, type WebhooksUnderTest } from './setup.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const BODY = Buffer.from('{"object_kind":"pipeline"}');
const DELIVERY_HEADERS = { event: 'Pipeline Hook', is_handled: true };

let under: WebhooksUnderTest;
beforeAll(async () => {
  under = await setUpWebhooks();
});
afterAll(() => under.database.close());

let owner: Principal;
let org: string;
let config_id: string;
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  const made = await under.webhooks.configs.create(owner, org, { provider: 'gitlab', repo_path: 'acme/shop' });
  config_id = made.config.id;
});

const listQueued = () =>
  under.database
    .admin_db('outbox')
    .where({ topic: 'scm' })
    .whereRaw(`payload->>'org_id' = ?`, [org])
    .select('payload')
    .then((rows) => rows.map(({ payload }) => payload.id));
const row = (id: string) => under.database.admin_db('webhook_deliveries').where({ id }).first();
const source = () => ({ config_id, installation_row_id: null });

async function accept(provider_delivery_id: string = randomUUID()): Promise<string> {
  const delivery_headers = { ...DELIVERY_HEADERS, provider_delivery_id };
  const received = await under.webhooks.deliveries.accept(org, source(), delivery_headers, BODY);
  return received.accepted ? received.delivery_id : received.reason;
}

async function later<T>(ms: number, run: () => Promise<T>): Promise<T> {
  const { now } = under.clock;
  under.clock.now = new Date(now.getTime() + ms);
  try {
    return await run();
  } finally {
    under.clock.now = now;
  }
}

test('a repeated delivery is processed once', async () => {
  const id = await accept('one');

  expect(await accept('one')).toBe('duplicate');
  expect(await listQueued()).toEqual([id]);
});

test('a failed delivery is processed again only when its host delivers it again', async () => {
  const { open, settle } = under.webhooks.deliveries;
  const id = await accept('again');
  await settle(org, id, { status: 'failed', error: 'the token is not valid' });

  expect(await accept('again')).toBe(id);
  expect(await listQueued()).toEqual([id, id]);
  expect(await open(org, id)).toMatchObject({ raw: BODY });
  expect(await accept('again')).toBe('duplicate');
  await settle(org, id, { status: 'accepted' });
  expect(await accept('again')).toBe('duplicate');
});

test('an event that nothing needs is not processed', async () => {
  const delivery_headers = { event: 'Wiki Page Hook', provider_delivery_id: randomUUID(), is_handled: false };

  expect(await under.webhooks.deliveries.accept(org, source(), delivery_headers, BODY)).toMatchObject({
    reason: 'ignored',
  });
  expect(await listQueued()).toEqual([]);
});

test('a delivery can be decrypted unchanged until it is settled, once', async () => {
  const { open, settle } = under.webhooks.deliveries;
  const id = await accept('two');

  expect(await open(org, id)).toEqual({
    ...source(),
    id,
    provider_delivery_id: 'two',
    event: 'Pipeline Hook',
    raw: BODY,
  });
  await later(1_500, () => settle(org, id, { status: 'failed', error: 'the project is gone' }));
  await settle(org, id, { status: 'accepted' });

  expect(await open(org, id)).toBeUndefined();
  expect(await row(id)).toMatchObject({
    status: 'failed',
    error: 'the project is gone',
    attempts: 1,
    duration_ms: 1_500,
    next_attempt_at: null,
    finished_at: new Date(under.clock.now.getTime() + 1_500),
  });
});

test('a delivery can be decrypted only in its own organization', async () => {
  const other = await under.makeOwner();
  const id = await accept();

  expect(await under.webhooks.deliveries.open(other.org, id)).toBeUndefined();
  await under.webhooks.deliveries.settle(other.org, id, { status: 'failed' });
  expect(await under.webhooks.deliveries.open(org, id)).toMatchObject({ id });
});

test('lost processing is queued again every five minutes for a day, then fails', async () => {
  const { requeueStalled, settle, open } = under.webhooks.deliveries;
  const [lost, done] = [await accept(), await accept()];
  await settle(org, done, { status: 'accepted' });

  await later(5 * MINUTE_MS - 1, requeueStalled);
  expect(await listQueued()).toEqual([lost, done]);
  await later(5 * MINUTE_MS, requeueStalled);
  await later(5 * MINUTE_MS, requeueStalled);
  expect(await listQueued()).toEqual([lost, done, lost]);
  await later(DAY_MS - 1, requeueStalled);
  expect(await listQueued()).toHaveLength(4);
  await later(DAY_MS + 5 * MINUTE_MS, requeueStalled);
  expect(await listQueued()).toHaveLength(4);
  expect(await open(org, lost)).toBeUndefined();
  expect(await row(lost)).toMatchObject({ status: 'failed', error: expect.stringContaining('within a day') });
});

test('after a long outage all unprocessed deliveries are queued at once', async () => {
  const first = await row(await accept());
  const others = Array.from({ length: 204 }, () => ({
    ...first,
    id: randomUUID(),
    provider_delivery_id: randomUUID(),
  }));
  await under.database.admin_db('webhook_deliveries').insert(others);

  await later(5 * MINUTE_MS, under.webhooks.deliveries.requeueStalled);

  expect(new Set(await listQueued()).size).toBe(205);
});

test('the bot gets the integration key of an enabled repository', async () => {
  const { configs } = under.webhooks;
  const generic = { provider: 'generic', provider_base_url: 'https://hooks.example.com/dpa' } as const;
  const server = await configs.create(owner, org, generic);

  expect(await configs.access(org, config_id)).toEqual({
    id: config_id,
    provider: 'gitlab',
    provider_base_url: 'https://gitlab.com',
    repo_path: 'acme/shop',
    dpa_token: expect.stringMatching(/^\S{20,}$/),
    api_token: null,
    api_token_status: null,
    api_user_id: null,
  });
  expect(await configs.access((await under.makeOwner()).org, config_id)).toBeUndefined();
  expect(await configs.access(org, server.config.id)).toBeUndefined();
  await configs.update(owner, org, config_id, { enabled: false });
  expect(await configs.access(org, config_id)).toBeUndefined();
});

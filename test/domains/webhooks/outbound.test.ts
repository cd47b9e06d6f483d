import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Principal } from '../../../server/lib/principal.ts';
import { setUpWebhooks, type WebhooksUnderTest } from './setup.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let under: WebhooksUnderTest;
beforeAll(async () => {
  under = await setUpWebhooks();
});
afterAll(() => under.database.close());

let owner: Principal;
let org: string;
let id: string;
let secret: string;
beforeEach(async () => {
  // Signatures are verified with the real clock.
  under.clock.now = new Date();
  under.server.received.length = 0;
  under.server.answer(204);
  ({ owner, org } = await under.makeOwner());
  const generic = { provider: 'generic', provider_base_url: under.server.url } as const;
  const made = await under.webhooks.configs.create(owner, org, generic);
  id = made.config.id;
  secret = made.raw_secret;
});

const rows = () => under.database.admin_db('webhook_deliveries').where({ config_id: id }).orderBy('created_at');
const row = async () => (await rows())[0];
const tick = (ms: number) => {
  under.clock.now = new Date(under.clock.now.getTime() + ms);
};
const outbox = (topic: string): Promise<{ available_at: Date }[]> =>
  under.database.admin_db('outbox').where({ topic }).whereRaw(`payload->>'org_id' = ?`, [org]).orderBy('id');

/** A message that was tested once and redelivered: it is pending, with all retries left. */
async function pending(): Promise<string> {
  await under.webhooks.test(org, id);
  const delivery = await row();
  await under.webhooks.outbound.redeliver(org, id, delivery.id);
  under.server.received.length = 0;
  return delivery.id;
}
const send = async () => under.webhooks.outbound.sendDue({ org_id: org, id: (await row()).id });

describe('testing a webhook', () => {
  test('a test sends a signed ping once, and is listed among the deliveries', async () => {
    expect(await under.webhooks.test(org, id)).toEqual({
      delivered: true,
      status_code: 204,
      error: null,
      duration_ms: 0,
    });

    const [message] = under.server.received;
    const delivery = await row();
    const event = JSON.parse(message?.body ?? '');
    expect(new Webhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>)).toEqual(event);
    expect(event).toEqual({
      id: delivery.provider_delivery_id,
      type: 'webhook.ping',
      version: '2026-01',
      created_at: under.clock.now.toISOString(),
      org_id: org,
      org_slug: expect.any(String),
      data: {},
    });
    expect(message?.headers).toMatchObject({ 'webhook-id': event.id, 'user-agent': 'dpa-webhooks/1' });
    expect(delivery).toMatchObject({ direction: 'out', status: 'delivered', http_status: 204, attempts: 1 });
    expect(await outbox('webhook')).toEqual([]);
  });

  test.each<[number, RegExp]>([
    [500, /^127\.0\.0\.1:\d+ responded with status 500$/],
    [302, /status 302$/],
    [0, /cannot be reached$/],
  ])('a test that gets the response %p reports it and is not retried', async (status, error) => {
    under.server.answer(status, { location: under.server.url });

    const outcome = { delivered: false, status_code: status || null, error: expect.stringMatching(error) };
    expect(await under.webhooks.test(org, id)).toMatchObject(outcome);
    expect(await row()).toMatchObject({ status: 'failed', next_attempt_at: null, error: outcome.error });
    expect(under.server.received).toHaveLength(1);
  });

  test('a test of a server that became private is rejected', async () => {
    await under.storeClear(id, 'http://127.0.0.1:1/');

    expect(await under.webhooks.test(org, id)).toMatchObject({ delivered: false, status_code: null });
  });

  test('ten tests an hour are allowed', async () => {
    const tests = await Promise.allSettled(Array.from({ length: 12 }, () => under.webhooks.test(org, id)));

    expect(tests.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const limit = { status: 429, error_class: 'webhook_test_rate_limited', extra: { retry_after: 3_600 } };
    await expect(under.webhooks.test(org, id)).rejects.toMatchObject(limit);
    tick(HOUR_MS);
    expect(await under.webhooks.test(org, id)).toMatchObject({ delivered: true });
  });

  test('a test of a repository validates its token at the host', async () => {
    const { configs, test, tokens } = under.webhooks;
    id = (await configs.create(owner, org, { provider: 'gitlab', repo_path: 'acme/shop' })).config.id;
    const outcome = { status_code: null, duration_ms: 0 };

    expect(await test(org, id)).toEqual({ ...outcome, delivered: false, error: 'there is no api_token; set one' });
    await tokens.set(owner, org, id, { api_token: 'glpat-0123456789abcdefghij' });
    expect(await test(org, id)).toEqual({ ...outcome, delivered: true, error: null });
    under.host.token_probe = { status: 'invalid', problem: 'make a new one' };
    expect(await test(org, id)).toEqual({ ...outcome, delivered: false, error: 'api_token: make a new one' });
    under.host.token_probe = { status: 'active', user_id: '4711', expires_at: null };
    expect(await configs.get(org, id)).toMatchObject({ api_token_status: 'invalid', last_delivery_status: 'failed' });
  });
});

describe('outbound messages', () => {
  test('a message is tried eight times with growing waits under one id, then fails', async () => {
    await pending();
    under.server.answer(503);
    const waits: (number | null)[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      await send();
      await send();
      const { next_attempt_at } = await row();
      waits.push(next_attempt_at && (next_attempt_at.getTime() - under.clock.now.getTime()) / MINUTE_MS);
      if (next_attempt_at !== null) under.clock.now = next_attempt_at;
    }

    expect(waits).toEqual([0.5, 2, 10, 30, 120, 360, 720, null]);
    expect(await row()).toMatchObject({ status: 'failed', attempts: 8, http_status: 503 });
    expect(under.server.received).toHaveLength(8);
    expect(new Set(under.server.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await outbox('webhook')).toHaveLength(8);
    expect(await under.row(id)).toMatchObject({ failed_streak: 1, enabled: true });
  });

  test('a message is sent once even if twenty workers process it concurrently', async () => {
    await pending();

    await Promise.all(Array.from({ length: 20 }, send));

    expect(under.server.received).toHaveLength(1);
    expect(await row()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('a message waits as long as the server requests', async () => {
    await pending();
    under.server.answer(429, { 'retry-after': '600' });

    await send();

    expect(await row()).toMatchObject({ next_attempt_at: new Date(under.clock.now.getTime() + 600_000) });
    const asked = await outbox('webhook');
    expect(asked.at(-1)?.available_at).toEqual(new Date(under.clock.now.getTime() + 600_000));
  });

  test('a message is not retried after a rejection, and a 410 disables the webhook', async () => {
    await pending();
    under.server.answer(400);
    await send();
    expect(await row()).toMatchObject({ status: 'failed', http_status: 400, next_attempt_at: null });
    expect(await under.row(id)).toMatchObject({ enabled: true });

    await under.webhooks.outbound.redeliver(org, id, (await row()).id);
    under.server.answer(410);
    await send();
    expect(await under.row(id)).toMatchObject({ enabled: false });
    expect(under.audit.selectEvents(org, 'webhook_config.updated')).toEqual([
      {
        action: 'webhook_config.updated',
        org_id: org,
        actor_email: '',
        detail: { config_id: id, enabled: false },
      },
    ]);
  });

  test('the twentieth failed message in a row disables the webhook', async () => {
    const delivery = await pending();
    await under.database.admin_db('webhook_configs').where({ id }).update({ failed_streak: 18 });
    under.server.answer(404);

    await send();
    expect(await under.row(id)).toMatchObject({ enabled: true, failed_streak: 19 });
    await under.webhooks.outbound.redeliver(org, id, delivery);
    await send();
    expect(await under.row(id)).toMatchObject({ enabled: false });

    await under.webhooks.configs.update(owner, org, id, { enabled: true });
    under.server.answer(200);
    await under.webhooks.outbound.redeliver(org, id, delivery);
    await send();
    expect(await under.row(id)).toMatchObject({ enabled: true, failed_streak: 0 });
  });

  test('a message is not sent while the webhook is disabled', async () => {
    await pending();
    await under.webhooks.configs.update(owner, org, id, { enabled: false });

    await send();

    expect(under.server.received).toEqual([]);
    expect(await row()).toMatchObject({ status: 'failed', error: expect.stringContaining('is disabled') });
  });

  test('a server that answers 200 too late has not received the message, which is sent again under its id', async () => {
    await pending();
    let respond = () => {};
    const late = new Promise<void>((resolve) => {
      respond = resolve;
    });
    under.server.answer(200, {}, late);
    await send();
    respond();
    expect(await row()).toMatchObject({
      status: 'pending',
      http_status: null,
      error: expect.stringMatching(/^127\.0\.0\.1:\d+ did not respond within 5 seconds$/),
    });

    under.server.answer(200);
    tick(HOUR_MS);
    await send();

    const [first, second] = under.server.received.map(({ headers }) => headers['webhook-id']);
    expect(second).toBe(first);
    expect(await row()).toMatchObject({ status: 'delivered', attempts: 2, error: null });
  });

  test('a redirect to a private address is not followed, and is tried again with the reason', async () => {
    await pending();
    under.server.answer(307, { location: 'http://169.254.169.254/latest/meta-data/' });
    await send();

    expect(under.server.received).toHaveLength(1);
    expect(await row()).toMatchObject({ status: 'pending', error: expect.stringContaining('status 307') });
  });

  test('a message that the queue lost is queued again after a minute', async () => {
    await pending();
    await under.webhooks.outbound.requeueLost();
    expect(await outbox('webhook')).toHaveLength(1);

    tick(MINUTE_MS);
    await under.webhooks.outbound.requeueLost();
    await under.webhooks.outbound.requeueLost();

    expect(await outbox('webhook')).toHaveLength(2);
    await send();
    expect(await row()).toMatchObject({ status: 'delivered' });
  });
});

describe('redelivering', () => {
  test('a received delivery is processed again, even a month later', async () => {
    const { configs, deliveries, outbound } = under.webhooks;
    id = (await configs.create(owner, org, { provider: 'gitlab', repo_path: 'acme/shop' })).config.id;
    const delivery_headers = { event: 'Pipeline Hook', provider_delivery_id: randomUUID(), is_handled: true };
    await deliveries.accept(org, { config_id: id, installation_row_id: null }, delivery_headers, Buffer.from('{}'));
    const delivery = (await row()).id;

    const waiting = { status: 409, error_class: 'delivery_pending' };
    await expect(outbound.redeliver(org, id, delivery)).rejects.toMatchObject(waiting);
    await deliveries.settle(org, delivery, { status: 'failed', error: 'x' });
    tick(29 * 24 * HOUR_MS);
    expect(await outbound.redeliver(org, id, delivery)).toMatchObject({ status: 'accepted', error: null, attempts: 0 });
    expect(await deliveries.open(org, delivery)).toMatchObject({ id: delivery });
    tick(5 * MINUTE_MS);
    await deliveries.requeueStalled();
    expect(await outbox('scm')).toHaveLength(3);
    await deliveries.settle(org, delivery, { status: 'accepted' });
    expect(await row()).toMatchObject({ status: 'accepted', duration_ms: 5 * MINUTE_MS });
  });

  test('redelivery is rejected if the body is not stored, the webhook is disabled, or the caller has no access', async () => {
    const { outbound, test, configs } = under.webhooks;
    await test(org, id);
    const delivery = (await row()).id;
    const other = await under.makeOwner();
    const refused = (error_class: string) => ({ status: 409, error_class });

    await expect(outbound.redeliver(other.org, id, delivery)).rejects.toMatchObject({ status: 404 });
    await expect(outbound.redeliver(org, id, randomUUID())).rejects.toMatchObject({ status: 404 });
    await rows().update({ payload_ct: null });
    await expect(outbound.redeliver(org, id, delivery)).rejects.toMatchObject(refused('delivery_not_kept'));
    await configs.update(owner, org, id, { enabled: false });
    await expect(outbound.redeliver(org, id, delivery)).rejects.toMatchObject(refused('webhook_disabled'));
  });
});

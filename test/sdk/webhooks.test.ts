import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { DpaError, DpaUsageError, DpaWebhookError, verifyWebhook } from '../../sdk/src/index.ts';
import { buildEnvelope, buildHeaders } from '../../server/domains/webhooks/sending.ts';
import { packageRoot } from '../../server/lib/package-root.ts';

const buildSecret = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const SECRET = buildSecret(1);
const OLD_SECRET = buildSecret(2);
const OTHER_SECRET = buildSecret(3);
const now = new Date('2026-01-02T03:04:05.678Z');
const id = 'evt_019b7a10-0000-7000-8000-000000000001';
const org = { id: '019b7a10-0000-7000-8000-000000000003', slug: 'zoë' };
const body = buildEnvelope({ id, type: 'webhook.ping', created_at: now, org, data: {} });
const signHeaders = (secrets = [SECRET]) => buildHeaders(secrets, { id, body }, now);
const catchError = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a message that the service signed', () => {
  test.each([
    ['text', body],
    ['bytes', Buffer.from(body)],
    ['bytes inside a larger buffer', new Uint8Array(Buffer.from(`..${body}`)).subarray(2)],
  ])('is accepted and parsed as %s', async (_what, payload) => {
    expect(await verifyWebhook(payload, signHeaders(), SECRET, { now })).toEqual({
      id,
      type: 'webhook.ping',
      version: '2026-01',
      created_at: now.toISOString(),
      org_id: org.id,
      org_slug: 'zoë',
      data: {},
    });
  });

  test.each([
    ['Headers', new Headers(signHeaders())],
    ['headers of Node', { ...signHeaders(), host: 'example.com', 'set-cookie': ['a', 'b'] }],
    [
      'headers in another case',
      Object.fromEntries(Object.entries(signHeaders()).map(([k, v]) => [k.toUpperCase(), v])),
    ],
  ])('is accepted with %s', async (_what, headers) => {
    expect(await verifyWebhook(body, headers, SECRET, { now })).toMatchObject({ id });
  });

  test('is accepted during a rotation, whichever side changes first', async () => {
    expect(await verifyWebhook(body, signHeaders([SECRET, OLD_SECRET]), OLD_SECRET, { now })).toMatchObject({ id });
    expect(await verifyWebhook(body, signHeaders([OLD_SECRET]), [SECRET, OLD_SECRET], { now })).toMatchObject({ id });
  });

  test('gets the same result from the standardwebhooks package', async () => {
    const current = buildHeaders([SECRET], { id, body }, new Date());

    expect(await verifyWebhook(body, current, SECRET)).toEqual(new Webhook(SECRET).verify(body, current));
    expect(() => new Webhook(OTHER_SECRET).verify(body, current)).toThrow();
    expect(await catchError(verifyWebhook(body, current, OTHER_SECRET))).toBeInstanceOf(DpaWebhookError);
  });

  test('is accepted if the standardwebhooks package signed it, next to a signature of another version', async () => {
    const signature = `v1a,AAAA ${new Webhook(SECRET).sign(id, now, body)}`;

    expect(
      await verifyWebhook(body, { ...signHeaders(), 'webhook-signature': signature }, SECRET, { now }),
    ).toMatchObject({
      id,
    });
  });
});

describe('a message is rejected', () => {
  const changeHeaders = (changes: Record<string, string | undefined>) => ({ ...signHeaders(), ...changes });

  test.each([
    ['another body', `${body} `, signHeaders(), SECRET, 'no_matching_signature'],
    ['another secret', body, signHeaders(), OTHER_SECRET, 'no_matching_signature'],
    ['none of several secrets', body, signHeaders([SECRET]), [OLD_SECRET, OTHER_SECRET], 'no_matching_signature'],
    ['another id', body, changeHeaders({ 'webhook-id': 'evt_2' }), SECRET, 'no_matching_signature'],
    ['another time', body, changeHeaders({ 'webhook-timestamp': '1767323046' }), SECRET, 'no_matching_signature'],
    ['a cut signature', body, changeHeaders({ 'webhook-signature': 'v1,AAAA' }), SECRET, 'no_matching_signature'],
    [
      'a signature that is no base64',
      body,
      changeHeaders({ 'webhook-signature': 'v1,?' }),
      SECRET,
      'no_matching_signature',
    ],
    [
      'another version only',
      body,
      changeHeaders({ 'webhook-signature': signHeaders()['webhook-signature'].replace('v1', 'v2') }),
      SECRET,
      'no_matching_signature',
    ],
    ['no signature', body, changeHeaders({ 'webhook-signature': undefined }), SECRET, 'missing_header'],
    ['no id', body, changeHeaders({ 'webhook-id': '' }), SECRET, 'missing_header'],
    ['no time', body, changeHeaders({ 'webhook-timestamp': undefined }), SECRET, 'missing_header'],
    ['a time that is none', body, changeHeaders({ 'webhook-timestamp': 'soon' }), SECRET, 'timestamp_out_of_tolerance'],
  ])('because of %s', async (_what, payload, headers, secret, reason) => {
    const error = await catchError(verifyWebhook(payload, headers, secret, { now }));

    expect(error).toBeInstanceOf(DpaWebhookError);
    expect(error).toBeInstanceOf(DpaError);
    expect(error).toMatchObject({ reason });
  });

  test.each([
    [-301_000, {}, true],
    [-299_000, {}, false],
    [299_000, {}, false],
    [302_000, {}, true],
    [11_000, { tolerance_s: 10 }, true],
    [-9_000, { tolerance_s: 10 }, false],
  ])('because of its age: clock skew of %d ms, with %p', async (off_ms, options, refused) => {
    const at = new Date(Math.floor(now.getTime() / 1_000) * 1_000 + off_ms);
    const error = await catchError(verifyWebhook(body, signHeaders(), SECRET, { ...options, now: at }));

    expect(error === undefined).toBe(!refused);
    if (refused) expect(error).toMatchObject({ reason: 'timestamp_out_of_tolerance' });
  });

  test.each(['', '[]', 'null', '{"id":"x"}', 'no JSON'])('because it is signed but not an event: %p', async (text) => {
    const headers = buildHeaders([SECRET], { id, body: text }, now);

    expect(await catchError(verifyWebhook(text, headers, SECRET, { now }))).toMatchObject({
      reason: 'invalid_payload',
    });
  });
});

describe('an error of the receiver is a DpaUsageError', () => {
  test.each([
    ['a parsed body', JSON.parse(body), SECRET, /needs the raw body/],
    ['an empty secret', body, '', /is not a webhook secret/],
    ['a secret that is no base64', body, 'whsec_hunter 2!', /is not a webhook secret/],
    ['no secret at all', body, [], /needs a secret/],
  ])('%s', async (_what, payload, secret, message) => {
    const error = await catchError(verifyWebhook(payload, signHeaders(), secret, { now }));

    expect(error).toBeInstanceOf(DpaUsageError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('hunter');
  });
});

describe('the built package', () => {
  const check = (load: string) => `${load}
    const [body, headers, secret, at] = JSON.parse(process.argv[1]);
    sdk.verifyWebhook(body, headers, secret, { now: new Date(at) }).then((event) => console.log(event.type));`;

  test.each([
    ['commonjs', check(`const sdk = require('@dpa/sdk');`)],
    ['module', check(`import * as sdk from '@dpa/sdk';`)],
  ])('verifies a message as %s', async (kind, source) => {
    const args = [`--input-type=${kind}`, '-e', source, JSON.stringify([body, signHeaders(), SECRET, now])];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageRoot() });

    expect(stdout).toBe('webhook.ping\n');
  });
});

describe('examples/webhook.ts', () => {
  let server: Server;
  beforeAll(async () => {
    Object.assign(process.env, { PORT: '0', DPA_WEBHOOK_SECRET: `${OTHER_SECRET},${SECRET}` });
    ({ server } = await import('../../sdk/examples/webhook.ts'));
    if (!server.listening) await once(server, 'listening');
  });
  afterAll(() => void server.close());

  test('accepts a signed message once, and responds with 401 to an unsigned one', async () => {
    const log = jest.spyOn(console, 'log').mockImplementation(() => {});
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const post = async (headers: Record<string, string>) =>
      (await fetch(url, { method: 'POST', body, headers })).status;
    const genuine = buildHeaders([SECRET], { id, body }, new Date());

    const statuses = [await post(genuine), await post(genuine), await post({ ...genuine, 'webhook-id': 'evt_2' })];

    expect(statuses).toEqual([204, 204, 401]);
    expect(log.mock.calls).toEqual([['webhook.ping\tzoë']]);
    log.mockRestore();
  });
});

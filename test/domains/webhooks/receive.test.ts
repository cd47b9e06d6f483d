import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signMessage } from '../../../server/domains/webhooks/signature.ts';
import type { Received, ScmProvider } from '../../../server/domains/webhooks/types.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { deliver } from '../../helpers/deliver.ts';
import { sealer, setUpWebhooks, type WebhooksUnderTest } from './setup.ts';

const HOUR_MS = 3_600_000;
const BODY = Buffer.from('{"action":"completed", "number": 1.0}');
const REFUSED = { status: 401, error_class: 'signature_invalid' };

let under: WebhooksUnderTest;
beforeAll(async () => {
  under = await setUpWebhooks();
});
afterAll(() => under.database.close());

let owner: Principal;
let org: string;
let id: string;
let secret: string;
async function wire(provider: 'github' | 'gitlab'): Promise<void> {
  ({ owner, org } = await under.makeOwner());
  const made = await under.webhooks.configs.create(owner, org, { provider, repo_path: 'acme/shop' });
  id = made.config.id;
  secret = made.raw_secret;
}
const receive = async (
  provider: ScmProvider,
  config_id: string,
  { raw, headers }: { raw: Buffer; headers: Record<string, string> },
): Promise<Received> => deliver(under.webhooks.receiver.open(provider, config_id, headers), raw);
const stored = () => under.database.admin_db('webhook_deliveries').where({ config_id: id });

describe('deliveries from GitHub', () => {
  beforeEach(() => wire('github'));

  const hmac = (algorithm: string, by: string, body: Buffer) => createHmac(algorithm, by).update(body).digest('hex');
  const signed = (by: string, body = BODY) => ({ 'x-hub-signature-256': `sha256=${hmac('sha256', by, body)}` });
  const send = (headers: Record<string, string>, raw = BODY, to = id): Promise<Received> =>
    receive('github', to, {
      raw,
      headers: { 'x-github-event': 'workflow_run', 'x-github-delivery': randomUUID(), ...headers },
    });

  test('a delivery signed over its bytes is accepted and stored encrypted', async () => {
    const answer = await send(signed(secret));

    const [row] = await stored();
    expect(answer).toEqual({ accepted: true, delivery_id: row.id });
    expect(row).toMatchObject({ org_id: org, direction: 'in', event: 'workflow_run', status: 'accepted' });
    expect(row.payload_ct.includes(BODY)).toBe(false);
    expect(sealer.open(row.payload_ct, `webhook_deliveries.payload_ct|${org}|${row.id}`)).toEqual(BODY);
    const page = await under.webhooks.deliveries.list(org, { config_id: id }, { limit: 50, offset: 0 });
    expect(page).toMatchObject({ total: 1, deliveries: [{ id: row.id, status: 'accepted' }] });
    expect(await under.webhooks.configs.get(org, id)).toMatchObject({ last_delivery_status: 'accepted' });
  });

  test('a delivery without a signature, with a wrong one or with SHA-1 is rejected', async () => {
    const others = [
      {},
      signed('whsec_other'),
      { 'x-hub-signature-256': `sha1=${hmac('sha1', secret, BODY)}` },
      { 'x-hub-signature': `sha1=${hmac('sha1', secret, BODY)}` },
      { 'x-hub-signature-256': hmac('sha256', secret, BODY) },
      { 'x-gitlab-token': secret },
    ];

    for (const headers of others) await expect(send(headers)).rejects.toMatchObject(REFUSED);
    expect(await stored()).toEqual([]);
  });

  test('a delivery is rejected if the same values have other bytes', async () => {
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(BODY.toString())));

    await expect(send(signed(secret), rewritten)).rejects.toMatchObject(REFUSED);
  });

  test('the old secret is accepted for a day after a rotation', async () => {
    await under.webhooks.configs.rotateSecret(owner, org, id);
    const { now } = under.clock;

    under.clock.now = new Date(now.getTime() + 24 * HOUR_MS - 1);
    expect(await send(signed(secret))).toMatchObject({ accepted: true });
    under.clock.now = new Date(now.getTime() + 24 * HOUR_MS);
    await expect(send(signed(secret))).rejects.toMatchObject(REFUSED);
    under.clock.now = now;
  });

  test('a webhook that is disabled, deleted, of another provider or unknown is 404', async () => {
    const { configs } = under.webhooks;
    const gone = { status: 404 };
    const raw = { raw: BODY, headers: signed(secret) };

    await expect(receive('gitlab', id, raw)).rejects.toMatchObject(gone);
    await expect(receive('github', randomUUID(), raw)).rejects.toMatchObject(gone);
    await configs.update(owner, org, id, { enabled: false });
    await expect(send(signed(secret))).rejects.toMatchObject(gone);
    await configs.remove(owner, org, id);
    await expect(send(signed(secret))).rejects.toMatchObject(gone);
  });

  test('a webhook rejects a delivery signed with the secret of another organization', async () => {
    const other = await under.makeOwner();
    const theirs = await under.webhooks.configs.create(other.owner, other.org, {
      provider: 'github',
      repo_path: 'acme/shop',
    });

    await expect(send(signed(secret), BODY, theirs.config.id)).rejects.toMatchObject(REFUSED);
  });

  test('twenty concurrent copies of a delivery are stored once', async () => {
    const headers = { ...signed(secret), 'x-github-delivery': randomUUID() };

    const answers = await Promise.all(Array.from({ length: 20 }, () => send(headers)));

    expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(answers.filter((answer) => !answer.accepted && answer.reason === 'duplicate')).toHaveLength(19);
    expect(await stored()).toHaveLength(1);
  });

  test('an event that nothing needs is recorded without its body', async () => {
    expect(await send({ ...signed(secret), 'x-github-event': 'ping' })).toEqual({ accepted: false, reason: 'ignored' });
    expect(await stored()).toMatchObject([{ event: 'ping', status: 'ignored', payload_ct: null }]);
  });

  test('a delivery must have an id', async () => {
    await expect(send({ ...signed(secret), 'x-github-delivery': '' })).rejects.toMatchObject({ status: 400 });
  });

  test('a delivery can have 25 MiB', async () => {
    const large = Buffer.alloc(25 * 1024 * 1024, ' ');

    expect(await send(signed(secret, large), large)).toMatchObject({ accepted: true });
  });

  test('a delivery without a signature header is rejected before its body is read', async () => {
    const open = (headers: Record<string, string>) => under.webhooks.receiver.open('github', id, headers);

    for (const headers of [{}, { 'x-hub-signature-256': 'sha256=00' }]) {
      await expect(open(headers)).rejects.toMatchObject(REFUSED);
    }
    await expect(under.webhooks.receiver.open('github', randomUUID(), signed(secret))).rejects.toMatchObject({
      status: 404,
    });
  });

  test('deliveries share the body memory of their organization', async () => {
    expect((await under.webhooks.receiver.open('github', id, signed(secret))).key).toBe(org);
  });
});

describe('deliveries from GitLab', () => {
  beforeEach(() => wire('gitlab'));

  const send = (headers: Record<string, string>, raw = BODY): Promise<Received> =>
    receive('gitlab', id, {
      raw,
      headers: { 'x-gitlab-event': 'Pipeline Hook', 'x-gitlab-event-uuid': randomUUID(), ...headers },
    });
  const signed = (by: string, { age_s = 0, body = BODY, message = randomUUID() as string } = {}) => {
    const timestamp = String(Math.floor(under.clock.now.getTime() / 1000) - age_s);
    const signature = signMessage(by, { id: message, timestamp, body });
    return { 'webhook-id': message, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,AAAA ${signature}` };
  };

  test('a delivery with the right token is accepted', async () => {
    expect(await send({ 'x-gitlab-token': secret })).toMatchObject({ accepted: true });
    for (const token of ['', 'whsec_', `${secret} `, secret.slice(0, -1)]) {
      await expect(send({ 'x-gitlab-token': token })).rejects.toMatchObject(REFUSED);
    }
    await expect(send({})).rejects.toMatchObject(REFUSED);
  });

  test('a recent signature is accepted, and a token does not replace it', async () => {
    expect(await send(signed(secret, { age_s: 300 }))).toMatchObject({ accepted: true });
    const bad = [
      signed(secret, { age_s: 301 }),
      signed(secret, { age_s: -301 }),
      signed(secret, { body: Buffer.from('{}') }),
      signed(`whsec_${Buffer.alloc(32).toString('base64')}`),
      { ...signed(secret), 'webhook-id': randomUUID() },
      { ...signed(secret), 'webhook-timestamp': 'now' },
    ];
    for (const headers of bad) {
      await expect(send({ ...headers, 'x-gitlab-token': secret })).rejects.toMatchObject(REFUSED);
    }
  });

  test('a repetition under another unsigned id is recognized as the same delivery', async () => {
    const headers = signed(secret);

    expect(await send(headers)).toMatchObject({ accepted: true });
    expect(await send({ ...headers, 'idempotency-key': randomUUID() })).toEqual({
      accepted: false,
      reason: 'duplicate',
    });
  });
});

test('signatures follow Standard Webhooks', () => {
  const known = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
  const message = { id: 'msg_01JH0000000000000000000000', timestamp: '1767323045', body: '{"event":"ping","data":{}}' };

  expect(signMessage(known, message)).toBe('v1,eeIFJiIz3Hle/A4acrWchMqF42ANwPmCPdia3ww0wfc=');
  const at = new Date(1767323045_000);
  expect(signMessage(known, message)).toBe(new Webhook(known).sign(message.id, at, message.body));
});

test('deliveries are kept for thirty days', async () => {
  await wire('gitlab');
  for (const uuid of ['old', 'young']) {
    await receive('gitlab', id, {
      raw: BODY,
      headers: { 'x-gitlab-token': secret, 'x-gitlab-event': 'Job Hook', 'x-gitlab-event-uuid': uuid },
    });
  }
  const before = (ms: number) => new Date(under.clock.now.getTime() - 30 * 24 * HOUR_MS - ms);
  await stored()
    .where({ provider_delivery_id: 'old' })
    .update({ created_at: before(1) });
  await stored()
    .where({ provider_delivery_id: 'young' })
    .update({ created_at: before(0) });

  await under.webhooks.deliveries.deleteOld();

  expect(await stored().pluck('provider_delivery_id')).toEqual(['young']);
});

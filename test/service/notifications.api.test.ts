import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEmulator, type Emulator } from 'emulate';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../sdk/src/index.ts';
import { openClouds } from '../../server/composition/clouds.ts';
import { startReceivingServer } from '../domains/webhooks/receiving-server.ts';
import { findFreePort } from '../fakes/ports.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const ACCOUNT = {
  display_name: 'Shop',
  provider: 'aws',
  external_account_id: '210987654321',
  credential_type: 'aws_access_key',
  credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'fixture://shop' },
};
const CHANNEL = 'C000000001';

let service: TestService;
let owner: Caller;
let org: string;
let server: Awaited<ReturnType<typeof startReceivingServer>>;
let slack: Emulator;
let smtp: SMTPServer;
let raw_secret: string;
let targets: Record<'slack' | 'webhook' | 'email', string>;
const mails: { to: string[]; raw: string }[] = [];

beforeAll(async () => {
  server = await startReceivingServer();
  const seed = { slack: { team: { name: 'Acme', domain: 'acme' } }, tokens: { 'xoxb-1-test': { login: 'dpa' } } };
  slack = await createEmulator({ service: 'slack', port: await findFreePort(), seed });
  smtp = startMailServer();
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve));
  const refuse = async () => {
    throw new Error('no cloud is asked here');
  };
  const shared = { deployment: null, aws_keys: null, recorded_accounts: 'recorded-accounts', now: () => new Date() };
  const settings = {
    APP_URL: 'https://app.example.com',
    EGRESS_ALLOWED_HOSTS: server.host,
    SLACK_BOT_TOKEN: 'xoxb-1-test',
    SLACK_API_URL: `${slack.url}/api`,
    SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    MAIL_FROM: 'dpa <dpa@example.com>',
  };
  service = await startTestService(settings, 'all', { clouds: openClouds({ fetch: refuse, ...shared }) });
  owner = await service.signIn('owner');
  const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
  await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
  org = `/api/v2/orgs/${id}`;
  const generic = { provider: 'generic', provider_base_url: server.url };
  const config = (await owner.post(`${org}/webhook-configs`, generic)).body;
  ({ raw_secret } = config);
  const create = async (body: object) => (await owner.post(`${org}/notification-targets`, body)).body.id;
  targets = {
    slack: await create({ kind: 'slack', channel: CHANNEL }),
    webhook: await create({ kind: 'webhook', webhook_config_id: config.id }),
    email: await create({ kind: 'email', addresses: ['ops@example.com'] }),
  };
});
afterAll(async () => {
  await service.close();
  await slack.close();
  await new Promise<void>((resolve) => void smtp.close(resolve));
});

function startMailServer(): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, raw: Buffer.concat(chunks).toString() });
        callback();
      });
    },
  });
}

async function waitFor<T>(find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let tries = 0; tries < 4_000; tries += 1) {
    const found = await find();
    if (found !== undefined) return found;
    await wait(25);
  }
  throw new Error('it did not happen within 100 seconds');
}

async function readChannel(): Promise<{ text: string; ts: string }[]> {
  const answer = await fetch(`${slack.url}/api/conversations.history`, {
    method: 'POST',
    headers: { authorization: 'Bearer xoxb-1-test', 'content-type': 'application/json' },
    body: JSON.stringify({ channel: CHANNEL }),
  });
  return ((await answer.json()) as { messages: { text: string; ts: string }[] }).messages;
}

const findEvent = (type: string) => server.received.find(({ body }) => JSON.parse(body).type === type);

test('a computed drift reaches every target of the organization', async () => {
  const { id: cloud_account_id } = (await owner.post(`${org}/cloud-accounts`, ACCOUNT)).body;
  const { id: scan_id } = (await owner.post(`${org}/scans`, { cloud_account_id })).body;
  await waitFor(async () => {
    const { status } = (await owner.get(`${org}/scans/${scan_id}`)).body;
    return status === 'done' ? true : undefined;
  });
  await owner.post(`${org}/scans/${scan_id}/drift/compute`, undefined);

  const message = await waitFor(async () => (await readChannel()).find(({ text }) => text.includes('Shop')));
  const event = await waitFor(() => findEvent('drift.detected'));
  const mail = await waitFor(() => mails.find(({ to }) => to.includes('ops@example.com')));

  expect(message.text).toMatch(/^Drift detected: Shop: (high|critical|medium) risk, \d+ differences$/);
  expect(mail.raw).toContain('Subject: Drift detected: Shop');
  const headers = event.headers as Record<string, string>;
  expect(new Webhook(raw_secret).verify(event.body, headers)).toMatchObject({ type: 'drift.detected' });
  const verified = await verifyWebhook(event.body, headers, raw_secret);
  if (verified.type !== 'drift.detected') throw new Error(verified.type);
  expect(verified.data.cloud_account).toEqual({ id: cloud_account_id, display_name: 'Shop', provider: 'aws' });
  expect(verified.data.url).toBe(`https://app.example.com/orgs/acme/scans/${scan_id}`);
  expect(headers['webhook-id']).toBe(verified.id);
  const { deliveries } = await waitFor(async () => {
    const { body } = await owner.get(`${org}/notification-deliveries?status=delivered`);
    return body.deliveries.length === 2 ? body : undefined;
  });
  expect(deliveries.map(({ target_id }: { target_id: string }) => target_id).sort()).toEqual(
    [targets.slack, targets.email].sort(),
  );
});

test('a later scan without differences resolves the message', async () => {
  const { id: source_id } = (
    await owner.post(`${org}/state-sources`, { display_name: 'shop', kind: 'upload', config: {} })
  ).body;
  const state = JSON.parse(await readFile('recorded-accounts/shop/state.json', 'utf8'));
  await owner.post(`${org}/state-sources/${source_id}/upload`, state);
  const [{ id: scan_id }] = (await owner.get(`${org}/scans`)).body.scans;
  await owner.post(`${org}/scans/${scan_id}/drift/compute`, undefined);

  await waitFor(() => findEvent('drift.resolved'));
  const message = await waitFor(async () =>
    (await readChannel()).find(({ text }) => text.startsWith('Drift resolved')),
  );
  expect(message.text).toBe('Drift resolved: Shop: all differences are gone');
  await waitFor(() => mails.find(({ raw }) => raw.includes('Subject: Drift resolved: Shop')));
});

test('two schedules of one account with different channels are both notified, whichever of them scans', async () => {
  const [{ id: cloud_account_id }] = (await owner.get(`${org}/cloud-accounts`)).body.cloud_accounts;
  const [{ id: source_id }] = (await owner.get(`${org}/state-sources`)).body.state_sources;
  const places = [
    { name: 'one account', cloud_account_id, notify_chat_channel: 'C000000002' },
    { name: 'all accounts', notify_chat_channel: 'C000000001' },
  ];
  const ids: string[] = [];
  for (const place of places) {
    ids.push((await owner.post(`${org}/schedules`, { schedule: '30 2 * * *', ...place })).body.id);
  }
  await owner.send('DELETE', `${org}/state-sources/${source_id}`);
  const [scan_id] = (await owner.post(`${org}/schedules/${ids[1]}/run`, undefined)).body.scan_ids;
  await waitFor(async () => {
    const { status } = (await owner.get(`${org}/scans/${scan_id}`)).body;
    return status === 'done' ? true : undefined;
  });
  await owner.post(`${org}/scans/${scan_id}/drift/compute`, undefined);

  const { deliveries } = await waitFor(async () => {
    const { body } = await owner.get(`${org}/notification-deliveries?status=delivered`);
    const own = body.deliveries.filter(({ schedule_id }: { schedule_id: string }) => ids.includes(schedule_id));
    return own.length === 2 ? { deliveries: own } : undefined;
  });
  const notified = deliveries
    .map((one: Record<string, string>) => [one['channel'], one['schedule_id'], one['event']])
    .sort();
  expect(notified).toEqual([
    ['C000000001', ids[1], 'drift.detected'],
    ['C000000002', ids[0], 'drift.detected'],
  ]);
  for (const id of ids) await owner.send('DELETE', `${org}/schedules/${id}`);
});

test('an invitation is sent to the invited person, and its link is not stored after that', async () => {
  await owner.post(`${org}/invitations`, { email: 'new@example.com', role: 'member' });

  const { raw } = await waitFor(() => mails.find(({ to }) => to.includes('new@example.com')));
  expect(raw).toContain('Subject: Invitation to Acme');
  expect(raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(
    'https://app.example.com/invitations/accept#token=dpi_',
  );
  const row = await waitFor(async () =>
    service.admin_db('notification_deliveries').where({ event: 'membership.invited', status: 'delivered' }).first(),
  );
  expect(row.mail_ct).toBeNull();
  const again = await owner.post(`${org}/notification-deliveries/${row.id}/redeliver`, undefined);
  expect(again).toMatchObject({ status: 409, body: { error_class: 'delivery_not_kept' } });
});

test('a test reaches its target at once', async () => {
  const sent = await owner.post(`${org}/notification-targets/${targets.slack}/test`, undefined);
  const server_sent = await owner.post(`${org}/notification-targets/${targets.webhook}/test`, undefined);

  expect(sent.body).toMatchObject({ delivered: true, error: null });
  expect(server_sent.body).toMatchObject({ delivered: true, status_code: 204 });
  expect((await readChannel()).map(({ text }) => text)).toContain('Test message of acme');
});

test('an unknown time zone is refused', async () => {
  const answer = await owner.send('PATCH', `${org}/settings`, { notify_timezone: 'Mars/Olympus' });

  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('not a known time zone') } });
});

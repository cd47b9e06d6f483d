import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReceivingServer } from '../domains/webhooks/receiving-server.ts';
import { buildHostedToken, startScmHost } from '../fakes/scm-host.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;
let owner: Caller;
let configs: string;
let server: Awaited<ReturnType<typeof startReceivingServer>>;
let host: Awaited<ReturnType<typeof startScmHost>>;
beforeAll(async () => {
  [server, host] = await Promise.all([startReceivingServer(), startScmHost()]);
  service = await startTestService({ EGRESS_ALLOWED_HOSTS: `${server.host},${host.host}` });
  owner = await service.signIn('owner');
  const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
  await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
  configs = `/api/v2/orgs/${id}/webhook-configs`;
});
afterAll(() => service.close());

test('the worker sends a message again under its original id', async () => {
  const generic = { provider: 'generic', provider_base_url: server.url };
  const path = `${configs}/${(await owner.post(configs, generic)).body.id}`;
  const newest = async () => (await owner.get(`${path}/deliveries`)).body.deliveries[0];

  server.answer(503);
  const tested = await owner.post(`${path}/test`, undefined);
  server.answer(200);
  const again = await owner.post(`${path}/deliveries/${(await newest()).id}/redeliver`, undefined);
  for (let tries = 0; tries < 400 && (await newest()).status === 'pending'; tries += 1) await wait(25);

  expect(tested.body).toMatchObject({ delivered: false, status_code: 503 });
  expect([again.status, again.body.status]).toEqual([202, 'pending']);
  expect(await newest()).toMatchObject({ status: 'delivered', http_status: 200, attempts: 1 });
  const ids = server.received.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

test('the receiver_url is complete even if the operator has not set API_URL', async () => {
  const { body: made } = await owner.post(configs, { provider: 'gitlab', repo_path: 'acme/whole' });
  const path = `${configs}/${made.id}`;

  const receiver_url = `${service.url}/api/v2/webhooks/gitlab/${made.id}`;
  expect(made.receiver_url).toBe(receiver_url);
  expect((await owner.get(path)).body.receiver_url).toBe(receiver_url);
  expect((await owner.get(configs)).body.webhook_configs[0].receiver_url).toBe(receiver_url);
  // No proxy is trusted here, so forwarded headers do not change the address.
  const forwarded = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
  expect((await owner.get(path, forwarded)).body.receiver_url).toBe(receiver_url);
  expect(service.log_lines.filter(({ msg }) => String(msg).startsWith('API_URL is not set'))).toHaveLength(1);
  await owner.send('DELETE', path);
});

test('the secret path of a chat service is in no response, log line, delivery or audit row', async () => {
  const secret = 'T0SECRET/B0SECRET/xSecretOfTheChannel9Zk';
  const generic = { provider: 'generic', provider_base_url: `http://${server.host}/services/${secret}` };
  const made = await owner.post(configs, generic);
  const path = `${configs}/${made.body.id}`;
  server.answer(404);
  const answers = [
    made,
    await owner.post(configs, generic),
    await owner.get(path),
    await owner.get(configs),
    await owner.send('PATCH', path, { label: 'Chat' }),
    await owner.post(`${path}/rotate-secret`, undefined),
    await owner.post(`${path}/test`, undefined),
    await owner.get(`${path}/deliveries`),
    await owner.send('DELETE', path),
  ];

  expect(answers.map(({ status }) => status)).toEqual([201, 409, 200, 200, 200, 200, 200, 200, 204]);
  expect(made.body.provider_base_url).toBe(`http://${server.host}/…l9Zk`);
  expect(server.received.length).toBeGreaterThan(0);
  const stored = await Promise.all(
    ['audit_log', 'webhook_configs', 'webhook_deliveries', 'idempotency_keys', 'outbox'].map((table) =>
      service.admin_db(table).select(service.admin_db.raw('to_json(??)::text as row', [table])),
    ),
  );
  const serialized = JSON.stringify([answers, service.log_lines, stored]);
  expect(serialized).toContain('…l9Zk');
  expect(serialized).not.toMatch(/SECRET\/|xSecretOf/);
});

test('a starting process encrypts URLs that an earlier release stored in clear text', async () => {
  const address = `http://${server.host}/services/clear-secret-path`;
  const { id } = (await owner.post(configs, { provider: 'generic', provider_base_url: address })).body;
  await service.admin_db('webhook_configs').where({ id }).update({ provider_base_url: address, target_ct: null });

  await service.startProcess('api');

  const row = await service.admin_db('webhook_configs').where({ id }).first();
  expect([row.provider_base_url, row.target_ct.length > 0]).toEqual([`http://${server.host}/…path`, true]);
  await owner.send('DELETE', `${configs}/${id}`);
});

test('a token is in no response, log line or audit row', async () => {
  const [good, other, bad] = [buildHostedToken('developer'), buildHostedToken('classic'), buildHostedToken('read_api')];
  const repository = { provider: 'gitlab', provider_base_url: host.url, repo_path: 'acme/shop', api_token: good };
  const made = await owner.post(configs, repository);
  const path = `${configs}/${made.body.id}`;
  const answers = [
    made,
    await owner.send('PUT', `${path}/token`, { api_token: other }),
    await owner.send('PUT', `${path}/token`, { api_token: bad }),
    await owner.send('PUT', `${path}/token`, { api_token: `${bad} ` }),
    await owner.post(`${path}/test`, undefined),
    await owner.get(configs),
    await owner.get(`${path}/deliveries`),
    await owner.send('DELETE', `${path}/token`),
  ];

  expect(answers.map(({ status }) => status)).toEqual([201, 200, 422, 400, 200, 200, 200, 204]);
  expect(answers[2]?.body).toMatchObject({
    error: 'api_token was not stored: it needs the scope "api"',
    error_class: 'api_token_insufficient_scope',
  });
  const rows = await service.admin_db.raw('select * from audit_log');
  const serialized = JSON.stringify([answers, service.log_lines, rows.rows]);
  expect(serialized).toContain('token-of');
  for (const token of [good, other, bad]) expect(serialized).not.toContain(token);
});

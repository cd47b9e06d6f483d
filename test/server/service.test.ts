import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { loadConfig } from '../../server/config/index.ts';
import { type Contract, loadContract } from '../../server/http/index.ts';
import { type Service, type ServiceRole, startService } from '../../server/main.ts';
import { findFreePort } from '../fakes/ports.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let folder: string;
// Compiled once: most of the time of a start goes there.
let contract: Contract;
let services: Service[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'dpa-service-'));
  contract = await loadContract();
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  services = [];
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function start(role: ServiceRole, env: Record<string, string> = {}): Promise<Service> {
  const config = loadConfig({ DATABASE_URL: database.url, DATA_DIR: folder, PORT: '0', ...env });
  const service = await startService(config, { role, log, contract });
  services.push(service);
  return service;
}

describe('the service', () => {
  test('with all roles the service is ready and lists its backends', async () => {
    const { url } = await start('all');

    const reply = await fetch(`${url}/readyz`);

    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ checks: { postgres: 'ok', migrations: 'ok', object_store: 'ok' } });
  });

  test('a worker serves no API, but health on the internal port', async () => {
    const port = await findFreePort();
    const { url } = await start('worker', { INTERNAL_PORT: String(port) });

    expect(url).toBeNull();
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain(
      'nodejs_eventloop_lag_p99_seconds',
    );
  });

  test('stopping answers the running request and rejects later ones', async () => {
    const service = await start('api');
    const url = new URL('/api/v2/orgs', String(service.url));
    const slow = request(url, { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': 2 } });
    slow.flushHeaders();
    await once(slow, 'socket');
    const connected = slow.socket?.connecting ? once(slow.socket, 'connect') : undefined;
    await connected;
    const answered = once(slow, 'response');

    const stopped = service.stop();
    slow.end('{}');
    const [response] = await answered;
    response.resume();
    await stopped;

    expect(response.statusCode).toBe(401);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('the service is ready again after every database connection was cut', async () => {
    const { url } = await start('all');

    await database.cutConnections();

    const status = async () => (await fetch(`${url}/readyz`)).status;
    while ((await status()) !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  test('stopping twice has the effect of stopping once', async () => {
    const service = await start('all');

    await Promise.all([service.stop(), service.stop()]);
  });

  test('a port in use is reported with advice', async () => {
    const { url } = await start('api');

    await expect(start('api', { PORT: new URL(String(url)).port })).rejects.toThrow(
      /port \d+ is already in use; choose another/,
    );
  });

  test("a database without this release's migrations is rejected", async () => {
    await database.admin('alter table schema_migrations rename to hidden');

    await expect(start('api')).rejects.toThrow('run `dpa migrate` first');
    await database.admin('alter table hidden rename to schema_migrations');
  });

  test('a database that a newer release migrated is rejected with a message', async () => {
    await database.admin_db('schema_migrations').insert({ name: '29990101T0000_later', batch: 99 });

    await expect(start('worker')).rejects.toThrow(
      'was migrated by a newer release (it has 29990101T0000_later, which this release does not know)',
    );
    await database.admin_db('schema_migrations').where({ name: '29990101T0000_later' }).delete();
  });

  test('a running service stays ready while a newer release migrates its database', async () => {
    const { url } = await start('api');
    await database.admin_db('schema_migrations').insert({ name: '29990101T0000_later', batch: 99 });

    const { status } = await fetch(`${url}/readyz`);

    expect(status).toBe(200);
    await database.admin_db('schema_migrations').where({ name: '29990101T0000_later' }).delete();
  });

  test('a superuser login is rejected in production', async () => {
    const production = {
      NODE_ENV: 'production',
      OIDC_ISSUER: 'https://idp.example',
      OIDC_AUDIENCE: 'dpa',
      MASTER_KEY: Buffer.alloc(32).toString('base64'),
      DATABASE_URL: database.superuser_url,
    };

    await expect(start('api', production)).rejects.toThrow('is a superuser');
  });
});

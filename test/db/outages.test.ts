import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { Client, DatabaseError } from 'pg';
import { pino } from 'pino';
import { type Cluster, haltCluster, launchCluster, superuserUrl } from '../../server/adapters/postgres/cluster.ts';
import { findPostmaster } from '../../server/adapters/postgres/postmaster.ts';
import { type DatabaseOptions, openDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { connectFailure, statementFailure } from '../../server/db/outage.ts';
import { assertWritable } from '../../server/db/writable.ts';
import { newId } from '../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';

const log = pino({ level: 'silent' });
const SLEEP = 'select pg_sleep(60)';

let database: TestDatabase;
let name: string;
/** Outside of the database whose connections are closed. */
let watcher: Client;
const opened: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  name = new URL(database.url).pathname.slice(1);
  const url = new URL(database.superuser_url);
  url.pathname = '/postgres';
  watcher = new Client({ connectionString: url.href });
  await watcher.connect();
});
afterAll(async () => {
  for (const close of opened) await close();
  await watcher.end();
  await database.close();
});

function open(options: Partial<DatabaseOptions> = {}): Knex {
  const { db, close } = openDatabase({ url: database.url, max: 2, log, ...options });
  opened.push(close);
  return db;
}

const outage = (code: string) => ({ status: 503, error_class: 'unavailable', code });

async function catchError(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: unknown) => error,
  );
}

/** Starts a statement, and waits until the server runs it. */
async function start(statement: Promise<unknown>): Promise<{ failure: Promise<unknown> }> {
  let ended = false;
  const failure = catchError(statement).finally(() => {
    ended = true;
  });
  while (!ended && !(await isRunning()));
  return { failure };
}

async function isRunning(): Promise<boolean> {
  const { rows } = await watcher.query(
    `select from pg_stat_activity where datname = $1 and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
    [name],
  );
  return rows.length > 0;
}

/** A proxy to the server: forwards everything until `cut` is called. */
async function startProxy(): Promise<{ url: string; cut(): void; close(): Promise<void> }> {
  const target = new URL(database.url);
  const sockets: Socket[] = [];
  const server = createServer((inner) => {
    const outer = connect(Number(target.port), target.hostname);
    for (const socket of [inner, outer]) socket.on('error', () => {});
    sockets.push(inner, outer);
    inner.pipe(outer).pipe(inner);
  });
  const url = new URL(database.url);
  url.port = String(await listen(server));
  return {
    url: url.href,
    cut: () => sockets.forEach((socket) => void socket.destroy()),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('an outage of PostgreSQL is Unavailable with a code', () => {
  test('if no server listens', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    const db = open({ url: `postgres://a:b@127.0.0.1:${port}/c` });

    await expect(db.raw('select 1')).rejects.toMatchObject(outage('ECONNREFUSED'));
    await expect(db.transaction((trx) => trx.raw('select 1'))).rejects.toMatchObject(outage('ECONNREFUSED'));
  });

  test('if the server does not respond', async () => {
    const server = createServer(() => {});
    const port = await listen(server);
    const db = open({ url: `postgres://a:b@127.0.0.1:${port}/c`, connect_timeout_ms: 200 });

    await expect(db.raw('select 1')).rejects.toMatchObject({ status: 503, error_class: 'unavailable' });
    server.close();
  });

  test('if every connection of the pool is in use', async () => {
    const db = open({ max: 1, connect_timeout_ms: 200 });
    const holder = await db.transaction();

    await expect(db.raw('select 1')).rejects.toMatchObject(outage('NO_CONNECTION'));
    await holder.rollback();
    await expect(db.raw('select 1')).resolves.toBeDefined();
  });

  test('if an administrator ends the session in a statement, a transaction or a read of one organization', async () => {
    const db = open();
    const tenants = openOrgDatabase({ url: database.url, max: 2, log });
    opened.push(tenants.close);
    const begin = [
      () => db.raw(SLEEP),
      () => db.transaction((trx) => trx.raw(SLEEP)),
      () => tenants.db.readInOrg(newId(), (read) => read.raw(SLEEP)),
      () => tenants.db.inOrg(newId(), (trx) => trx.raw(SLEEP)),
    ];
    for (const work of begin) {
      const { failure } = await start(work());
      await database.cutConnections();

      expect(await failure).toMatchObject({ status: 503, error_class: 'unavailable' });
    }
    await expect(db.raw('select 1')).resolves.toBeDefined();
  });

  test('if the socket breaks during a statement or before a commit', async () => {
    const proxy = await startProxy();
    const db = open({ url: proxy.url });

    const { failure } = await start(db.raw(SLEEP));
    proxy.cut();
    expect(await failure).toMatchObject({ status: 503, error_class: 'unavailable' });
    const committing = db.transaction(async (trx) => {
      await trx.raw('select 1');
      proxy.cut();
    });
    await expect(committing).rejects.toMatchObject({ status: 503, error_class: 'unavailable' });
    await expect(db.raw('select 1')).resolves.toBeDefined();
    await proxy.close();
  });

  test('if the server has no connections left', async () => {
    await database.admin(`alter database ${name} connection limit 0`);

    const failure = await catchError(open().raw('select 1'));

    await database.admin(`alter database ${name} connection limit -1`);
    expect(failure).toMatchObject(outage('53300'));
  });

  test('if a failover left a read-only server, and the next statement uses another connection', async () => {
    const db = open({ max: 1 });
    await db.raw('set default_transaction_read_only = on');

    await expect(db('outbox').delete()).rejects.toMatchObject(outage('25006'));
    await expect(assertWritable(db)).resolves.toBeUndefined();
  });
});

test.each([
  ['a syntax error', 'selekt 1', '42601'],
  ['a missing permission', 'delete from orgs', '42501'],
  ['a column that does not exist', 'select nothing', '42703'],
  ['a canceled statement', "set statement_timeout = '1ms'; select pg_sleep(1)", '57014'],
])('%s is not an outage', async (_what, sql, code) => {
  await expect(open().raw(sql)).rejects.toMatchObject({ code, severity: 'ERROR' });
});

/** An error of the server with this SQLSTATE. */
function answered(code: string): DatabaseError {
  return Object.assign(new DatabaseError('no', 2, 'error'), { code });
}

test.each(['53100', '58030'])('%s of the server is StorageUnavailable', (code) => {
  const expected = { status: 503, error_class: 'storage_unavailable', code, extra: { retry_after: 30 } };

  expect(statementFailure(answered(code), {})).toMatchObject(expected);
  expect(connectFailure(answered(code))).toMatchObject(expected);
});

test.each(['08006', '53000', '53200', '53300', '53400', '57P01', '57P02', '57P03', '57P05', '25006', '25P03'])(
  '%s of the server is an outage',
  (code) => {
    expect(statementFailure(answered(code), {})).toMatchObject(outage(code));
    expect(connectFailure(answered(code))).toMatchObject(outage(code));
  },
);

test.each(['23505', '22001', '40001', '40P01', '42P01', '55P03', '57014', '28P01', '3D000', 'XX000'])(
  '%s of the server is thrown unchanged',
  (code) => {
    const error = answered(code);

    expect(statementFailure(error, {})).toBe(error);
    expect(connectFailure(error)).toBe(error);
  },
);

test('a wrong password is not an outage', async () => {
  const url = new URL(database.url);
  url.password = 'wrong';

  await expect(open({ url: url.href }).raw('select 1')).rejects.toMatchObject({ code: '28P01' });
});

describe('a server that stops and starts', () => {
  const cluster: Cluster = { folder: '', password: 'test', durable: false };
  beforeAll(async () => {
    cluster.folder = await mkdtemp(join(tmpdir(), 'dpa-outage-'));
  });
  afterAll(async () => {
    await haltCluster(cluster.folder);
    await rm(cluster.folder, { recursive: true });
  });

  test('each step is an outage, and the pool recovers by itself', async () => {
    const { port } = await launchCluster(cluster);
    const url = superuserUrl(cluster, port);
    const setup = new Client({ connectionString: url });
    await setup.connect();
    await setup.query('create role app_platform');
    const db = open({ url });
    await db.raw('select 1');

    // A smart shutdown waits for existing sessions and accepts no new ones.
    const { pid = 0 } = (await findPostmaster(join(cluster.folder, 'postgres'))) ?? {};
    process.kill(pid, 'SIGTERM');
    const refused = async () => catchError(open({ url }).raw('select 1'));
    let failure = await refused();
    while (failure === 'done') failure = await refused();
    expect(failure).toMatchObject(outage('57P03'));

    const sleeping = catchError(db.raw(SLEEP));
    await setup.end();
    await haltCluster(cluster.folder);
    expect(await sleeping).toMatchObject(outage('57P01'));
    await expect(db.raw('select 1')).rejects.toMatchObject(outage('ECONNREFUSED'));

    await launchCluster(cluster, port);
    await expect(db.raw('select 1')).resolves.toBeDefined();
  });
});

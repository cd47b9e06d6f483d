import { mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { pino } from 'pino';
import { repairInstall } from '../../../server/adapters/postgres/binaries.ts';
import { haltCluster } from '../../../server/adapters/postgres/cluster.ts';
import { startEmbeddedPostgres } from '../../../server/adapters/postgres/embedded.ts';
import { findPostmaster } from '../../../server/adapters/postgres/postmaster.ts';

const log = pino({ level: 'silent' });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpa-embedded-'));
});
afterAll(async () => {
  await haltCluster(folder);
  await rm(folder, { recursive: true, force: true });
});

describe('the embedded PostgreSQL', () => {
  test('the database keeps rows across restarts, and its passwords are private', async () => {
    const first = await startEmbeddedPostgres({ folder, log });
    await query(first.superuser_url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await startEmbeddedPostgres({ folder, log });

    expect(await query(second.superuser_url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect((await stat(join(folder, 'postgres-passwords.json'))).mode & 0o777).toBe(0o600);
    expect(await query(second.superuser_url, "select current_setting('listen_addresses') as at")).toEqual([
      { at: '127.0.0.1' },
    ]);
    expect(await postmasterPid()).toBeGreaterThan(0);
    await second.stop();
    expect(await postmasterPid()).toBe(0);
  });

  test('a second owner of the folder is rejected with the process id of the first', async () => {
    const owner = await startEmbeddedPostgres({ folder, log });

    await expect(startEmbeddedPostgres({ folder, log })).rejects.toThrow(
      `in use by another running dpa (process ${process.pid})`,
    );
    expect(await query(owner.superuser_url, 'select 1 as up')).toEqual([{ up: 1 }]);
    await owner.stop();
  });

  test('a connection without the password is rejected', async () => {
    const owner = await startEmbeddedPostgres({ folder, log });
    const url = new URL(owner.superuser_url);
    url.password = 'guess';

    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await owner.stop();
  });

  test('the database restarts on its port after a SIGKILL, with all committed data', async () => {
    const owner = await startEmbeddedPostgres({ folder, log });
    await query(owner.superuser_url, 'create table survivor as select 7 as n');

    process.kill(await postmasterPid(), 'SIGKILL');
    const rows = await eventually(() => query(owner.superuser_url, 'select n from survivor'));

    expect(rows).toEqual([{ n: 7 }]);
    await owner.stop();
  });

  test('the database starts over a stale lock file whose process id now belongs to another program', async () => {
    const owner = await startEmbeddedPostgres({ folder, log });
    const lockFile = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8');
    await owner.stop();
    await writeFile(join(folder, 'postgres/postmaster.pid'), lockFile.replace(/^\d+/, String(process.pid)));

    const next = await startEmbeddedPostgres({ folder, log });

    expect(await query(next.superuser_url, 'select n from survivor')).toEqual([{ n: 7 }]);
    await next.stop();
  });
});

test('an npm install without scripts gets its library links and execute bits fixed', async () => {
  const native = join(folder, 'package/native');
  await mkdir(join(native, 'lib'), { recursive: true });
  await mkdir(join(native, 'bin'));
  await writeFile(join(native, 'lib/libx.so.1.2'), '');
  await writeFile(join(native, 'bin/postgres'), '', { mode: 0o644 });
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));

  await repairInstall(native);
  await repairInstall(native);

  expect(await readlink(join(native, 'lib/libx.so.1'))).toBe('libx.so.1.2');
  expect((await stat(join(native, 'bin/postgres'))).mode & 0o555).toBe(0o555);
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterPid(): Promise<number> {
  return (await findPostmaster(join(folder, 'postgres')))?.pid ?? 0;
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

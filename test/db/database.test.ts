import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { pino } from 'pino';
import { assertServingRole, openDatabase } from '../../server/db/index.ts';
import { assertMigrated, listPendingMigrations, migrate } from '../../server/db/migrate.ts';
import { MIGRATIONS } from '../../server/db/migrations.ts';
import { newId } from '../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('migrations', () => {
  test('a migrated database has no pending migrations, and migrating again applies none', async () => {
    const again = await migrate({
      owner_url: database.owner_url,
      app_url: database.url,
      log: pino({ level: 'silent' }),
    });

    expect(await listPendingMigrations(database.platform_db)).toEqual([]);
    expect(again).toEqual([]);
  });

  test('a database that a newer release migrated is not changed, and the error names its migrations', async () => {
    const migrateAgain = () =>
      migrate({ owner_url: database.owner_url, app_url: database.url, log: pino({ level: 'silent' }) });
    const names = ['29990101T0000_later', '29990102T0000_last'];
    const newer = (held: string) =>
      `the database was migrated by a newer release (it has ${held}, which this release does not know); ` +
      'run that release or a newer one';

    await database.admin_db('schema_migrations').insert({ name: names[0], batch: 99 });
    await expect(migrateAgain()).rejects.toThrow(newer('29990101T0000_later'));
    await expect(assertMigrated(database.platform_db)).rejects.toThrow(newer('29990101T0000_later'));
    await database.admin_db('schema_migrations').insert({ name: names[1], batch: 99 });
    await expect(assertMigrated(database.platform_db)).rejects.toThrow(newer('2 migrations up to 29990102T0000_last'));

    await database.admin_db('schema_migrations').whereIn('name', names).delete();
    await expect(assertMigrated(database.platform_db)).resolves.toBeUndefined();
  });

  test('names are unique and sorted in the order of application', () => {
    const names = MIGRATIONS.map((migration) => migration.name);

    expect(names).toEqual([...new Set(names)].sort());
  });

  test.each(['users', 'orgs', 'memberships', 'scan_runs', 'llm_jobs', 'outbox', 'idempotency_keys'])(
    '%s belongs to the migrating role, and every foreign key of it starts an index',
    async (table) => {
      const { rows: owners } = await database.platform_db.raw('select tableowner from pg_tables where tablename = ?', [
        table,
      ]);
      const { rows: bare } = await database.platform_db.raw(
        `select c.conname from pg_constraint c
         where c.contype = 'f' and c.conrelid = ?::regclass and not exists (
           select from pg_index i where i.indrelid = c.conrelid
           and (i.indkey::int2[])[0:array_length(c.conkey, 1) - 1] = c.conkey)`,
        [table],
      );

      expect(owners).toEqual([{ tableowner: 'app_migrator' }]);
      expect(bare).toEqual([]);
    },
  );
});

describe('migrating an external database', () => {
  const log = pino({ level: 'silent' });
  const name = `external_${newId().slice(-12)}`;
  const app_url = databaseUrl((url) => {
    url.username = name;
    url.password = 'fresh';
  });

  function databaseUrl(change: (url: URL) => void, from: () => string = () => database.owner_url) {
    return () => {
      const url = new URL(from());
      url.pathname = `/${name}`;
      change(url);
      return url.href;
    };
  }

  beforeAll(() => database.admin(`create database ${name}`));
  afterAll(async () => {
    await database.admin(`drop database ${name} with (force)`);
    await database.admin(`drop role if exists ${name}`);
  });

  test('without the right to create roles the error lists the statements for an administrator, without passwords', async () => {
    const owner_url = databaseUrl(() => {})();

    const failure = await migrate({ owner_url, app_url: app_url(), log }).catch((error: Error) => error.message);

    expect(failure).toContain(`create role "${name}" login password '…';`);
    expect(failure).toContain(`grant create, connect, temporary on database "${name}" to app_migrator;`);
    expect(failure).not.toContain('fresh');
  });

  test('with that right the application login is created and can serve, also in production', async () => {
    const owner_url = databaseUrl(
      () => {},
      () => database.superuser_url,
    )();

    const applied = await migrate({ owner_url, app_url: app_url(), log });

    const { db, close } = openDatabase({ url: app_url(), log });
    expect(applied).toEqual(MIGRATIONS.map((migration) => migration.name));
    expect(await listPendingMigrations(db)).toEqual([]);
    await assertServingRole(db, { production: true });
    await close();
  });

  test('concurrent processes apply each migration once', async () => {
    const other = `${name}_many`;
    await database.admin(`create database ${other}`);
    const url = new URL(database.superuser_url);
    url.pathname = `/${other}`;

    const applied = await Promise.all(
      [1, 2, 3, 4].map(() => migrate({ owner_url: url.href, app_url: database.url, log })),
    );

    expect(applied.flat()).toEqual(MIGRATIONS.map((migration) => migration.name));
    await database.admin(`drop database ${other} with (force)`);
  });
});

describe('database roles', () => {
  test('the application has no DDL permissions', async () => {
    await expect(database.platform_db.raw('create table sneaky (id int)')).rejects.toMatchObject({ code: '42501' });
    await expect(database.platform_db.raw('drop table users')).rejects.toMatchObject({ code: '42501' });
    await expect(database.platform_db.raw('alter table users add column x int')).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('the service works as app_platform and app_rw, the sweeper as app_sweeper, also in production', async () => {
    await expect(assertServingRole(database.platform_db, { production: true })).resolves.toBeUndefined();
    await expect(
      assertServingRole(database.sweeper_db, { role: 'app_sweeper', production: true }),
    ).resolves.toBeUndefined();
  });

  test('a pool that did not take its role is rejected', async () => {
    await expect(assertServingRole(database.sweeper_db, { production: false })).rejects.toThrow(
      /"app_sweeper" instead/,
    );
  });

  test('only the sweeper can delete jobs', async () => {
    await expect(database.platform_db('llm_jobs').delete()).rejects.toMatchObject({ code: '42501' });
    await expect(database.sweeper_db('llm_jobs').delete()).resolves.toBe(0);
  });
});

describe('database constraints', () => {
  test('a job cannot refer to a scan run of another organization', async () => {
    const { admin_db: db } = database;
    const [user, org, other, scan] = [newId(), newId(), newId(), newId()];
    const key = Buffer.from('sealed');
    await db('users').insert({ id: user, issuer: 'i', subject: user, email: `${user}@x.test`, display_name: 'U' });
    await db('orgs').insert({ id: org, slug: 'one-org', display_name: 'One', noise_key_ct: key });
    await db('orgs').insert({ id: other, slug: 'other-org', display_name: 'Other', noise_key_ct: key });
    await db('scan_runs').insert({ id: scan, org_id: org, kind: 'analysis', scan_type: 'manual' });

    const foreign = db('llm_jobs').insert({
      id: newId(),
      org_id: other,
      kind: 'analyze',
      scan_run_id: scan,
      created_by: user,
    });

    await expect(foreign).rejects.toMatchObject({ code: '23503', constraint: 'llm_jobs_scan_run_fkey' });
  });

  test('two equal idempotency keys without an organization conflict', async () => {
    const row = { credential_id: 'c', method: 'POST', path: '/orgs', key: 'k', body_sha256: 'h' };
    await database.platform_db('idempotency_keys').insert(row);

    await expect(database.platform_db('idempotency_keys').insert(row)).rejects.toMatchObject({ code: '23505' });
  });
});

test('times are stored in milliseconds', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    "select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type like 'timestamp%' and datetime_precision <> 3 and table_name not like 'schema_migrations%'",
  );
  await client.end();

  expect(rows).toEqual([]);
});

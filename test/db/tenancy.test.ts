import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { makeOrg } from '../helpers/people.ts';

let database: TestDatabase;
let ours: string;
let theirs: string;
beforeAll(async () => {
  database = await openTestDatabase();
  ours = await makeOrg(database.admin_db);
  theirs = await makeOrg(database.admin_db);
  for (const org_id of [ours, theirs]) {
    const run = { id: newId(), org_id, kind: 'analysis', scan_type: 'manual' };
    await database.admin_db('scan_runs').insert(run);
  }
});
afterAll(() => database.close());

const PERMISSION_DENIED = '42501';

describe('a unit of work of one organization', () => {
  test('a unit of work sees only rows of its organization, whatever its query says', async () => {
    const seen = await database.db.inOrg(ours, (trx) => trx('scan_runs').pluck('org_id'));
    const foreign = await database.db.inOrg(ours, (trx) => trx('scan_runs').where({ org_id: theirs }));
    const orgs = await database.db.inOrg(ours, (trx) => trx('orgs').pluck('id'));

    expect({ seen, foreign, orgs }).toEqual({ seen: [ours], foreign: [], orgs: [ours] });
  });

  test('a unit of work cannot change, move or create rows of another organization', async () => {
    const run = { id: newId(), org_id: theirs, kind: 'analysis', scan_type: 'manual' };
    const inOurs = database.db.inOrg;

    expect(await inOurs(ours, (trx) => trx('scan_runs').where({ org_id: theirs }).update({ branch: 'x' }))).toBe(0);
    await expect(inOurs(ours, (trx) => trx('scan_runs').insert(run))).rejects.toMatchObject({
      code: PERMISSION_DENIED,
    });
    await expect(inOurs(ours, (trx) => trx('scan_runs').update({ org_id: theirs }))).rejects.toMatchObject({
      code: PERMISSION_DENIED,
    });
  });

  test('a unit of work leaves no state on its connection, after a commit or a rollback', async () => {
    await database.db.inOrg(ours, async (trx) => trx('orgs'));
    await database.db.inOrg(theirs, () => Promise.reject(new Error('rolled back'))).catch(() => {});

    const settings = await database.db.inOrg(ours, (trx) => trx.raw("select current_setting('app.org_id') as org_id"));

    expect(settings.rows).toEqual([{ org_id: ours }]);
  });

  test('a savepoint keeps the organization', async () => {
    const seen = await database.db.inOrg(ours, (trx) => trx.transaction((inner) => inner('orgs').pluck('id')));

    expect(seen).toEqual([ours]);
  });

  test.each(['', 'x', "' or true --", '00000000-0000-0000-0000-00000000000G', undefined as never])(
    'a unit of work is not started for %j',
    async (org_id) => {
      await expect(database.db.inOrg(org_id, async () => 1)).rejects.toThrow('needs the organization id');
    },
  );

  test('concurrent units of work keep their organizations apart', async () => {
    const org_ids = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? ours : theirs));

    const seen = await Promise.all(org_ids.map((id) => database.db.inOrg(id, (trx) => trx('orgs').pluck('id'))));

    expect(seen).toEqual(org_ids.map((id) => [id]));
  });
});

describe('a single-statement read of one organization', () => {
  test('a read sees only rows of its organization', async () => {
    const seen = await database.db.readInOrg(ours, (db) => db('scan_runs').pluck('org_id'));
    const foreign = await database.db.readInOrg(ours, (db) => db('scan_runs').where({ org_id: theirs }));
    const { rows } = await database.db.readInOrg(ours, (db) => db.raw('select id from orgs where id <> ?', [newId()]));

    expect({ seen, foreign, rows }).toEqual({ seen: [ours], foreign: [], rows: [{ id: ours }] });
  });

  test('a read cannot write', async () => {
    const write = database.db.readInOrg(ours, (db) => db('scan_runs').where({ org_id: ours }).update({ branch: 'x' }));

    await expect(write).rejects.toMatchObject({ code: '25006' });
    expect(await database.admin_db('scan_runs').where({ branch: 'x' })).toEqual([]);
  });

  test('a read rejects a second statement, which would be outside of the transaction', async () => {
    const twice = database.db.readInOrg(ours, async (db) => [await db('orgs'), await db('orgs')]);

    await expect(twice).rejects.toThrow('a single statement');
  });

  test('a failed read leaves its connection usable for the next organization', async () => {
    const { openOrgDatabase } = await import('../../server/db/index.ts');
    const { pino } = await import('pino');
    const single = openOrgDatabase({ url: database.url, max: 1, log: pino({ level: 'silent' }) });
    await expect(single.db.readInOrg(ours, (db) => db.raw('select 1/0'))).rejects.toMatchObject({ code: '22012' });

    expect(await single.db.readInOrg(theirs, (db) => db('orgs').pluck('id'))).toEqual([theirs]);
    expect(await single.db.inOrg(ours, (trx) => trx('orgs').pluck('id'))).toEqual([ours]);
    await single.close();
  });

  test('a read fails instead of waiting when its connection is cut', async () => {
    const cut = database.db.readInOrg(ours, (db) => db.raw('select pg_sleep(30)'));
    cut.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    await database.cutConnections();

    await expect(cut).rejects.toMatchObject({ status: 503, error_class: 'unavailable' });
    // Idle connections were cut too; a read that gets one before the pool notices fails the same way.
    const read = () => database.db.readInOrg(ours, (db) => db('orgs').pluck('id'));
    let ids: unknown = null;
    for (let attempt = 0; attempt < 20 && ids === null; attempt += 1) ids = await read().catch(() => null);
    expect(ids).toEqual([ours]);
  });

  test('a read is not started for an invalid id', async () => {
    await expect(database.db.readInOrg("' or true --", (db) => db('orgs'))).rejects.toThrow(
      'needs the organization id',
    );
  });
});

describe('row-level security', () => {
  async function orgTables(): Promise<string[]> {
    const { rows } = await database.admin_db.raw(
      `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    return rows.map((row: { relname: string }) => row.relname);
  }

  test('every table with an org_id has row-level security, which also applies to its owner', async () => {
    const tables = await orgTables();
    const { rows } = await database.admin_db.raw(
      'select relname from pg_class where relrowsecurity and relforcerowsecurity order by 1',
    );

    expect(tables.length).toBeGreaterThanOrEqual(5);
    expect(rows.map((row: { relname: string }) => row.relname)).toEqual(expect.arrayContaining([...tables, 'orgs']));
  });

  test('a connection without an organization sees no row of any table, even after using one', async () => {
    const { Client } = await import('pg');
    const client = new Client({ connectionString: database.url, options: '-c role=app_rw' });
    await client.connect();
    await client.query(`begin; set local app.org_id = '${ours}'; commit`);
    const counts: Record<string, number> = {};
    for (const table of await orgTables()) {
      const { rows } = await client
        .query(`select count(*)::int as n from ${table}`)
        .catch(({ code }: { code: string }) => ({ rows: [{ n: code === PERMISSION_DENIED ? 0 : -1 }] }));
      counts[table] = rows[0].n;
    }
    await client.end();

    expect(Object.values(counts).every((n) => n === 0)).toBe(true);
  });

  test('serving roles cannot disable row-level security', async () => {
    for (const db of [database.platform_db, database.sweeper_db]) {
      await expect(db.raw('alter table scan_runs disable row level security')).rejects.toMatchObject({
        code: PERMISSION_DENIED,
      });
      await expect(db.raw("select protect_org_rows('scan_runs')")).rejects.toMatchObject({ code: PERMISSION_DENIED });
    }
  });

  test('the platform role cannot access data inside organizations', async () => {
    for (const statement of [
      'delete from memberships',
      "update memberships set role = 'owner'",
      'select noise_key_ct from orgs',
      'select result_json from scan_runs',
      "update orgs set slug = 'mine'",
    ]) {
      await expect(database.platform_db.raw(statement)).rejects.toMatchObject({ code: PERMISSION_DENIED });
    }
  });
});

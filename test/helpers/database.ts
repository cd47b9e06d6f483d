import knex, { type Knex } from 'knex';
import { pino } from 'pino';
import { type OrgDatabase, type OrgSnapshots, openDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { asSuperuser, buildTestUrl, getTestServer, TEMPLATE } from './postgres-run.ts';

export interface TestDatabase {
  /** Login of the application, as in DATABASE_URL. */
  url: string;
  /** Login of the schema's owner, as in DATABASE_MIGRATE_URL. */
  owner_url: string;
  superuser_url: string;
  /** Runs SQL as superuser. */
  admin(sql: string): Promise<void>;
  /** Works inside one organization as `app_rw`, with the permissions of the service. */
  db: OrgDatabase & OrgSnapshots;
  /** Works across organizations as `app_platform`. */
  platform_db: Knex;
  /** Bypasses row-level security: prepares and inspects data for tests. */
  admin_db: Knex;
  /** Deletes expired rows, as `app_sweeper`. */
  sweeper_db: Knex;
  /** Closes every connection of the service to this database, like a restart of the server. */
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}

/** A new, migrated database for one test file, on the shared PostgreSQL of this run. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = await getTestServer();
  const name = `test_${newId().replaceAll('-', '')}`;
  await asSuperuser(server, async (client) => {
    await client.query(`create database ${name} template ${TEMPLATE} owner app_migrator strategy file_copy`);
  });
  const url = buildTestUrl(server, name, 'dpa_app');
  const log = pino({ level: 'silent' });
  const tenants = openOrgDatabase({ url, max: 10, log });
  const platform = openDatabase({ url, max: 10, log });
  const sweeper = openDatabase({ url, role: 'app_sweeper', max: 2, log });
  const superuser_url = buildTestUrl(server, name, 'postgres');
  // Its messages about closed connections would fill the report.
  const silent_log = { warn: () => {}, error: () => {} };
  const admin_db = knex({ client: 'pg', connection: superuser_url, pool: { min: 0, max: 4 }, log: silent_log });
  return {
    url,
    owner_url: buildTestUrl(server, name, 'dpa_owner'),
    superuser_url,
    db: tenants.db,
    platform_db: platform.db,
    admin_db,
    sweeper_db: sweeper.db,
    async admin(sql) {
      await asSuperuser(server, async (client) => void (await client.query(sql)), name);
    },
    async cutConnections() {
      await asSuperuser(server, async (client) => {
        await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      });
    },
    async close() {
      await Promise.all([tenants.close(), platform.close(), sweeper.close(), admin_db.destroy()]);
      await asSuperuser(server, async (client) => {
        await client.query(`drop database ${name} with (force)`);
      });
    },
  };
}

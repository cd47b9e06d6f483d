import { Client } from 'pg';
import { migrate } from '../../db/migrate.ts';
import { ensureLogin } from '../../db/roles.ts';
import type { Logger } from '../../log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

const DATABASE = 'dpa';
const APP_LOGIN = 'dpa_app';

export interface EmbeddedDatabase {
  /** The application's login. */
  url: string;
  /** The login that owns the schema; not used for serving. */
  owner_url: string;
  stop(): Promise<void>;
}

/** The embedded PostgreSQL of a data folder, with the service's database migrated to this build. */
export async function openEmbeddedDatabase(input: { data_dir: string; log: Logger }): Promise<EmbeddedDatabase> {
  const postgres = await startEmbeddedPostgres({ folder: input.data_dir, log: input.log });
  try {
    await makeDatabase(postgres);
    const url = databaseUrl(postgres, { login: APP_LOGIN, password: postgres.app_password });
    const owner_url = databaseUrl(postgres);
    await migrate({ owner_url, app_url: url, log: input.log });
    return { url, owner_url, stop: postgres.stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function makeDatabase(postgres: EmbeddedPostgres): Promise<void> {
  const client = new Client({ connectionString: postgres.superuser_url });
  await client.connect();
  try {
    await ensureLogin(client, APP_LOGIN, postgres.app_password);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** The service's database with the given login, or as the superuser. */
function databaseUrl(postgres: EmbeddedPostgres, as?: { login: string; password: string }): string {
  const url = new URL(postgres.superuser_url);
  url.pathname = `/${DATABASE}`;
  if (as !== undefined) [url.username, url.password] = [as.login, as.password];
  return url.href;
}

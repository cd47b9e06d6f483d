import knex, { type Knex } from 'knex';
import { MIGRATIONS } from '../../server/db/migrations.ts';
import type { TestDatabase } from './database.ts';

/** Empties the database and migrates it up to the migration before this one. */
export async function migrateUpTo(name: string, database: TestDatabase): Promise<void> {
  await database.admin('drop schema bullmq cascade; drop schema public cascade; create schema public');
  await database.admin('grant usage on schema public to public; grant create, usage on schema public to app_migrator');
  const db = knex({
    client: 'pg',
    connection: { connectionString: database.owner_url, options: '-c role=app_migrator' },
    pool: { min: 0, max: 1 },
    migrations: {
      tableName: 'schema_migrations',
      migrationSource: {
        getMigrations: async () =>
          MIGRATIONS.slice(
            0,
            MIGRATIONS.findIndex((one) => one.name === name),
          ),
        getMigrationName: (one: { name: string }) => one.name,
        getMigration: async ({ up }: { up: string }) => ({ up: (trx: Knex) => trx.raw(up), down: async () => {} }),
      },
    },
  });
  await db.migrate.latest();
  await db.destroy();
}

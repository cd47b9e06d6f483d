import { buildEnvironment, type ServerOptions } from '../environment.ts';

/** Migrates the database in DATABASE_URL, or the embedded database in the data folder. */
export async function migrate(options: Pick<ServerOptions, 'dataDir'>): Promise<void> {
  const { loadConfig } = await import('../../../server/config/index.ts');
  const { createLogger } = await import('../../../server/log.ts');
  const { data_dir, database, log_level } = loadConfig(buildEnvironment(options));
  const log = createLogger({ log_level }, process.stderr);
  if (database === null) {
    const { openEmbeddedDatabase } = await import('../../../server/adapters/postgres/index.ts');
    const embedded = await openEmbeddedDatabase({ data_dir, log });
    await embedded.stop();
  } else {
    const { migrate: migrateDatabase } = await import('../../../server/db/migrate.ts');
    await migrateDatabase({ owner_url: database.migrate_url ?? database.url, app_url: database.url, log });
  }
  process.stdout.write('the database is up to date\n');
}

import { once } from 'node:events';
import { assertDataFolder, EMBEDDED_DATABASE } from '../data-folder.ts';
import { buildEnvironment, type ServerOptions } from '../environment.ts';

/** Prints the audit log of the database in DATABASE_URL, or of the embedded database in the data folder. */
export async function dumpAudit(options: Pick<ServerOptions, 'dataDir'>): Promise<void> {
  const { loadConfig } = await import('../../../server/config/index.ts');
  const { createLogger } = await import('../../../server/log.ts');
  const { data_dir, database, log_level } = loadConfig(buildEnvironment(options));
  const log = createLogger({ log_level }, process.stderr);
  if (database !== null) return dump(database.url);
  assertDataFolder(data_dir, EMBEDDED_DATABASE);

  const { openEmbeddedDatabase } = await import('../../../server/adapters/postgres/index.ts');
  const embedded = await openEmbeddedDatabase({ data_dir, log });
  try {
    await dump(embedded.url);
  } finally {
    await embedded.stop();
  }

  async function dump(url: string): Promise<void> {
    const { openDatabase } = await import('../../../server/db/index.ts');
    const { dumpAuditLog } = await import('../../../server/domains/audit/index.ts');
    const { db, close } = openDatabase({ url, max: 1, log });
    try {
      const rows = await dumpAuditLog(db, print);
      process.stderr.write(`${rows} rows\n`);
    } finally {
      await close();
    }
  }
}

async function print(lines: string): Promise<void> {
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
}

import type { Resealed } from '../../../server/db/index.ts';
import { environmentOf, type ServerOptions } from '../environment.ts';

/**
 * Seals what the database holds sealed under the first key of MASTER_KEY: of the database that DATABASE_URL names, else
 * of the embedded one of the data folder. Exits with 2 when a record opens with none of the keys.
 */
export async function rotateKeys(options: Pick<ServerOptions, 'dataDir'>): Promise<void> {
  const { loadConfig } = await import('../../../server/config.ts');
  const { createLogger } = await import('../../../server/log.ts');
  const { readMasterKeys } = await import('../../../server/stores.ts');
  const config = loadConfig(environmentOf(options));
  const log = createLogger({ log_level: config.log_level }, process.stderr);
  const masterKeys = await readMasterKeys(config);
  if (config.database !== null) return rotate(config.database.url);

  const { openEmbeddedDatabase } = await import('../../../server/adapters/postgres/index.ts');
  const embedded = await openEmbeddedDatabase({ data_dir: config.data_dir, log });
  try {
    await rotate(embedded.url);
  } finally {
    await embedded.stop();
  }

  async function rotate(url: string): Promise<void> {
    const { openDatabase, openOrgDatabase, reseal } = await import('../../../server/db/index.ts');
    const { SEALED_ACCOUNTS } = await import('../../../server/domains/llm/index.ts');
    const { SEALED_NOISE_KEYS } = await import('../../../server/domains/orgs/index.ts');
    const { SEALED_WEBHOOKS } = await import('../../../server/domains/webhooks/index.ts');
    const { SEALED_INSTALLATION_KEYS } = await import('../../../server/domains/installations/index.ts');
    const { createSealer } = await import('../../../server/lib/seal.ts');
    const sealer = createSealer(masterKeys);
    const platform = openDatabase({ url, max: 1, log });
    const tenants = openOrgDatabase({ url, max: 1, log });
    const deps = { platform_db: platform.db, db: tenants.db, sealer, masterKeys };
    try {
      const columns = [SEALED_NOISE_KEYS, SEALED_ACCOUNTS, ...SEALED_WEBHOOKS, SEALED_INSTALLATION_KEYS];
      for (const column of columns) tell(await reseal(deps, column));
    } finally {
      await Promise.all([platform.close(), tenants.close()]);
    }
  }
}

function tell({ table, column, resealed, unreadable }: Resealed): void {
  process.stdout.write(`${table}.${column}: ${resealed} sealed anew\n`);
  for (const { org_id, reason } of unreadable)
    process.stderr.write(`${table}.${column} of ${org_id} does not open: ${reason}\n`);
  if (unreadable.length > 0) process.exitCode = 2;
}

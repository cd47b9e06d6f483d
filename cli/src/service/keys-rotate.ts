import { join } from 'node:path';
import type { ResealDeps, Resealed } from '../../../server/db/index.ts';
import type { Logger } from '../../../server/log.ts';
import { assertDataFolder, EMBEDDED_DATABASE } from '../data-folder.ts';
import { buildEnvironment, type ServerOptions } from '../environment.ts';
import { Failure } from '../failure.ts';

/**
 * Encrypts every encrypted record with the first key of MASTER_KEY, in the database in DATABASE_URL or in the embedded
 * database of the data folder. Afterwards the other keys can be removed. Exits with 2 if a record cannot be decrypted with
 * any of the keys.
 */
export async function rotateKeys(options: Pick<ServerOptions, 'dataDir'>): Promise<void> {
  const { loadConfig } = await import('../../../server/config/index.ts');
  const { createLogger } = await import('../../../server/log.ts');
  const { findMasterKeys } = await import('../../../server/master-keys.ts');
  const config = loadConfig(buildEnvironment(options));
  const log = createLogger({ log_level: config.log_level }, process.stderr);
  if (config.database === null) assertDataFolder(config.data_dir, EMBEDDED_DATABASE);
  const masterKeys = await findMasterKeys(config);
  if (masterKeys === undefined) {
    throw new Failure(`the master key is missing: restore ${join(config.data_dir, 'master-key')}, or set MASTER_KEY`);
  }
  if (config.database !== null) return rotate(config.database.url, masterKeys, log);

  const { openEmbeddedDatabase } = await import('../../../server/adapters/postgres/index.ts');
  const embedded = await openEmbeddedDatabase({ data_dir: config.data_dir, log });
  try {
    await rotate(embedded.url, masterKeys, log);
  } finally {
    await embedded.stop();
  }
}

async function rotate(url: string, masterKeys: readonly Uint8Array[], log: Logger): Promise<void> {
  const { openDatabase, openOrgDatabase } = await import('../../../server/db/index.ts');
  const { assertMigrated } = await import('../../../server/db/migrate.ts');
  const { createSealer } = await import('../../../server/lib/seal.ts');
  const platform = openDatabase({ url, max: 1, log });
  const tenants = openOrgDatabase({ url, max: 1, log });
  try {
    await assertMigrated(platform.db);
    const sealer = createSealer(masterKeys);
    await resealAll({ platform_db: platform.db, db: tenants.db, sealer, masterKeys });
  } finally {
    await Promise.all([platform.close(), tenants.close()]);
  }
}

/** Removes old keys from the list only if every record could be decrypted. */
async function resealAll(deps: ResealDeps): Promise<void> {
  const { replaceKeysInUse } = await import('../../../server/db/master-keys.ts');
  const { reseal } = await import('../../../server/db/index.ts');
  const { SEALED_COLUMNS } = await import('../../../server/composition/sealed-columns.ts');
  const [first] = deps.masterKeys;
  let unreadable_count = 0;
  for (const column of SEALED_COLUMNS) {
    const resealed = await reseal(deps, column);
    unreadable_count += resealed.unreadable.length;
    reportResealed(resealed);
  }
  if (unreadable_count === 0 && first !== undefined) await replaceKeysInUse(deps.platform_db, first);
}

function reportResealed({ table, column, resealed, unreadable }: Resealed): void {
  process.stdout.write(`${table}.${column}: ${resealed} encrypted again\n`);
  for (const { org_id, reason } of unreadable)
    process.stderr.write(`${table}.${column} of ${org_id} could not be decrypted: ${reason}\n`);
  if (unreadable.length > 0) process.exitCode = 2;
}

import { type BlobStore, createBlobStore, type FileStore } from './adapters/blob/index.ts';
import { openEmbeddedDatabase } from './adapters/postgres/index.ts';
import type { Config } from './config/index.ts';
import {
  assertServingRole,
  type Knex,
  type OrgDatabase,
  type OrgSnapshots,
  openDatabase,
  openOrgDatabase,
} from './db/index.ts';
import { assertMigrated } from './db/migrate.ts';
import { SWEEPER_ROLE } from './db/roles.ts';
import { StorageUnavailable, Unavailable } from './lib/errors.ts';
import { createSealer, type Sealer } from './lib/seal.ts';
import { createStateSigner, type StateSigner } from './lib/state-signer.ts';
import type { Logger } from './log.ts';
import { openMasterKeys } from './master-keys.ts';
import { openQueueBackend, type QueueBackend } from './queue/index.ts';

/** Everything that outlives this process. */
export interface Stores {
  database_url: string;
  /** Works inside one organization. */
  db: OrgDatabase & OrgSnapshots;
  /** Works across organizations. */
  platform_db: Knex;
  /** A single connection across organizations, only for the audit log. */
  audit_db: Knex;
  /** Deletes expired rows. */
  sweep_db: Knex;
  queue: QueueBackend;
  blobs: BlobStore & FileStore;
  sealer: Sealer;
  states: StateSigner;
  close(): Promise<void>;
}

/**
 * Opens the configured stores, or the embedded default.
 *
 * @throws Error if a store cannot be used; the message says what to do
 */
export async function openStores(config: Config, log: Logger): Promise<Stores> {
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of opened.reverse()) await closeOne();
  };
  try {
    const embedded = config.database === null ? await openEmbeddedDatabase({ data_dir: config.data_dir, log }) : null;
    if (embedded !== null) opened.push(embedded.stop);
    const database_url = embedded?.url ?? config.database?.url ?? '';

    const platform = openDatabase({ url: database_url, log });
    opened.push(platform.close);
    await assertServingRole(platform.db, { production: config.production });
    await assertMigrated(platform.db);
    const masterKeys = await openMasterKeys(platform.db, config);
    const tenants = openOrgDatabase({ url: database_url, log });
    opened.push(tenants.close);
    const auditing = openDatabase({ url: database_url, max: 1, log });
    opened.push(auditing.close);
    const sweeping = openDatabase({ url: database_url, role: SWEEPER_ROLE, max: 2, log });
    opened.push(sweeping.close);

    const queue = openQueueBackend({ database_url, redis_url: config.redis_url ?? undefined, log });
    opened.push(queue.close);
    const blobs = createBlobStore(config.blobs);
    await blobs.check();
    return {
      database_url,
      db: tenants.db,
      platform_db: platform.db,
      audit_db: auditing.db,
      sweep_db: sweeping.db,
      queue,
      blobs,
      sealer: createSealer(masterKeys),
      states: createStateSigner(masterKeys),
      close,
    };
  } catch (error) {
    await close();
    throw withCause(error);
  }
}

/** The operator who starts the service can read driver errors; a caller over HTTP cannot. */
function withCause(error: unknown): unknown {
  const is_outage = error instanceof Unavailable || error instanceof StorageUnavailable;
  if (!is_outage || !(error.cause instanceof Error)) return error;
  const { cause } = error;
  const causes = cause instanceof AggregateError ? cause.errors.map(String).join('; ') : cause.message;
  return new Error(`${error.message}: ${causes}`, { cause });
}

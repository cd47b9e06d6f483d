import knex, { type Knex } from 'knex';
import type { Logger } from '../log.ts';
import { DatabaseClient } from './client.ts';
import { orgDatabase } from './org-database.ts';
import { APP_ROLE, PLATFORM_ROLE, type ServiceRole } from './roles.ts';
import type { OrgDatabase, OrgSnapshots } from './types.ts';

export type { Knex } from 'knex';
export { toBindings } from './bindings.ts';
export { readClock } from './clock.ts';
export { readCursor } from './cursor.ts';
export { findNthNewest } from './find-nth-newest.ts';
export { lockOrg, tryLockOrg } from './org-lock.ts';
export { type ResealDeps, type Resealed, reseal, type SealedColumn } from './reseal.ts';
export { type ColumnSealer, createColumnSealer } from './sealed-columns.ts';
export type { Db, Keep, OrgDatabase, OrgSnapshots } from './types.ts';

const MOST_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

export interface DatabaseOptions {
  url: string;
  /** The role that every connection takes when it starts; by default the one that works across organizations. */
  role?: ServiceRole;
  /** Maximum number of connections. */
  max?: number;
  /** Sends statements without waiting for the result of the previous one. */
  pipeline?: boolean;
  /** Maximum wait for a connection. */
  connect_timeout_ms?: number;
  log: Logger;
}

/**
 * Creates a pool whose connections take a role of the service. It connects on first use and reconnects after an outage;
 * a connection that takes longer than five seconds fails. An outage is thrown as `Unavailable`, a full disk as
 * `StorageUnavailable`.
 */
export function openDatabase(options: DatabaseOptions): { db: Knex; close(): Promise<void> } {
  const { url, role = PLATFORM_ROLE, max = MOST_CONNECTIONS, pipeline = false, log } = options;
  const { connect_timeout_ms = CONNECT_TIMEOUT_MS } = options;
  const connection: Knex.PgConnectionConfig & { pipeline: boolean } = {
    connectionString: url,
    options: `-c role=${role}`,
    application_name: `dpa ${role}`,
    keepAlive: true,
    pipeline,
    connectionTimeoutMillis: connect_timeout_ms,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const db = knex({
    client: DatabaseClient,
    connection,
    pool: { min: 0, max },
    acquireConnectionTimeout: connect_timeout_ms,
    log: toKnexLogger(log),
  });
  return { db, close: () => db.destroy() };
}

/** A pool of the role that works inside one organization; see `protect_org_rows` in the migrations for the policies. */
export function openOrgDatabase(options: Omit<DatabaseOptions, 'role' | 'pipeline'>): {
  db: OrgDatabase & OrgSnapshots;
  close(): Promise<void>;
} {
  const { max = MOST_CONNECTIONS } = options;
  const { db, close } = openDatabase({ ...options, max, role: APP_ROLE, pipeline: true });
  return { db: orgDatabase(db, max), close };
}

/**
 * Checks that the pool has the expected permissions.
 *
 * @throws Error if the role was not taken (a pooler in between may drop it), and in production if the login is a
 *   superuser or bypasses row-level security
 */
export async function assertServingRole(
  db: Knex,
  { role = PLATFORM_ROLE, production }: { role?: ServiceRole; production: boolean },
) {
  const { rows } = await db.raw(
    'select current_user as taken, rolname as login, rolsuper or rolbypassrls as mighty from pg_roles where rolname = session_user',
  );
  const { taken, login, mighty } = rows[0];
  if (taken !== role) {
    throw new Error(
      `DATABASE_URL: connections have the role "${taken}" instead of "${role}"; connect without a pooler that drops startup options`,
    );
  }
  if (production && mighty) {
    throw new Error(
      `DATABASE_URL: the login "${login}" is a superuser or bypasses row-level security; use an ordinary login here ` +
        'and give the owner to DATABASE_MIGRATE_URL only',
    );
  }
}

function toKnexLogger(log: Logger): Knex.Logger {
  return {
    debug: (message) => log.debug({ knex: message }, 'database driver'),
    warn: (message) => log.warn({ knex: String(message) }, 'database driver'),
    error: (message) => log.error({ knex: String(message) }, 'database driver'),
    deprecate: (method, alternative) => log.warn({ method, alternative }, 'database driver: deprecated call'),
  };
}

import knex, { type Knex } from 'knex';
import type { Logger } from '../log.ts';
import { APP_ROLE, PLATFORM_ROLE, type ServiceRole } from './roles.ts';

/** The pool, or the transaction that a unit of work runs in. */
export type Db = Knex | Knex.Transaction;
export type { Knex } from 'knex';
export { lockOrg } from './org-lock.ts';

/** The work of one org at a time. There is no way to ask it anything without naming the org. */
export interface OrgDatabase {
  /**
   * Runs one unit of work in a transaction that sees and writes the rows of this org alone, whatever its queries say.
   * Commits when `work` resolves, rolls back when it throws.
   *
   * @param orgId a UUID
   */
  inOrg<T>(orgId: string, work: (trx: Db) => Promise<T>): Promise<T>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ACQUIRE_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

export interface DatabaseOptions {
  url: string;
  /** The role every connection takes right at its start; the one whose work spans orgs unless said otherwise. */
  role?: ServiceRole;
  /** Most connections at once. */
  max?: number;
  /** Sends statements without waiting for the answer to the one before. */
  pipeline?: boolean;
  log: Logger;
}

/**
 * A pool whose connections have taken a role of the service. It connects on first use, and again after the database
 * was away; a connection that does not come within five seconds is an error, not a longer wait.
 */
export function openDatabase({ url, role = PLATFORM_ROLE, max = 10, pipeline = false, log }: DatabaseOptions): {
  db: Knex;
  close(): Promise<void>;
} {
  const connection: Knex.PgConnectionConfig & { pipeline: boolean } = {
    connectionString: url,
    options: `-c role=${role}`,
    application_name: `dpa ${role}`,
    keepAlive: true,
    pipeline,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const db = knex({
    client: 'pg',
    connection,
    pool: { min: 0, max },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    log: quietLog(log),
  });
  return { db, close: () => db.destroy() };
}

/** A pool of the role that works inside one org; see `protect_org_rows` in the migrations for the policies. */
export function openOrgDatabase(options: Omit<DatabaseOptions, 'role'>): {
  db: OrgDatabase;
  close(): Promise<void>;
} {
  const { db, close } = openDatabase({ ...options, role: APP_ROLE, pipeline: true });
  beginInOrg(db);
  return { db: { inOrg: (orgId, work) => db.transaction(work, { org_id: orgId } as OrgConfig) }, close };
}

type OrgConfig = Knex.TransactionConfig & { org_id: string };

interface PipelinedClient {
  connection: { stream: { cork(): void; uncork(): void } };
}

interface OpeningTransaction {
  begin(client: PipelinedClient): Promise<unknown>;
  query(client: PipelinedClient, sql: string): Promise<unknown>;
}

/**
 * Has every transaction name its org with its BEGIN, and sends both along with the first statement. Were they to fail,
 * that statement would meet the policies without an org: it sees nothing and writes nothing.
 */
function beginInOrg(db: Knex): void {
  const { client } = db;
  const open: (work: unknown, config: OrgConfig, outer: unknown) => OpeningTransaction =
    client.transaction.bind(client);
  client.transaction = (work: unknown, config: OrgConfig, outer: unknown) => {
    const transaction = open(work, config, outer);
    transaction.begin = async (pg_client) => {
      if (!UUID.test(config.org_id)) throw new Error('a unit of work of an org was begun without the id of one');
      const { stream } = pg_client.connection;
      stream.cork();
      setImmediate(() => stream.uncork());
      // Not awaited; a failure ends the transaction, and with it the unit of work.
      void transaction.query(pg_client, `BEGIN; SET LOCAL app.org_id = '${config.org_id}'`);
    };
    return transaction;
  };
}

/**
 * Sees that the pool serves with the rights it should have.
 *
 * @throws Error when the role was not taken (a pooler in between may drop it), and in production when the login is a
 * superuser or passes row-level security by
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
      `DATABASE_URL: connections are "${taken}" instead of "${role}"; connect without a pooler that drops startup options`,
    );
  }
  if (production && mighty) {
    throw new Error(
      `DATABASE_URL: the login "${login}" is a superuser or bypasses row-level security; serve with an ordinary login ` +
        'and give the owner to DATABASE_MIGRATE_URL only',
    );
  }
}

function quietLog(log: Logger): Knex.Logger {
  return {
    debug: (message) => log.debug({ knex: message }, 'database driver'),
    warn: (message) => log.warn({ knex: String(message) }, 'database driver'),
    error: (message) => log.error({ knex: String(message) }, 'database driver'),
    deprecate: (method, alternative) => log.warn({ method, alternative }, 'database driver: deprecated call'),
  };
}

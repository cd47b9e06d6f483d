import type { Knex } from 'knex';
import { createOrgLimiter } from './org-limiter.ts';
import type { Db, OrgDatabase, OrgSnapshots } from './types.ts';

const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @param db a pool of the role that works inside one organization, whose connections pipeline statements
 * @param connections maximum number of connections of the pool
 */
export function orgDatabase(db: Knex, connections: number): OrgDatabase & OrgSnapshots {
  beginInOrg(db);
  const runForOrg = createOrgLimiter(connections);
  return {
    inOrg: (orgId, work) => runForOrg(orgId, () => db.transaction(work, { org_id: orgId } as OrgConfig)),
    readInOrg: (orgId, read) => runForOrg(orgId, () => readInOrg(db, orgId, read)),
    snapshotInOrg: (orgId, read) =>
      runForOrg(orgId, () => db.transaction(read, { org_id: orgId, mode: SNAPSHOT } as OrgConfig)),
  };
}

/** The parts of a `pg` connection that are used here. */
interface PgClient {
  connection: { stream: { cork(): void; uncork(): void; destroyed: boolean; writable: boolean } };
  query(text: string): Promise<unknown>;
  query(config: object, callback: (error: Error | null, result: unknown) => void): void;
}

/** Runs statements on the connection in this order; none of them sees a row of another organization. */
function beginStatement(orgId: string, mode = ''): string {
  if (!UUID.test(orgId)) throw new Error('a unit of work of an organization needs the organization id');
  return `BEGIN ${mode}; SET LOCAL app.org_id = '${orgId}'`;
}

type OrgConfig = Knex.TransactionConfig & { org_id: string; mode?: string };

interface OpeningTransaction {
  begin(client: PgClient): Promise<unknown>;
  query(client: PgClient, sql: string): Promise<unknown>;
}

/**
 * Sends BEGIN and the organization of every transaction together with its first statement. If they failed, that
 * statement would run without an organization, so the policies show and allow nothing.
 */
function beginInOrg({ client }: Knex): void {
  const open: (work: unknown, config: OrgConfig, outer: unknown) => OpeningTransaction =
    client.transaction.bind(client);
  client.transaction = (work: unknown, config: OrgConfig, outer: unknown) => {
    const transaction = open(work, config, outer);
    transaction.begin = async (pg_client) => {
      const statement = beginStatement(config.org_id, config.mode);
      const { stream } = pg_client.connection;
      stream.cork();
      setImmediate(() => stream.uncork());
      // Not awaited; a failure ends the transaction, and with it the unit of work.
      void transaction.query(pg_client, statement);
    };
    return transaction;
  };
}

async function readInOrg<T>(db: Knex, orgId: string, read: (db: Db) => Promise<T>): Promise<T> {
  const statement = beginStatement(orgId, 'READ ONLY');
  const pg_client: PgClient = await db.client.acquireConnection();
  const once = createSingleStatement(pg_client, statement);
  try {
    return await read(bindConnection(db, once));
  } finally {
    await once.ended;
    await db.client.releaseConnection(pg_client);
  }
}

/** Acts as a connection and wraps its single statement into a transaction. */
function createSingleStatement(pg_client: PgClient, statement: string) {
  const once = {
    connection: pg_client.connection,
    ended: undefined as Promise<unknown> | undefined,
    query(config: object, callback: (error: Error | null, result: unknown) => void): void {
      if (once.ended !== undefined)
        throw new Error('a read within one organization is a single statement; use inOrg for more');
      const { stream } = pg_client.connection;
      stream.cork();
      const begun = pg_client.query(statement);
      pg_client.query(config, callback);
      // If the statement fails, COMMIT rolls back; if the connection fails, the statement has already reported it.
      once.ended = Promise.allSettled([begun, pg_client.query('COMMIT')]);
      stream.uncork();
    },
  };
  return once;
}

function bindConnection(db: Knex, connection: object): Db {
  const from = (table: string) => db(table).connection(connection);
  const raw = (sql: string, bindings: Knex.RawBinding[] = []) => db.raw(sql, bindings).connection(connection);
  return Object.assign(from, { raw }) as unknown as Db;
}

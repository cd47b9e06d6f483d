import type { Knex } from 'knex';
import { createOrgLimiter } from './org-limiter.ts';
import type { Db, OrgDatabase } from './types.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @param db a pool of the role that works inside one org, whose connections send without waiting for answers
 * @param connections how many it has at most
 */
export function orgDatabase(db: Knex, connections: number): OrgDatabase {
  beginInOrg(db);
  const runForOrg = createOrgLimiter(connections);
  return {
    inOrg: (orgId, work) => runForOrg(orgId, () => db.transaction(work, { org_id: orgId } as OrgConfig)),
    readInOrg: (orgId, read) => runForOrg(orgId, () => readInOrg(db, orgId, read)),
  };
}

/** What of a connection of `pg` is used here. */
interface PgClient {
  connection: { stream: { cork(): void; uncork(): void; destroyed: boolean; writable: boolean } };
  query(text: string): Promise<unknown>;
  query(config: object, callback: (error: Error | null, result: unknown) => void): void;
}

/** Statements on the connection are run in this order, and a row of another org is seen by none of them. */
function beginStatement(orgId: string, mode = ''): string {
  if (!UUID.test(orgId)) throw new Error('a unit of work of an organization needs the organization id');
  return `BEGIN ${mode}; SET LOCAL app.org_id = '${orgId}'`;
}

type OrgConfig = Knex.TransactionConfig & { org_id: string };

interface OpeningTransaction {
  begin(client: PgClient): Promise<unknown>;
  query(client: PgClient, sql: string): Promise<unknown>;
}

/**
 * Has every transaction name its org with its BEGIN, and sends both along with the first statement. Were they to fail,
 * that statement would meet the policies without an org: it sees nothing and writes nothing.
 */
function beginInOrg({ client }: Knex): void {
  const open: (work: unknown, config: OrgConfig, outer: unknown) => OpeningTransaction =
    client.transaction.bind(client);
  client.transaction = (work: unknown, config: OrgConfig, outer: unknown) => {
    const transaction = open(work, config, outer);
    transaction.begin = async (pg_client) => {
      const statement = beginStatement(config.org_id);
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

/** Stands in for a connection, and wraps the one statement that it takes into its transaction. */
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
      // Where the statement fails, COMMIT rolls back; where the connection does, the statement itself has told.
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

import type { Knex } from 'knex';

/** The pool, or the transaction of a unit of work. */
export type Db = Knex | Knex.Transaction;

/**
 * Called by a unit of work with its result, within its transaction and after its rows are written: the response is
 * stored together with the work, or neither is.
 *
 * @throws Conflict if a repeated request has taken over; the transaction must then roll back
 * @see ADR 0026
 */
export type Keep<Result> = (trx: Db, result: Result) => Promise<void>;

/** Runs work inside one organization at a time. Every call names the organization. */
export interface OrgDatabase {
  /**
   * Runs a unit of work in a transaction that can see and write only rows of this organization, whatever its queries
   * say. Commits when `work` resolves, rolls back when it throws.
   *
   * @param orgId a UUID
   */
  inOrg<T>(orgId: string, work: (trx: Db) => Promise<T>): Promise<T>;
  /**
   * The same for a read with a single statement, which is the most common case: the transaction is opened and ended in
   * the round trip of the statement. A second statement throws, and so does a write.
   */
  readInOrg<T>(orgId: string, read: (db: Db) => Promise<T>): Promise<T>;
}

/** Reads inside one organization that need more than one statement. */
export interface OrgSnapshots {
  /** A read of any length that sees one state of the database (REPEATABLE READ). Writes throw. */
  snapshotInOrg<T>(orgId: string, read: (trx: Db) => Promise<T>): Promise<T>;
}

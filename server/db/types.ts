import type { Knex } from 'knex';

/** The pool, or the transaction that a unit of work runs in. */
export type Db = Knex | Knex.Transaction;

/**
 * Called by a unit of work with its result, within its transaction and once its rows are written: the answer to the request is
 * kept together with what the request did, or neither is.
 *
 * @throws Conflict when a repetition of the request has taken over; the transaction must then roll back
 * @see ADR 0026
 */
export type Keep<Result> = (trx: Db, result: Result) => Promise<void>;

/** The work of one org at a time. There is no way to ask it anything without naming the org. */
export interface OrgDatabase {
  /**
   * Runs one unit of work in a transaction that sees and writes the rows of this org alone, whatever its queries say.
   * Commits when `work` resolves, rolls back when it throws.
   *
   * @param orgId a UUID
   */
  inOrg<T>(orgId: string, work: (trx: Db) => Promise<T>): Promise<T>;
  /**
   * The same for a read of one statement, which is most of them: its transaction is opened and ended in the one round
   * trip that carries it. A second statement throws, and so does a write.
   */
  readInOrg<T>(orgId: string, read: (db: Db) => Promise<T>): Promise<T>;
}

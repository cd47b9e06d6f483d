import knex from 'knex';
import { connectFailure, type DriverConnection, statementFailure } from './outage.ts';

/** Knex exports its PostgreSQL class only through an instance. */
const Postgres = knex({ client: 'pg' }).client.constructor as typeof knex.Client;

/**
 * Knex for PostgreSQL that turns every outage into one error: `Unavailable`, or `StorageUnavailable` for a full disk,
 * with the cause and its code. All other server errors are thrown unchanged.
 */
export class DatabaseClient extends Postgres {
  override async acquireConnection(): Promise<unknown> {
    try {
      return await super.acquireConnection();
    } catch (error) {
      throw connectFailure(error);
    }
  }

  override async query(connection: DriverConnection, statement: unknown): Promise<unknown> {
    try {
      return await super.query(connection, statement);
    } catch (error) {
      throw statementFailure(error, connection);
    }
  }
}

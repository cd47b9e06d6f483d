import knex from 'knex';
import { connectFailure, type DriverConnection, statementFailure } from './outage.ts';

/** Knex makes its class for PostgreSQL known by an instance alone. */
const Postgres = knex({ client: 'pg' }).client.constructor as typeof knex.Client;

/**
 * Knex for PostgreSQL, where an outage is one error from the start: `Unavailable`, or `StorageUnavailable` for a full
 * disk, with the cause and its code. Any other error of the server is thrown as it is.
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

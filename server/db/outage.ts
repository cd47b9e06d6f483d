import { DatabaseError } from 'pg';
import { errorCode } from '../lib/error-code.ts';
import { type ServiceError, StorageUnavailable, Unavailable } from '../lib/errors.ts';

/** A full disk, and a failing disk. */
const NO_STORAGE = new Set(['53100', '58030']);
/**
 * Connection lost (08); out of memory or connections (53); stopped, crashed, starting or recovering (57P01 to 57P03);
 * disconnected after being idle (57P05, 25P03); a read-only standby, as after a failover (25006).
 */
const OUT_OF_SERVICE = /^(08...|53...|57P0[1235]|25006|25P03)$/;
const READ_ONLY = '25006';

/** The parts of a `pg` connection that are used here. */
export interface DriverConnection {
  connection?: { stream: { destroyed: boolean; writable: boolean } };
  /** Knex discards a connection that has this property. */
  __knex__disposed?: unknown;
}

/**
 * Translates an error while connecting. Everything that is not an error of the server means that it did not respond: a
 * refused or timed out connection, or an exhausted pool.
 */
export function connectFailure(error: unknown): unknown {
  if (error instanceof DatabaseError) return serverFailure(error) ?? error;
  return outOfReach(error, 'NO_CONNECTION');
}

/** Translates an error of a statement: an outage if the server says so, or if its connection is lost. */
export function statementFailure(error: unknown, client: DriverConnection): unknown {
  if (error instanceof DatabaseError) {
    // A connection to a server that became a standby stays there; a new one may reach the new primary.
    if (error.code === READ_ONLY) client.__knex__disposed ??= error;
    return serverFailure(error) ?? error;
  }
  return isGone(client) ? outOfReach(error, 'CONNECTION_LOST') : error;
}

function serverFailure(error: DatabaseError): ServiceError | undefined {
  const { code = '' } = error;
  if (NO_STORAGE.has(code)) {
    return new StorageUnavailable('the database disk is full or failing; try again later', {
      cause: error,
      code,
    });
  }
  return OUT_OF_SERVICE.test(code) ? outOfReach(error, code) : undefined;
}

function outOfReach(cause: unknown, otherwise: string): Unavailable {
  const code = errorCode(cause) ?? otherwise;
  return new Unavailable('the database is not available; try again', { cause, code });
}

function isGone({ connection }: DriverConnection): boolean {
  return connection !== undefined && (connection.stream.destroyed || !connection.stream.writable);
}

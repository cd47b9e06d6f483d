import { DatabaseError } from 'pg';
import { errorCode } from '../lib/error-code.ts';
import { type ServiceError, StorageUnavailable, Unavailable } from '../lib/errors.ts';

/** Disk full, and a disk that fails. */
const NO_STORAGE = new Set(['53100', '58030']);
/**
 * Connection lost (08); out of memory or connections (53); stopped, crashed, starting or recovering (57P01 to 57P03), cut
 * for having been idle (57P05, 25P03); a standby that only reads, as after a failover (25006).
 */
const OUT_OF_SERVICE = /^(08...|53...|57P0[1235]|25006|25P03)$/;
const READ_ONLY = '25006';

/** What of a connection of `pg` is looked at. */
export interface DriverConnection {
  connection?: { stream: { destroyed: boolean; writable: boolean } };
  /** Knex does not hand out a connection again that carries it. */
  __knex__disposed?: unknown;
}

/**
 * What was thrown instead of a connection. Whatever is not an answer of the server means that there was none: a refused
 * or timed out connection, a pool that had none left.
 */
export function connectFailure(error: unknown): unknown {
  if (error instanceof DatabaseError) return serverFailure(error) ?? error;
  return outOfReach(error, 'NO_CONNECTION');
}

/** What was thrown by a statement: an outage where the server says so, or where its connection is gone. */
export function statementFailure(error: unknown, client: DriverConnection): unknown {
  if (error instanceof DatabaseError) {
    // A connection to a server that became a standby stays there; the next one may find the new primary.
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

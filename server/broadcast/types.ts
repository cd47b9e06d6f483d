import type { Knex } from '../db/index.ts';
import type { AuthzChange, AuthzListener } from '../lib/authz-bus.ts';
import type { Logger } from '../log.ts';

export interface BroadcastOptions {
  database_url: string;
  platform_db: Knex;
  redis_url: string | null;
  /** Receives messages of other processes, and `everything` when messages may have been missed. */
  receive: AuthzListener;
  log: Logger;
}

/** Sends changes to other processes. Messages can be lost, so listeners must not cache for long. */
export interface Broadcast {
  /** Returns immediately and never throws; a failure is logged. */
  publish(change: AuthzChange): void;
  close(): Promise<void>;
}

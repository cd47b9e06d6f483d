import type { Knex } from '../db/index.ts';
import type { AuthzChange, AuthzListener } from '../lib/authz-bus.ts';
import type { Logger } from '../log.ts';

export interface BroadcastOptions {
  database_url: string;
  platform_db: Knex;
  redis_url: string | null;
  /** Hears what other processes told, and `everything` whenever messages may have been missed. */
  receive: AuthzListener;
  log: Logger;
}

/** Carries changes between processes. Messages may be lost: whoever listens must not remember for long. */
export interface Broadcast {
  /** Returns at once and never throws; a failure is logged. */
  publish(change: AuthzChange): void;
  close(): Promise<void>;
}

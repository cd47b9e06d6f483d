import type { Knex } from '../db/index.ts';
import type { AuthzChange, AuthzListener } from '../lib/authz-bus.ts';
import type { Logger } from '../log.ts';
import { overPostgres } from './postgres.ts';
import { overRedis } from './redis.ts';

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
  tell(change: AuthzChange): void;
  close(): Promise<void>;
}

/** Over Redis when the deployment has one, else over LISTEN and NOTIFY of PostgreSQL. */
export function openBroadcast(options: BroadcastOptions): Broadcast {
  const { redis_url } = options;
  return redis_url === null ? overPostgres(options) : overRedis({ ...options, redis_url });
}

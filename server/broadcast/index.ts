import { overPostgres } from './postgres.ts';
import { overRedis } from './redis.ts';
import type { Broadcast, BroadcastOptions } from './types.ts';

export type { Broadcast } from './types.ts';

/** Over Redis when the deployment has one, else over LISTEN and NOTIFY of PostgreSQL. */
export function openBroadcast(options: BroadcastOptions): Broadcast {
  const { redis_url } = options;
  return redis_url === null ? overPostgres(options) : overRedis({ ...options, redis_url });
}

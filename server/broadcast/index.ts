import { openPostgresBroadcast } from './postgres.ts';
import { openRedisBroadcast } from './redis.ts';
import type { Broadcast, BroadcastOptions } from './types.ts';

export type { Broadcast } from './types.ts';

/** Uses Redis if the deployment has one, otherwise LISTEN and NOTIFY of PostgreSQL. */
export function openBroadcast(options: BroadcastOptions): Broadcast {
  const { redis_url } = options;
  return redis_url === null ? openPostgresBroadcast(options) : openRedisBroadcast({ ...options, redis_url });
}

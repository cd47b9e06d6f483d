import { Redis } from 'ioredis';
import { CHANNEL, fromMessage, toMessage } from './message.ts';
import type { Broadcast, BroadcastOptions } from './types.ts';

type RedisOptions = Pick<BroadcastOptions, 'receive' | 'log'> & { redis_url: string };

/** @see Redis, Pub/Sub: at most once; a disconnected subscriber misses messages */
export function openRedisBroadcast({ redis_url, receive, log }: RedisOptions): Broadcast {
  const publisher = new Redis(redis_url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  const subscriber = new Redis(redis_url, { autoResubscribe: false, maxRetriesPerRequest: null });
  for (const client of [publisher, subscriber])
    client.on('error', (err) => log.warn({ err }, 'Redis is not available'));

  subscriber.on('message', (_channel, text: string) => receive(fromMessage(text)));
  subscriber.on('ready', () => {
    subscriber.subscribe(CHANNEL).then(
      () => receive('everything'),
      (err: unknown) =>
        log.warn({ err }, 'changes of other processes are not received; cached entries expire within 30 s'),
    );
  });

  return {
    publish(change) {
      publisher.publish(CHANNEL, toMessage(change)).then(
        () => {},
        (err: unknown) => log.warn({ err }, 'change not broadcast; other processes pick it up within 30 s'),
      );
    },
    async close() {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}

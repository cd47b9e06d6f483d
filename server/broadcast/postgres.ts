import { PLATFORM_ROLE } from '../db/roles.ts';
import { keepSession } from '../db/session.ts';
import { CHANNEL, fromMessage, toMessage } from './message.ts';
import type { Broadcast, BroadcastOptions } from './types.ts';

/** @see PostgreSQL, NOTIFY: a message reaches only sessions that listen when it is sent */
export function openPostgresBroadcast({ database_url, platform_db, receive, log }: BroadcastOptions): Broadcast {
  const session = keepSession({
    url: database_url,
    name: 'dpa broadcast',
    role: PLATFORM_ROLE,
    log,
    async prepare(client) {
      client.on('notification', ({ payload = '' }) => receive(fromMessage(payload)));
      await client.query(`listen ${CHANNEL}`);
      receive('everything'); // messages may have been missed while the connection was lost
    },
  });

  return {
    publish(change) {
      platform_db.raw('select pg_notify(?, ?)', [CHANNEL, toMessage(change)]).then(
        () => {},
        (err: unknown) => log.warn({ err }, 'change not broadcast; other processes pick it up within 30 s'),
      );
    },
    close: session.close,
  };
}

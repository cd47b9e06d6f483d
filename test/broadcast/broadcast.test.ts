import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type Broadcast, openBroadcast } from '../../server/broadcast/index.ts';
import { fromMessage } from '../../server/broadcast/message.ts';
import { hasRedis, startRedis, type TestRedis } from '../fakes/redis.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';

const log = pino({ level: 'silent' });

const KINDS = hasRedis() ? (['postgres', 'redis'] as const) : (['postgres'] as const);

describe.each(KINDS)('a broadcast over %s', (kind) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  const open: Broadcast[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
    if (kind === 'redis') redis = await startRedis();
  });
  afterEach(async () => {
    for (const broadcast of open.splice(0)) await broadcast.close();
  });
  afterAll(async () => {
    await redis?.close();
    await database.close();
  });

  async function listen(): Promise<{ broadcast: Broadcast; heard: unknown[] }> {
    const heard: unknown[] = [];
    const { url: database_url, platform_db } = database;
    const receive = (change: unknown) => void heard.push(change);
    const broadcast = openBroadcast({ database_url, platform_db, redis_url: redis?.url ?? null, receive, log });
    open.push(broadcast);
    await until(() => heard.includes('everything'));
    heard.length = 0;
    return { broadcast, heard };
  }

  test('a broadcast reaches the other processes', async () => {
    const [publisher, listener] = [await listen(), await listen()];

    publisher.broadcast.publish({ what: 'user', id: 'u1' });
    publisher.broadcast.publish({ what: 'allowlist' });

    await until(() => listener.heard.length === 2);
    expect(listener.heard).toEqual(expect.arrayContaining([{ what: 'user', id: 'u1' }, { what: 'allowlist' }]));
  });

  test('a disconnected listener drops its whole cache when it reconnects', async () => {
    const { heard } = await listen();

    if (redis === undefined) await database.cutConnections();
    else await redis.crash();

    await until(() => heard.includes('everything'));
  });
});

test.each(['', '{', 'null', '{"what":"moon"}', '{"what":"user"}', '{"what":"user","id":7}'])(
  'an unknown message (%j) invalidates everything',
  (text) => {
    expect(fromMessage(text)).toBe('everything');
  },
);

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (condition()) return;
    await wait(10);
  }
  throw new Error('did not happen within ten seconds');
}

import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../log.ts';
import { APP_ROLE, type ServiceRole } from './roles.ts';

const RETRY_MS = 500;
const CONNECT_TIMEOUT_MS = 5_000;

export interface SessionOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  role?: ServiceRole;
  log: Logger;
  /** Runs on every new connection; if it throws, the connection is closed and another one is tried. */
  prepare(client: Client): Promise<void>;
}

/**
 * One long-lived connection for what a pool cannot do: LISTEN and advisory locks. After an outage it reconnects as soon
 * as possible.
 *
 * @returns `isUp`: prepared, and not lost since
 */
export function keepSession({ url, name, role = APP_ROLE, log, prepare }: SessionOptions): {
  isUp(): boolean;
  close(): Promise<void>;
} {
  const closing = new AbortController();
  let current: Client | undefined;
  const running = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await hold();
      } catch (error) {
        log.warn({ err: error, session: name }, 'database session lost; connecting again');
      }
      await wait(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  /** Resolves when the connection ends. */
  async function hold(): Promise<void> {
    const client = new Client({
      connectionString: url,
      options: `-c role=${role}`,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve);
      client.on('error', () => resolve());
      closing.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await client.connect();
      await prepare(client);
      if (!closing.signal.aborted) current = client;
      await ended;
    } finally {
      current = undefined;
      await client.end().catch(() => {});
    }
  }

  return {
    isUp: () => current !== undefined,
    async close() {
      closing.abort();
      await running;
    },
  };
}

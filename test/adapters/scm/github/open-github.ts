import type { GuardedFetch } from '../../../../server/adapters/egress/index.ts';
import { createGithub } from '../../../../server/adapters/scm/github/index.ts';
import { createPace } from '../../../../server/adapters/scm/pace.ts';
import { createLogger } from '../../../../server/log.ts';
import type { GithubServer } from '../../../fakes/github-server.ts';

const plain: GuardedFetch = (url, request) => fetch(url, { ...request, redirect: 'manual' });

/** The bot's GitHub client for this server. A wait moves the clock instead, and adds its length to `waits`. */
export function openGithub(server: GithubServer, send: GuardedFetch = plain) {
  const waits: number[] = [];
  let clock = 0;
  const sleep = async (ms: number) => {
    waits.push(ms);
    clock += ms;
  };
  const github = createGithub({
    app: server.app,
    fetch: send,
    now: () => new Date(),
    log: createLogger({ log_level: 'silent' }),
    newPace: () => createPace({ clock_ms: () => clock, sleep, random: () => 0.5, longest_wait_ms: 60_000 }),
  });
  return { github, waits };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

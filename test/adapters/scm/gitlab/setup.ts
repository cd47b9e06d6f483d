import { pino } from 'pino';
import type { GuardedFetch } from '../../../../server/adapters/egress/index.ts';
import { createGitlab } from '../../../../server/adapters/scm/gitlab/index.ts';
import { createPace } from '../../../../server/adapters/scm/pace.ts';
import { PlatformError } from '../../../../server/adapters/scm/types.ts';
import { startGitlabServer } from '../../../fakes/gitlab-server.ts';

/** A project `group/sub/infra` with a developer, the bot's own user and token, and one open merge request. */
export async function setUp() {
  const server = await startGitlabServer();
  const [bot, dev] = [server.addUser('dpa-bot'), server.addUser('dev')];
  const project = server.addProject('group/sub/infra', {
    members: [
      [bot, 30],
      [dev, 30],
    ],
  });
  const token = server.addToken(bot);
  const merge_request = server.openMergeRequest(project, { author: dev });
  const slept: number[] = [];
  const log = pino({ level: 'silent' });
  const gitlab = createGitlab({ fetch: loopbackFetch, now: () => new Date(), log, newPace: () => fastPace(slept) });
  const access = { id: 'a configuration', provider_base_url: server.url, api_token: token.value, api_user_id: null };
  const platform = gitlab.open(access);
  const pr = { repo: project.path, pr_number: merge_request.iid };
  return { server, gitlab, access, bot, dev, project, token, merge_request, platform, pr, slept };
}

export type Setup = Awaited<ReturnType<typeof setUp>>;

/** Follows no redirects, like the guarded fetch. */
export const loopbackFetch: GuardedFetch = (url, init) => fetch(url, { ...init, redirect: 'manual' });

/** A pace with a clock that moves by the time it sleeps. */
function fastPace(slept: number[]) {
  let now = 0;
  return createPace({
    clock_ms: () => now,
    sleep: async (ms) => {
      now += ms;
      slept.push(ms);
    },
    random: () => 0.5,
    longest_wait_ms: 60_000,
  });
}

/** The current head of the merge request. */
export function getHeadSha({ merge_request }: Pick<Setup, 'merge_request'>): string {
  return merge_request.versions.at(-1)?.head_sha ?? '';
}

export async function catchPlatformError(promise: Promise<unknown>): Promise<PlatformError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

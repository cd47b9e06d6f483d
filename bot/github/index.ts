import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ProbotOctokit } from 'probot';
import type { GuardedFetch } from '../../server/adapters/egress/index.ts';
import type { Logger } from '../../server/log.ts';
import { createPace, type Pace } from '../pace.ts';
import { type Platform, PlatformError } from '../types.ts';
import { checkRuns, commitStatuses } from './checks.ts';
import { type AppIdentity, openApp, openToken } from './client.ts';
import { contents } from './contents.ts';
import { discussion, type Me } from './discussion.ts';
import { createReadEvents } from './events.ts';
import { trustedFetch } from './fetch.ts';
import { createHost, type Host } from './host.ts';
import { people } from './people.ts';
import { pulls } from './pulls.ts';
import { runs } from './runs.ts';

/** By what a source may ask: as an installation of the App, or with a personal access token of a customer. */
export type GithubAccess = { installation_id: number } | { provider_base_url: string; api_token: string };

export interface GithubDeps {
  /** null: this deployment has no App. */
  app: AppIdentity | null;
  /** For hosts that customers name. */
  fetch: GuardedFetch;
  now: () => Date;
  log: Logger;
  newPace?: () => Pace;
}

const MOST_PLATFORMS = 1_000;

/** GitHub as a bot needs it. Its client is loaded with first use, and kept for each source, with its token and its pace. */
export function createGithub({ app, fetch, now, log, newPace = createPace }: GithubDeps) {
  const platforms = new LRUCache<string, Platform>({ max: MOST_PLATFORMS });
  let opening: ReturnType<typeof openApp> | undefined;

  function open(access: GithubAccess): Platform {
    const key = keyOf(access);
    const known = platforms.get(key);
    if (known !== undefined) return known;
    const platform = 'installation_id' in access ? ofInstallation(access.installation_id) : ofToken(access);
    platforms.set(key, platform);
    return platform;
  }

  function ofInstallation(installation_id: number): Platform {
    if (app === null) throw new PlatformError('forbidden', 'this deployment has no GitHub App');
    const octokit = async () => {
      opening ??= openApp(app, trustedFetch, log);
      return (await opening).installation(installation_id);
    };
    const renew = (client: ProbotOctokit) => client.auth({ type: 'installation', refresh: true });
    const pace = newPace();
    const host = createHost({ octokit: once(octokit), renew, pace, now });
    const { app_id, slug } = app;
    return {
      ...common(host, pace, trustedFetch, async () => ({ app_id, slug })),
      ...checkRuns(host, app_id),
    };
  }

  function ofToken({ provider_base_url, api_token }: Extract<GithubAccess, { api_token: string }>): Platform {
    const pace = newPace();
    const octokit = once(() => openToken(provider_base_url, api_token, fetch, log));
    const host = createHost({ octokit, renew: null, pace, now });
    const whoAmI = once(async () => {
      const { id } = await host.ask('read', 'tell whose token it is', ({ rest }) => rest.users.getAuthenticated());
      return { user_id: id };
    });
    return { ...common(host, pace, fetch, whoAmI), ...commitStatuses(host) };
  }

  function common(host: Host, pace: Pace, send: GuardedFetch, whoAmI: () => Promise<Me>) {
    return {
      dialect: 'github' as const,
      ...pulls(host),
      ...runs(host),
      ...contents({ host, send, pace, now }),
      ...discussion(host, whoAmI),
      ...people(host),
    };
  }

  return { open, events: createReadEvents({ app, log }) };
}

/** A token is worth as much as a password: what is remembered by it does not show it. */
function keyOf(access: GithubAccess): string {
  if ('installation_id' in access) return `installation ${access.installation_id}`;
  return createHash('sha256').update(`${access.provider_base_url} ${access.api_token}`).digest('hex');
}

/** What was loaded stays; a failure is tried again. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

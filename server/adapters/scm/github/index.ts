import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ProbotOctokit } from 'probot';
import { lazy } from '../../../lib/lazy.ts';
import type { Logger } from '../../../log.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import { createPace, type Pace } from '../pace.ts';
import { type Platform, PlatformError } from '../types.ts';
import { createCheckRuns, createCommitStatuses } from './checks.ts';
import { type AppIdentity, openApp, openTokenClient } from './client.ts';
import { createContents } from './contents.ts';
import { type BotIdentity, createDiscussion } from './discussion.ts';
import { createReadEvents } from './events.ts';
import { trustedFetch } from './fetch.ts';
import { createHost, type Host } from './host.ts';
import { createPeople } from './people.ts';
import { createPulls } from './pulls.ts';
import { createRuns } from './runs.ts';

/** The credential of a source: an installation of the App, or a personal access token. */
export type GithubAccess = { installation_id: number } | { provider_base_url: string; api_token: string };

export interface GithubDeps {
  /** null if the deployment has no App. */
  app: AppIdentity | null;
  /** For addresses that users have entered. */
  fetch: GuardedFetch;
  now: () => Date;
  log: Logger;
  newPace?: () => Pace;
}

const MOST_PLATFORMS = 1_000;

/** Creates platforms for GitHub. The client is loaded on first use and cached per source, with its token and rate limit. */
export function createGithub({ app, fetch, now, log, newPace = createPace }: GithubDeps) {
  const platforms = new LRUCache<string, Platform>({ max: MOST_PLATFORMS });
  const loadApp = app && lazy(() => openApp(app, trustedFetch, log));

  function open(access: GithubAccess): Platform {
    const key = toCacheKey(access);
    const known = platforms.get(key);
    if (known !== undefined) return known;
    const platform = 'installation_id' in access ? openInstallation(access.installation_id) : openWithToken(access);
    platforms.set(key, platform);
    return platform;
  }

  function openInstallation(installation_id: number): Platform {
    if (app === null || loadApp === null) throw new PlatformError('forbidden', 'this deployment has no GitHub App');
    const octokit = lazy(async () => (await loadApp()).auth(installation_id));
    const renew = (client: ProbotOctokit) => client.auth({ type: 'installation', refresh: true });
    const pace = newPace();
    const host = createHost({ octokit, renew, pace, now });
    const { app_id, slug } = app;
    return {
      ...createCommonParts(host, pace, trustedFetch, async () => ({ app_id, slug })),
      ...createCheckRuns(host, app_id),
    };
  }

  function openWithToken({ provider_base_url, api_token }: Extract<GithubAccess, { api_token: string }>): Platform {
    const pace = newPace();
    const octokit = lazy(() => openTokenClient(provider_base_url, api_token, fetch, log));
    const host = createHost({ octokit, renew: null, pace, now });
    const whoAmI = lazy(async () => {
      const { id } = await host.ask('read', 'read the user of the token', ({ rest }) => rest.users.getAuthenticated());
      return { user_id: id };
    });
    return { ...createCommonParts(host, pace, fetch, whoAmI), ...createCommitStatuses(host) };
  }

  function createCommonParts(host: Host, pace: Pace, send: GuardedFetch, whoAmI: () => Promise<BotIdentity>) {
    return {
      dialect: 'github' as const,
      ...createPulls(host),
      ...createRuns(host),
      ...createContents({ host, send, pace, now }),
      ...createDiscussion(host, whoAmI),
      ...createPeople(host),
    };
  }

  return { open, events: createReadEvents({ app, log }) };
}

/** Hashes the token, so that the cache key does not reveal it. */
function toCacheKey(access: GithubAccess): string {
  if ('installation_id' in access) return `installation ${access.installation_id}`;
  return createHash('sha256').update(`${access.provider_base_url} ${access.api_token}`).digest('hex');
}

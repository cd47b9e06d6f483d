import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { lazy } from '../../../lib/lazy.ts';
import type { Logger } from '../../../log.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import { createPace, type Pace } from '../pace.ts';
import type { Platform } from '../types.ts';
import { loadApi } from './api.ts';
import { createChecks } from './checks.ts';
import { createComments } from './comments.ts';
import { readEvents } from './events.ts';
import { createHttpClient, type HttpClientDeps } from './http-client.ts';
import { createMergeRequests } from './merge-requests.ts';
import { createPeople } from './people.ts';
import { createRuns } from './runs.ts';
import { read, User } from './shapes.ts';

/** Number of cached platforms; each keeps its rate limit. */
const MAX_OPEN = 1_000;

export interface GitlabAccess {
  /** ID of the webhook configuration. */
  id: string;
  /** An https address, optionally with a path. */
  provider_base_url: string;
  api_token: string;
  /** The user of the token; null = ask GitLab. */
  api_user_id: string | null;
}

export interface GitlabDeps {
  /** Checks each address and follows no redirect. */
  fetch: GuardedFetch;
  now: () => Date;
  log: Logger;
  newPace?: () => Pace;
}

/** Creates platforms for GitLab.com and self-hosted GitLab: REST API v4. */
export function createGitlab({ newPace = createPace, ...deps }: GitlabDeps) {
  const platforms = new LRUCache<string, Platform>({ max: MAX_OPEN });

  /** Returns the same platform for equal access, so that all requests share one rate limit. */
  function open(access: GitlabAccess): Platform {
    const { id, provider_base_url, api_token, api_user_id } = access;
    const key = hash('sha256', JSON.stringify([id, provider_base_url, api_token, api_user_id]));
    const platform = platforms.get(key) ?? connect(access, { ...deps, pace: newPace() });
    platforms.set(key, platform);
    return platform;
  }

  return { open, events: readEvents };
}

function connect(
  { provider_base_url, api_token, api_user_id }: GitlabAccess,
  deps: Omit<HttpClientDeps, 'provider_base_url' | 'api_token'>,
): Platform {
  const client = createHttpClient({ ...deps, provider_base_url, api_token });
  const api = lazy(() => loadApi(client));
  const ownId = lazy(async () => api_user_id ?? String(read(User, await (await api()).users.showCurrentUser()).id));
  const mergeRequests = createMergeRequests(api);
  const { findPullRequest, getPullRequest } = mergeRequests;
  return {
    dialect: 'gitlab',
    findPullRequest,
    getPullRequest,
    ...createRuns(api, client, mergeRequests),
    ...createComments(api, ownId),
    ...createChecks(api, mergeRequests),
    ...createPeople(api, ownId, mergeRequests),
  };
}

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../log.ts';
import type { GuardedFetch } from '../egress/index.ts';
import { createPace, type Pace } from './pace.ts';

/** A repository with its token. */
export interface RepositoryAccess {
  provider: 'github' | 'gitlab';
  provider_base_url: string;
  /** `owner/name` or `group/subgroup/project`. */
  repo_path: string;
  api_token: string;
}

export interface RepositoryDeps {
  /** Checks each address and follows no redirect. */
  fetch: GuardedFetch;
  pace: Pace;
  now: () => Date;
  log: Logger;
}

export interface PerRepositoryDeps extends Omit<RepositoryDeps, 'pace'> {
  newPace?: () => Pace;
}

type OpenAtHost<Client> = (access: RepositoryAccess, deps: RepositoryDeps) => Client;

/** Number of cached clients; each keeps its rate limit. */
const MOST_CLIENTS = 1_000;

/** Opens clients of repositories. Equal access returns the same client, so that all requests share one rate limit. */
export function openPerRepository<Client extends object>(
  open: Record<RepositoryAccess['provider'], OpenAtHost<Client>>,
  { newPace = createPace, ...deps }: PerRepositoryDeps,
): (access: RepositoryAccess) => Client {
  const clients = new LRUCache<string, Client>({ max: MOST_CLIENTS });

  return (access) => {
    const { provider, provider_base_url, repo_path, api_token } = access;
    // Hashed, so that the key does not reveal the token.
    const key = hash('sha256', JSON.stringify([provider, provider_base_url, repo_path, api_token]));
    const client = clients.get(key) ?? open[provider](access, { ...deps, pace: newPace() });
    clients.set(key, client);
    return client;
  };
}

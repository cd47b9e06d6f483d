import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type AccessToken, createTokenCache, type TokenCache } from '../cloud/rest/access-token.ts';
import { untilAborted } from '../cloud/rest/until-aborted.ts';
import type { Transfer } from './transfer.ts';
import type { StateAccess } from './types.ts';

const MAX_TOKENS = 1_000;

export type OpenToken = (access: StateAccess, signal: AbortSignal) => Promise<AccessToken>;

/** Sends a request with the token of a cloud account. @throws StateBackendError */
export type BearerGet = (
  transfer: Transfer,
  access: StateAccess,
  request: { url: string; headers: Record<string, string> },
) => Promise<Response>;

/**
 * Keeps one token per credential until it expires, because a glob reads hundreds of states with the same one. A request
 * that is rejected with status 401 is sent once more with a new token.
 *
 * @param timeout_ms for issuing a token, which several callers can wait for
 */
export function createBearerGet(open: OpenToken, now: () => Date, timeout_ms = 20_000): BearerGet {
  const caches = new LRUCache<string, TokenCache>({ max: MAX_TOKENS });

  function getCache(access: StateAccess): TokenCache {
    const name = createHash('sha256').update(JSON.stringify(access)).digest('base64');
    const cache = caches.get(name) ?? createTokenCache(() => open(access, AbortSignal.timeout(timeout_ms)), now);
    caches.set(name, cache);
    return cache;
  }

  return async (transfer, access, { url, headers }) => {
    const cache = getCache(access);
    const send = (token: string) => transfer.get(url, { ...headers, authorization: `Bearer ${token}` });
    const token = await getToken(cache, transfer);
    const response = await send(token);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    cache.forget(token);
    return send(await getToken(cache, transfer));
  };
}

async function getToken(cache: TokenCache, { signal, toFailure }: Transfer): Promise<string> {
  try {
    return await untilAborted(cache.get(), signal);
  } catch (error) {
    throw toFailure(error);
  }
}

import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ServiceError, Unavailable } from '../../lib/errors.ts';

/** Keys are used for this long after they were fetched, even if the provider becomes unreachable. */
const MAX_AGE_MS = 600_000;
/** An unknown key id triggers at most one fetch in this time, however many tokens contain one. */
const COOLDOWN_MS = 30_000;
/** Without any keys the fetch is retried sooner, because no sign-in succeeds until then. */
const RETRY_MS = 1_000;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/**
 * Finds the provider's key for the header of a token. An unknown key id triggers one more fetch.
 *
 * @param fetchKeys fetches the provider's JWKS document
 * @param now milliseconds since the epoch
 * @returns a function that throws JWKSNoMatchingKey if the provider does not have the key, and Unavailable if that is
 *   not known
 */
export function createRemoteKeys(fetchKeys: () => Promise<unknown>, now: () => number): JWTVerifyGetKey {
  let known: { keys: KeySet; fetched_at: number } | undefined;
  let tried_at = Number.NEGATIVE_INFINITY;
  let failure: Unavailable | undefined;
  let pending: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    pending ??= fetchAndKeep().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  async function fetchAndKeep(): Promise<void> {
    tried_at = now();
    try {
      known = { keys: keySet(await fetchKeys()), fetched_at: now() };
      failure = undefined;
    } catch (error) {
      failure = asUnavailable(error);
      throw failure;
    }
  }

  const isFresh = () => known !== undefined && now() - known.fetched_at < MAX_AGE_MS;

  async function freshKeys(): Promise<KeySet> {
    if (!isFresh()) {
      if (pending === undefined && failure !== undefined && now() - tried_at < RETRY_MS) throw failure;
      await refresh();
    }
    return known!.keys;
  }

  return async function findKey(header, token) {
    const keys = await freshKeys();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (pending === undefined && now() - tried_at < COOLDOWN_MS) throw failure ?? error;
    }
    await refresh();
    return known!.keys(header, token);
  };
}

function keySet(document: unknown): KeySet {
  try {
    return createLocalJWKSet(document as JSONWebKeySet);
  } catch (error) {
    throw new Unavailable('the keys of the identity provider are not a valid JWK set', { cause: error });
  }
}

function asUnavailable(error: unknown): Unavailable {
  if (error instanceof ServiceError && error.status === 503) return error;
  return new Unavailable('the keys of the identity provider cannot be fetched', { cause: error });
}

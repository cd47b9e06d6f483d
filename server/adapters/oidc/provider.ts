import { createHash } from 'node:crypto';
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { Unauthenticated, Unavailable } from '../../lib/errors.ts';
import type { ProfileClaims } from './claims.ts';
import type { OidcSettings, VerifyToken } from './types.ts';
import { createVerifier } from './verifier.ts';

const FETCH_TIMEOUT_MS = 5_000;
const JWKS_MAX_AGE_MS = 600_000;
const JWKS_COOLDOWN_MS = 30_000;
const USERINFO_TTL_MS = 300_000;

interface Discovery {
  issuer: string;
  jwks_uri: string;
  userinfo_endpoint?: string;
}

/** A verifier for a real identity provider; its documents are fetched at the first login, not at start. */
export function createProviderVerifier(settings: OidcSettings): VerifyToken {
  const discover = onceUntilFailure(() => fetchDiscovery(settings));
  const jwks = onceUntilFailure(async () => {
    const jwks_uri = settings.jwks_uri ?? (await discover()).jwks_uri;
    return createRemoteJWKSet(new URL(jwks_uri), {
      cacheMaxAge: JWKS_MAX_AGE_MS,
      cooldownDuration: JWKS_COOLDOWN_MS,
      timeoutDuration: FETCH_TIMEOUT_MS,
    });
  });
  const keys: JWTVerifyGetKey = async (header, token) => (await jwks())(header, token);
  return createVerifier({ settings, keys, userinfo: cachedUserinfo(discover) });
}

async function fetchDiscovery(settings: OidcSettings): Promise<Discovery> {
  const url = `${settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = (await fetchJson(url)) as Partial<Discovery>;
  if (document.issuer !== settings.issuer || typeof document.jwks_uri !== 'string') {
    throw new Unavailable('the identity provider describes itself with another issuer or without keys');
  }
  return document as Discovery;
}

function cachedUserinfo(discover: () => Promise<Discovery>): (token: string) => Promise<ProfileClaims> {
  const cache = new LRUCache<string, ProfileClaims>({ max: 1_000, ttl: USERINFO_TTL_MS });
  return async function userinfo(token) {
    const key = createHash('sha256').update(token).digest('base64');
    const known = cache.get(key);
    if (known !== undefined) return known;
    const { userinfo_endpoint } = await discover();
    if (userinfo_endpoint === undefined) return {};
    const claims = (await fetchJson(userinfo_endpoint, token)) as ProfileClaims;
    cache.set(key, claims);
    return claims;
  };
}

async function fetchJson(url: string, token?: string): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  } catch (error) {
    throw new Unavailable('the identity provider cannot be reached', { cause: error });
  }
  if (token !== undefined && (response.status === 401 || response.status === 403)) {
    throw new Unauthenticated('the identity provider does not accept this token', 'invalid_token');
  }
  if (!response.ok) throw new Unavailable('the identity provider answered with an error');
  return response.json();
}

/** Remembers a success for the life of the process; a failure is forgotten, so the next caller tries again. */
function onceUntilFailure<T>(make: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= make().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}

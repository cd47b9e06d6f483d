import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Unavailable } from '../../lib/errors.ts';
import { lazy } from '../../lib/lazy.ts';
import type { ProfileClaims } from './claims.ts';
import { FETCH_TIMEOUT_MS, fetchJson } from './fetch-json.ts';
import { createRemoteKeys } from './remote-keys.ts';
import type { OidcSettings, VerifyToken } from './types.ts';
import { createVerifier } from './verifier.ts';

const USERINFO_TTL_MS = 300_000;
const MOST_PROFILES = 1_000;

interface Discovery {
  jwks_uri: string;
  userinfo_endpoint: string | undefined;
}

/**
 * Verifies tokens of a real identity provider. Its documents are fetched at the first sign-in, not at startup. No call
 * waits longer than five seconds for the provider.
 */
export function createProviderVerifier(settings: OidcSettings, now: () => Date): VerifyToken {
  const discovery = lazy(() => discover(settings.issuer));
  const keys = createRemoteKeys(
    async () => {
      try {
        return await fetchJson(settings.jwks_uri ?? (await discovery()).jwks_uri);
      } catch (error) {
        // The URL of the keys may have changed.
        discovery.forget();
        throw error;
      }
    },
    () => now().getTime(),
  );
  const verify = createVerifier({ settings, keys, userinfo: createUserinfo(discovery, now), now });
  return (token) => withinDeadline(verify(token));
}

/** @see OpenID Connect Discovery 1.0, section 4.3: the document must name exactly the requested issuer */
async function discover(issuer: string): Promise<Discovery> {
  const document = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (document['issuer'] !== issuer) {
    throw new Unavailable('the discovery document of the identity provider names a different issuer');
  }
  const { jwks_uri, userinfo_endpoint } = document;
  return {
    jwks_uri: endpoint(jwks_uri, issuer),
    userinfo_endpoint: userinfo_endpoint === undefined ? undefined : endpoint(userinfo_endpoint, issuer),
  };
}

function endpoint(value: unknown, issuer: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const least = issuer.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
  if (url === null || !least.includes(url.protocol)) {
    throw new Unavailable('the discovery document of the identity provider contains an address that cannot be used');
  }
  return url.href;
}

/** Userinfo of a token, fetched once per token and cached until the token expires. */
function createUserinfo(discovered: () => Promise<Discovery>, now: () => Date) {
  const cache = new LRUCache<string, ProfileClaims>({ max: MOST_PROFILES, ttl: USERINFO_TTL_MS });
  return async function userinfo(token: string, expires_at: Date): Promise<ProfileClaims | undefined> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = cache.get(key);
    if (known !== undefined) return known;
    const { userinfo_endpoint } = await discovered();
    if (userinfo_endpoint === undefined) return undefined;
    const profile = await fetchJson(userinfo_endpoint, token);
    const ttl = Math.min(USERINFO_TTL_MS, expires_at.getTime() - now().getTime());
    if (ttl > 0) cache.set(key, profile, { ttl });
    return profile;
  };
}

async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Unavailable('the identity provider is too slow')), FETCH_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

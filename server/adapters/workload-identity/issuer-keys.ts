import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { InvalidInput } from '../../lib/errors.ts';
import { createLookupCache } from '../../lib/lookup-cache.ts';
import { type Egress, EgressError, getTrustedJson } from '../egress/index.ts';

/** The same times as for the identity provider of sign-ins. */
const MAX_AGE_MS = 600_000;
const COOLDOWN_MS = 30_000;
const MAX_ISSUERS = 500;

export interface IssuerKeys {
  isTrusted(issuer: string): boolean;
  /** @throws EgressError, or any error of an invalid response, if the issuer's documents cannot be fetched */
  loadKeys(issuer: string): Promise<JWTVerifyGetKey>;
  /** @throws InvalidInput */
  assertUsable(issuer: string): Promise<void>;
}

/**
 * The keys of token issuers, from their discovery documents. Issuers that the operator did not configure are called
 * with the egress guard.
 */
export function createIssuerKeys(trusted: readonly string[], egress: Egress): IssuerKeys {
  const known = createLookupCache<JWTVerifyGetKey>({ max: MAX_ISSUERS, ttl_ms: MAX_AGE_MS });
  const isTrusted = (issuer: string) => trusted.includes(issuer);
  const selectGetter = (issuer: string) => (isTrusted(issuer) ? getTrustedJson : egress.getJson);

  async function remoteKeys(issuer: string): Promise<JWTVerifyGetKey> {
    const getJson = selectGetter(issuer);
    const jwks_uri = await discoverKeys(issuer, getJson);
    return createRemoteJWKSet(new URL(jwks_uri), {
      cacheMaxAge: MAX_AGE_MS,
      cooldownDuration: COOLDOWN_MS,
      [customFetch]: async (url) => Response.json(await getJson(url)),
    });
  }

  return {
    isTrusted,
    loadKeys: (issuer) => known.get(issuer, () => remoteKeys(issuer)),

    async assertUsable(issuer) {
      if (isTrusted(issuer)) return;
      egress.assertPublicUrl(issuer, 'issuer');
      if (/[?#]/.test(issuer))
        throw new InvalidInput('issuer must not contain a query or a fragment', 'url_not_allowed');
      try {
        egress.assertPublicUrl(await discoverKeys(issuer, egress.getJson), 'jwks_uri of the issuer');
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        const error_class = error.reason === 'refused' ? 'url_not_allowed' : 'invalid_request';
        throw new InvalidInput(`the discovery document of the issuer cannot be used: ${error.message}`, error_class);
      }
    },
  };
}

/** @see OpenID Connect Discovery 1.0, section 4 */
async function discoverKeys(issuer: string, getJson: (url: string) => Promise<unknown>): Promise<string> {
  const document = await getJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const { issuer: self, jwks_uri } = (document ?? {}) as { issuer?: unknown; jwks_uri?: unknown };
  if (self !== issuer) throw new EgressError('unusable', 'it names a different issuer');
  const url = typeof jwks_uri === 'string' ? URL.parse(jwks_uri) : null;
  if (url === null) throw new EgressError('unusable', 'it names no jwks_uri');
  if (issuer.startsWith('https:') && url.protocol !== 'https:') {
    throw new EgressError('unusable', 'its jwks_uri must use https, because the issuer does');
  }
  return url.href;
}

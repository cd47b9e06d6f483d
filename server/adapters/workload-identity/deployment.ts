import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { type DeploymentKey, loadDeploymentKeys } from './deployment-keys.ts';
import type { Deployment } from './types.ts';

/** A cloud exchanges a token at once; nothing needs it for longer. */
const TOKEN_TTL_S = 600;
/** A token is valid a little earlier, for clouds whose clocks are behind. */
const CLOCK_SKEW_S = 30;

export interface DeploymentOptions {
  /** Public base URL of the API, without a trailing slash. */
  api_url: string;
  /** PEM or JWK, one or several keys; null = keys that are created and stored in `data_dir`. */
  signing_key: string | null;
  data_dir: string;
  now: () => Date;
}

/**
 * The identity of this deployment at clouds: the documents that they fetch, and the tokens that they accept after that.
 * The first key signs, or the first one of the algorithm that the cloud needs. All keys are published, so that a new
 * key can be known to every cloud before it signs.
 *
 * @see OpenID Connect Discovery 1.0, section 3
 */
export async function openDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { api_url, now } = options;
  const keys = await loadDeploymentKeys(options);
  return {
    documents: {
      configuration: describeIssuer(api_url, keys),
      jwks: { keys: keys.map(({ jwk }) => jwk) },
    },
    signToken: ({ subject, audience, algorithm }) => {
      const key = keys.find((candidate) => algorithm === undefined || candidate.algorithm === algorithm);
      if (key === undefined) throw new Error(`FEDERATION_SIGNING_KEY contains no key for ${algorithm}`);
      const issued_at = Math.floor(now().getTime() / 1_000);
      return new SignJWT()
        .setProtectedHeader({ alg: key.algorithm, kid: key.jwk.kid, typ: 'JWT' })
        .setIssuer(api_url)
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt(issued_at)
        .setNotBefore(issued_at - CLOCK_SKEW_S)
        .setExpirationTime(issued_at + TOKEN_TTL_S)
        .setJti(randomUUID())
        .sign(key.private_key);
    },
  };
}

function describeIssuer(api_url: string, keys: readonly DeploymentKey[]): object {
  return {
    issuer: api_url,
    jwks_uri: `${api_url}/.well-known/jwks.json`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))],
    scopes_supported: ['openid'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'],
  };
}

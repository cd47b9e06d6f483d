import { createDevelopmentVerifier } from './development.ts';
import { createProviderVerifier } from './provider.ts';
import type { OidcSettings, VerifyToken } from './types.ts';

export { DEVELOPMENT_ISSUER, signDevToken } from './development.ts';
export type { TokenClaims, VerifyToken } from './types.ts';

/** Uses the configured provider, or else the development issuer whose key is in `data_dir`. */
export function createTokenVerifier(input: {
  oidc: OidcSettings | null;
  data_dir: string;
  now?: () => Date;
}): VerifyToken {
  const { oidc, data_dir, now = () => new Date() } = input;
  return oidc === null ? createDevelopmentVerifier(data_dir, now) : createProviderVerifier(oidc, now);
}

import { z } from 'zod';
import { describePlainHttp, flag, httpUrl, isPlainHttp, list, whole } from './values.ts';

/** Environment variables of the issuer that signs people in, and of those who may. */
export const IDENTITY_VARIABLES = {
  OIDC_ISSUER: httpUrl().optional(),
  OIDC_AUDIENCE: list().optional(),
  OIDC_JWKS_URI: httpUrl().optional(),
  OIDC_EMAIL_CLAIM: z.string().default('email'),
  OIDC_TRUST_EMAIL: flag().default(false),
  OIDC_MAX_TOKEN_TTL: whole(60, 604_800).default(86_400),
  ALLOWED_EMAILS: list().default([]),
  SEED_ALLOWED_DOMAINS: list().default([]),
};

type Variables = z.infer<z.ZodObject<typeof IDENTITY_VARIABLES>>;

/** Problems that no single variable shows; invalid values count as set. */
export function identityContradictions(given: Partial<Record<keyof Variables | 'NODE_ENV', unknown>>): string[] {
  const production = given.NODE_ENV === 'production';
  const isSet = (name: keyof Variables) => given[name] !== undefined;
  const rules: [boolean, string][] = [
    ...(['OIDC_ISSUER', 'OIDC_JWKS_URI'] as const).map((name): [boolean, string] => [
      production && isPlainHttp(given[name]),
      describePlainHttp(name),
    ]),
    [
      isSet('OIDC_ISSUER') && !isSet('OIDC_AUDIENCE'),
      'OIDC_AUDIENCE is required with OIDC_ISSUER: without it, any token of the issuer would be accepted',
    ],
    [
      production && !isSet('OIDC_ISSUER'),
      'OIDC_ISSUER is required when NODE_ENV=production: the development issuer is only for local use',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, message]) => message);
}

/** null if nothing is configured. */
export function oidcSettings(given: Variables) {
  if (given.OIDC_ISSUER === undefined) return null;
  return {
    issuer: given.OIDC_ISSUER,
    audience: given.OIDC_AUDIENCE ?? [],
    jwks_uri: given.OIDC_JWKS_URI,
    email_claim: given.OIDC_EMAIL_CLAIM,
    trust_email: given.OIDC_TRUST_EMAIL,
    max_token_ttl_s: given.OIDC_MAX_TOKEN_TTL,
  };
}

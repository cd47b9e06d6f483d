import { Unauthenticated } from '../../lib/errors.ts';
import type { OidcSettings, TokenClaims } from './types.ts';

/** Claims as they come from a token or from userinfo: nothing about them is known yet. */
export type ProfileClaims = Record<string, unknown>;

const MAX_EMAIL_LENGTH = 254;
const MAX_NAME_LENGTH = 100;

/**
 * Reads who the person is. `profile` may come from userinfo; `token` is what was signed.
 *
 * @throws Unauthenticated when there is no usable, verified email
 */
export function readClaims(
  profile: ProfileClaims,
  token: { iss?: string; sub?: string; exp?: number },
  settings: Pick<OidcSettings, 'email_claim' | 'trust_email'>,
): TokenClaims {
  if (profile['sub'] !== token.sub) {
    throw new Unauthenticated('userinfo answered for another subject', 'invalid_token');
  }
  const email = emailOf(profile, settings.email_claim);
  assertVerified(profile['email_verified'], settings.trust_email);
  return {
    issuer: token.iss ?? '',
    subject: token.sub ?? '',
    email,
    display_name: displayNameOf(profile, email),
    expires_at: new Date((token.exp ?? 0) * 1000),
  };
}

function emailOf(profile: ProfileClaims, claim: string): string {
  const value = profile[claim];
  if (typeof value !== 'string' || value.length > MAX_EMAIL_LENGTH || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value)) {
    throw new Unauthenticated(`the token carries no usable email (claim "${claim}")`, 'invalid_token');
  }
  return value.toLowerCase();
}

function assertVerified(verified: unknown, trust_email: boolean): void {
  // Some providers send the boolean as a string.
  if (verified === true || verified === 'true') return;
  if (verified === undefined && trust_email) return;
  throw new Unauthenticated('the email of this login is not verified by the identity provider', 'invalid_token');
}

function displayNameOf(profile: ProfileClaims, email: string): string {
  for (const claim of ['name', 'preferred_username']) {
    const value = profile[claim];
    if (typeof value === 'string' && value.trim() !== '') return cleanName(value);
  }
  return email.slice(0, email.indexOf('@'));
}

function cleanName(value: string): string {
  return value
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .normalize('NFC')
    .toWellFormed()
    .slice(0, MAX_NAME_LENGTH);
}

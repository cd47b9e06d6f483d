import { refused } from './token.ts';
import type { OidcSettings, TokenClaims } from './types.ts';

/** Claims of a token or of userinfo, not validated. */
export type ProfileClaims = Record<string, unknown>;

/** The claims that the signature of a token covers. */
export type SignedClaims = Pick<TokenClaims, 'issuer' | 'subject' | 'expires_at'>;

const MAX_EMAIL_LENGTH = 254;
const MAX_NAME_LENGTH = 100;
const EMAIL = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u;

/**
 * Reads the identity of a person. `profile` can come from userinfo; `signed` contains the token's claims.
 *
 * @throws Unauthenticated if there is no usable, verified email
 * @see OpenID Connect Core 1.0, section 5.3.2: userinfo about another subject must not be used
 */
export function readClaims(
  profile: ProfileClaims,
  signed: SignedClaims,
  settings: Pick<OidcSettings, 'email_claim' | 'trust_email'>,
): TokenClaims {
  if (profile['sub'] !== signed.subject) throw refused('userinfo returned a different subject than the token');
  const email = readEmail(profile, settings.email_claim);
  assertVerified(profile['email_verified'], settings.trust_email);
  return { ...signed, email, display_name: readDisplayName(profile, email) };
}

function readEmail(profile: ProfileClaims, claim: string): string {
  const value = profile[claim];
  if (typeof value !== 'string' || value.length > MAX_EMAIL_LENGTH || !EMAIL.test(value) || turnsIntoAscii(value)) {
    throw refused(`the token has no usable email (claim "${claim}")`);
  }
  return value.toLowerCase();
}

/**
 * Whether a letter of another script becomes an ASCII letter in lower case, such as the Kelvin sign, which becomes "k".
 */
function turnsIntoAscii(value: string): boolean {
  const others = value.replace(/[\0-\x7f]/g, '');
  return /[\0-\x7f]/.test(others.toLowerCase());
}

function assertVerified(verified: unknown, trust_email: boolean): void {
  // Some providers send the boolean as a string.
  if (verified === true || verified === 'true') return;
  if (verified === undefined && trust_email) return;
  throw refused('the identity provider has not verified the email of this sign-in');
}

function readDisplayName(profile: ProfileClaims, email: string): string {
  for (const claim of ['name', 'preferred_username']) {
    const value = profile[claim];
    const name = typeof value === 'string' ? cleanName(value) : '';
    if (name !== '') return name;
  }
  return email.slice(0, email.indexOf('@'));
}

function cleanName(value: string): string {
  const printable = value
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .normalize('NFC');
  return [...printable.trim()].slice(0, MAX_NAME_LENGTH).join('').trim();
}

import { InvalidInput, ServiceError } from '../../lib/errors.ts';
import type { Target, TokenInput } from './types.ts';

const DISPLAYED_LENGTH = 8;

/** The part of a token that can be shown. */
export function tokenPrefix(token: string): string {
  return token.slice(0, DISPLAYED_LENGTH);
}

/** The repository of a token. @throws InvalidInput for a generic webhook */
export function toRepository({ provider, provider_base_url, repo_path }: Target) {
  if (provider === 'generic' || repo_path === null) {
    throw new InvalidInput('api_token does not apply to a generic webhook; leave it out');
  }
  return { provider, provider_base_url, repo_path };
}

/**
 * The given expiration of a token; null = none was given.
 *
 * @throws InvalidInput if it is not a time, or has passed
 */
export function parseEnd({ api_token_expires_at: text }: TokenInput, now: Date): Date | null {
  if (text === undefined || text === null) return null;
  const end = new Date(text);
  if (Number.isNaN(end.getTime())) throw new InvalidInput(`api_token_expires_at "${text}" is not a valid time`);
  if (end <= now) throw new InvalidInput(`api_token_expires_at "${text}" has passed; create a new token`);
  return end;
}

/** The earlier of two expirations; null = never. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** The error for an invalid token. @param problem what is wrong and what to do */
export function tokenRefused(
  status: 'expired' | 'invalid' | 'insufficient_scope' | 'unknown',
  problem: string,
): ServiceError {
  const error_class = status === 'unknown' ? 'scm_host_unreachable' : (`api_token_${status}` as const);
  return new ServiceError(422, error_class, `api_token was not stored: ${problem}`);
}

import { InvalidInput, ServiceError } from '../../lib/errors.ts';
import type { Target, TokenInput } from './types.ts';

const DISPLAYED_LENGTH = 8;

/** The part of a token that may be shown. */
export function tokenPrefix(token: string): string {
  return token.slice(0, DISPLAYED_LENGTH);
}

/** Which repository a token is for. @throws InvalidInput for a server that is only called */
export function toRepository({ provider, provider_base_url, repo_path }: Target) {
  if (provider === 'generic' || repo_path === null) {
    throw new InvalidInput('api_token does not apply to a generic webhook; leave it out');
  }
  return { provider, provider_base_url, repo_path };
}

/**
 * When a token ends by what was said of it; null = nothing was said.
 *
 * @throws InvalidInput for what is no time, or has passed
 */
export function parseEnd({ api_token_expires_at: text }: TokenInput, now: Date): Date | null {
  if (text === undefined || text === null) return null;
  const end = new Date(text);
  if (Number.isNaN(end.getTime())) throw new InvalidInput(`api_token_expires_at "${text}" is not a valid time`);
  if (end <= now) throw new InvalidInput(`api_token_expires_at "${text}" has passed; create a new token`);
  return end;
}

/** The earlier of two ends; null = never. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** What is answered when a token is not to be stored. @param problem what is wrong and what to do */
export function tokenRefused(
  status: 'expired' | 'invalid' | 'insufficient_scope' | 'unknown',
  problem: string,
): ServiceError {
  const error_class = status === 'unknown' ? 'scm_host_unreachable' : (`api_token_${status}` as const);
  return new ServiceError(422, error_class, `api_token was not stored: ${problem}`);
}

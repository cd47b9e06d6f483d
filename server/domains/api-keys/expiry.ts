import { InvalidInput } from '../../lib/errors.ts';

const DAY_MS = 86_400_000;
const MOST_DAYS = 366;

/**
 * When a new key expires; null = never.
 *
 * @param value RFC 3339
 * @throws InvalidInput if it is not a time, is not in the future, or is more than 366 days ahead
 * @see openapi.yaml, ApiKeyCreate.expires_at
 */
export function parseExpiry(value: string | null | undefined, now: Date): Date | null {
  if (value === null || value === undefined) return null;
  const ahead_ms = Date.parse(value) - now.getTime();
  if (Number.isNaN(ahead_ms)) throw new InvalidInput(`expires_at "${value}" is not a valid time`);
  if (ahead_ms <= 0) throw new InvalidInput(`expires_at "${value}" has passed; choose a time in the future`);
  if (ahead_ms > MOST_DAYS * DAY_MS) {
    throw new InvalidInput(`expires_at "${value}" is more than ${MOST_DAYS} days from now; choose an earlier time`);
  }
  return new Date(value);
}

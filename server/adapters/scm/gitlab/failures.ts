import { PlatformError, type PlatformErrorClass } from '../types.ts';

/** What an answer means that is no good one, in our words: what GitLab wrote may echo what we sent. */
export function toPlatformError(host: string, { status, headers }: Response, now: Date): PlatformError {
  if (status === 429) {
    const retry_after = secondsUntil(headers.get('retry-after'), now);
    const when = retry_after === null ? 'later' : `in ${retry_after} seconds`;
    return new PlatformError('rate_limited', `${host} takes no more requests for now: ask again ${when}`, retry_after);
  }
  const [error_class, reason] = describeStatus(status);
  return new PlatformError(error_class, `${host} ${reason} (status ${status})`);
}

function describeStatus(status: number): [PlatformErrorClass, string] {
  if (status === 401) return ['forbidden', 'does not take the API token: give the webhook configuration a valid one'];
  if (status === 403)
    return ['forbidden', 'does not let the API token do this: it needs the scope api and role Developer'];
  if (status === 404 || status === 410) return ['gone', 'has no such thing, or hides it from the API token'];
  if (status >= 300 && status < 400)
    return ['gone', 'says that the project has moved: give the webhook configuration its path'];
  if (status >= 500) return ['unavailable', 'is out of order'];
  if (status === 409) return ['unavailable', 'is busy with another request of the same kind'];
  return ['rejected', 'does not take what it was sent'];
}

/** GitLab counts seconds; what stands before it may name a time instead (RFC 9110, "Retry-After"). */
function secondsUntil(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}

/** @param cause an address that may not be asked says so itself, and no retry mends it */
export function toUnreachableError(host: string, cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  if (cause instanceof Error && 'reason' in cause && cause.reason === 'refused') {
    return new PlatformError('rejected', cause.message);
  }
  return new PlatformError('unavailable', `${host} cannot be reached, or does not answer in time`);
}

/** What `ask` gives, or `otherwise` when the host has no such thing. */
export async function fallbackWhenGone<T, O>(fallback: O, ask: () => Promise<T>): Promise<T | O> {
  return fallbackWhen(['gone'], fallback, ask);
}

/** What `ask` gives, or `otherwise` when it fails in one of these ways. */
export async function fallbackWhen<T, O>(
  classes: readonly PlatformErrorClass[],
  fallback: O,
  ask: () => Promise<T>,
): Promise<T | O> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PlatformError && classes.includes(error.error_class)) return fallback;
    throw error;
  }
}

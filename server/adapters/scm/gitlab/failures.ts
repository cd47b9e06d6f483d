import { PlatformError, type PlatformErrorClass } from '../types.ts';

/** Converts an error response. The message does not contain GitLab's text, which can echo the request. */
export function toPlatformError(host: string, { status, headers }: Response, now: Date): PlatformError {
  if (status === 429) {
    const retry_after = secondsUntil(headers.get('retry-after'), now);
    const when = retry_after === null ? 'later' : `in ${retry_after} seconds`;
    return new PlatformError('rate_limited', `${host} has reached its rate limit: try again ${when}`, retry_after);
  }
  const [error_class, reason] = describeStatus(status);
  return new PlatformError(error_class, `${host} ${reason} (status ${status})`);
}

function describeStatus(status: number): [PlatformErrorClass, string] {
  if (status === 401) return ['forbidden', 'rejects the API token: set a valid token in the webhook configuration'];
  if (status === 403)
    return ['forbidden', 'denies permission to the API token: it needs the scope api and the role Developer'];
  if (status === 404 || status === 410) return ['gone', 'has no such resource, or the API token cannot see it'];
  if (status >= 300 && status < 400)
    return ['gone', 'reports that the project has moved: update the path in the webhook configuration'];
  if (status >= 500) return ['unavailable', 'is not available'];
  if (status === 409) return ['unavailable', 'is processing a conflicting request'];
  return ['rejected', 'rejects the request'];
}

/** GitLab sends seconds; a proxy can send a date (RFC 9110, "Retry-After"). */
function secondsUntil(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}

/** @param cause a rejected address is final */
export function toUnreachableError(host: string, cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  if (cause instanceof Error && 'reason' in cause && cause.reason === 'refused') {
    return new PlatformError('rejected', cause.message);
  }
  return new PlatformError('unavailable', `${host} cannot be reached or does not respond in time`);
}

/** Returns the result of `ask`, or `otherwise` if the resource does not exist. */
export async function fallbackWhenGone<T, O>(fallback: O, ask: () => Promise<T>): Promise<T | O> {
  return fallbackWhen(['gone'], fallback, ask);
}

/** Returns the result of `ask`, or `otherwise` if it fails with one of these classes. */
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

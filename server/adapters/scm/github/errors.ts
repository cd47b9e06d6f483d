import { PlatformError } from '../types.ts';

/** Detects the message of the secondary rate limit, because GitHub does not always send `retry-after`. */
const SECONDARY = /secondary rate limit/i;

/**
 * Converts an error of GitHub. The message does not contain GitHub's text, which can quote the request.
 *
 * @param what the action, such as `read the pull request`
 * @see GitHub's documentation of its REST API: "Troubleshooting", "Rate limits", "Best practices"
 */
export function toPlatformError(error: unknown, what: string, now: Date): PlatformError {
  if (error instanceof PlatformError) return error;
  const { status, response, cause } = readFields(error);
  if (cause instanceof PlatformError) return cause;
  if (typeof status !== 'number' || response === undefined) return toConnectionError([error, cause], what);
  const headers = response.headers ?? {};
  const buildMessage = (text: string) => `could not ${what}: GitHub returned status ${status}${text}`;

  const limited = findRateLimit(status, headers, response.data, now);
  if (limited !== undefined)
    return new PlatformError('rate_limited', buildMessage(': too many requests'), limited.retry_after);
  if (status >= 500) return new PlatformError('unavailable', buildMessage(''));
  if (status === 401) return new PlatformError('forbidden', buildMessage(': the credential is not valid'));
  if (status === 403) return new PlatformError('forbidden', buildMessage(': a permission is missing'));
  if (status === 404 || status === 410 || status === 451) return new PlatformError('gone', buildMessage(''));
  if (status < 400) return new PlatformError('gone', buildMessage(': the resource has moved'));
  return new PlatformError('rejected', buildMessage(''));
}

/** Whether the credential was rejected. */
export function isUnauthorized(error: unknown): boolean {
  return readFields(error).status === 401;
}

type Headers = Record<string, unknown>;

function findRateLimit(
  status: number,
  headers: Headers,
  data: unknown,
  now: Date,
): { retry_after: number | null } | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const retry_after = readSeconds(headers['retry-after']);
  if (retry_after !== null) return { retry_after };
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = readSeconds(headers['x-ratelimit-reset']);
    return { retry_after: reset === null ? null : Math.max(Math.ceil(reset - now.getTime() / 1_000), 1) };
  }
  return status === 429 || SECONDARY.test(readMessage(data)) ? { retry_after: null } : undefined;
}

function toConnectionError(errors: readonly unknown[], what: string): PlatformError {
  if (errors.some((error) => readFields(error).reason === 'refused')) {
    return new PlatformError('rejected', `could not ${what}: the address of GitHub is not public`);
  }
  return new PlatformError('unavailable', `could not ${what}: GitHub did not respond`);
}

function readSeconds(value: unknown): number | null {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

function readMessage(data: unknown): string {
  const { message } = readFields(data);
  return typeof message === 'string' ? message : '';
}

interface ErrorFields {
  status?: unknown;
  response?: { headers?: Headers; data?: unknown };
  cause?: unknown;
  reason?: unknown;
  message?: unknown;
}

function readFields(value: unknown): ErrorFields {
  return typeof value === 'object' && value !== null ? value : {};
}

import { Octokit } from '@octokit/rest';
import { GithubAppError } from '../../../lib/github-app.ts';

const TIMEOUT_MS = 10_000;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Requests time out after ten seconds and do not follow redirects, which would forward the token. */
const REQUEST = {
  fetch: (url: string, init: RequestInit) =>
    fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }),
};

/**
 * A client of GitHub's REST API that logs nothing.
 *
 * @param authorization the whole header
 */
export function openClient(api_url: string, authorization: string): Octokit {
  const octokit = new Octokit({ baseUrl: api_url, userAgent: 'dpa', log: SILENT, request: REQUEST });
  octokit.hook.before('request', (options) => {
    options.headers['authorization'] = authorization;
  });
  return octokit;
}

/**
 * Runs a GitHub request. Errors of the client quote the response and headers, so none of them is passed on, not even as
 * a cause.
 *
 * @throws GithubAppError
 */
export async function callGithub<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GithubAppError) throw error;
    throw toGithubError(what, readStatus(error), isRateLimited(error));
  }
}

/** @param status undefined if there was no response */
export function toGithubError(what: string, status: number | undefined, is_limited = false): GithubAppError {
  if (status === undefined)
    return new GithubAppError('unavailable', `GitHub did not respond to the request for ${what}`);
  const error_class = status >= 500 || status === 429 || is_limited ? 'unavailable' : 'refused';
  return new GithubAppError(error_class, `GitHub responded with status ${status} to the request for ${what}`);
}

/** For a request without a response, the client throws status 500 without a response. */
function readStatus(error: unknown): number | undefined {
  return readResponse(error)?.status;
}

/** @see GitHub's documentation, "Rate limits for the REST API": 403 or 429, with one of these headers */
function isRateLimited(error: unknown): boolean {
  const { headers = {} } = readResponse(error) ?? {};
  return headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
}

function readResponse(error: unknown): { status: number; headers: Record<string, string | undefined> } | undefined {
  if (typeof error !== 'object' || error === null || !('response' in error)) return undefined;
  return error.response as { status: number; headers: Record<string, string | undefined> } | undefined;
}

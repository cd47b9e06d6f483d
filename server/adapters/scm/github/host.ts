import type { ProbotOctokit } from 'probot';
import type { Pace, RequestKind } from '../pace.ts';
import { PlatformError } from '../types.ts';
import { isUnauthorized, toPlatformError } from './errors.ts';

const PER_PAGE = 100;

export interface Answer<T> {
  status: number;
  headers: { link?: string | undefined; location?: string | undefined };
  data: T;
}

/** The GitHub API for one source: rate limited, with retries where they are safe, and with converted errors. */
export interface Host {
  /**
   * @param what the action for error messages, such as `read the pull request`
   * @throws PlatformError
   */
  ask<T>(kind: RequestKind, what: string, call: (octokit: ProbotOctokit) => Promise<Answer<T>>): Promise<T>;
  /** Returns the target of a redirect without following it. */
  askLocation(what: string, call: (octokit: ProbotOctokit) => Promise<Answer<unknown>>): Promise<string>;
  /** Reads a list lazily, page by page; at most `most` pages. */
  pages<T>(
    what: string,
    call: (octokit: ProbotOctokit, page: { page: number; per_page: number }) => Promise<Answer<T>>,
    most?: number,
  ): AsyncIterable<T>;
}

export interface HostDeps {
  /** The client with the credential of this source; its own throttling and retries are off. */
  octokit: () => Promise<ProbotOctokit>;
  /** Gets a new credential after a rejection; null if there is none. */
  renew: ((octokit: ProbotOctokit) => Promise<unknown>) | null;
  pace: Pace;
  now: () => Date;
}

export function createHost({ octokit, renew, pace, now }: HostDeps): Host {
  function send<T>(kind: RequestKind, what: string, call: (octokit: ProbotOctokit) => Promise<Answer<T>>) {
    return pace.run(kind, async () => {
      try {
        return requireJson(await callWithRenewal(await octokit(), call), what);
      } catch (error) {
        throw toPlatformError(error, what, now());
      }
    });
  }

  /** GitHub can revoke an installation token before it expires. The request had no effect, so one retry is safe. */
  async function callWithRenewal<T>(client: ProbotOctokit, call: (octokit: ProbotOctokit) => Promise<Answer<T>>) {
    try {
      return await call(client);
    } catch (error) {
      if (renew === null || !isUnauthorized(error)) throw error;
      await renew(client);
      return call(client);
    }
  }

  async function ask<T>(
    kind: RequestKind,
    what: string,
    call: (octokit: ProbotOctokit) => Promise<Answer<T>>,
  ): Promise<T> {
    const { status, data } = await send(kind, what, call);
    if (status >= 300) throw toPlatformError({ status, response: {} }, what, now());
    return data;
  }

  return {
    ask,
    async askLocation(what, call) {
      const { headers } = await send('read', what, call);
      if (headers.location !== undefined) return headers.location;
      throw new PlatformError('rejected', `could not ${what}: GitHub returned no address`);
    },
    async *pages(what, call, most = Number.POSITIVE_INFINITY) {
      for (let page = 1, more = true; more && page <= most; page += 1) {
        const paging = { page, per_page: PER_PAGE };
        const { status, headers, data } = await send('read', what, (client) => call(client, paging));
        if (status >= 300) throw toPlatformError({ status, response: {} }, what, now());
        more = headers.link?.includes('rel="next"') ?? false;
        yield data;
      }
    },
  };
}

/** Detects responses of a proxy or sign-in page, which are not JSON. */
function requireJson<T>(answer: Answer<T>, what: string): Answer<T> {
  if (answer.status >= 300 || (typeof answer.data === 'object' && answer.data !== null)) return answer;
  throw new PlatformError('unavailable', `could not ${what}: the response of GitHub is not JSON`);
}

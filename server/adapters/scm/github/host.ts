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

/** GitHub as one source may ask it: paced, tried again where that is safe, its errors in our words. */
export interface Host {
  /**
   * @param what for the message of an error, such as `read the pull request`
   * @throws PlatformError
   */
  ask<T>(kind: RequestKind, what: string, call: (octokit: ProbotOctokit) => Promise<Answer<T>>): Promise<T>;
  /** The address that an answer redirects to; the redirect is not followed. */
  askLocation(what: string, call: (octokit: ProbotOctokit) => Promise<Answer<unknown>>): Promise<string>;
  /** Every page of a list, read when it is come to; at most `most` pages. */
  pages<T>(
    what: string,
    call: (octokit: ProbotOctokit, page: { page: number; per_page: number }) => Promise<Answer<T>>,
    most?: number,
  ): AsyncIterable<T>;
}

export interface HostDeps {
  /** The client with this source's credential; its own pacing and retries are off. */
  octokit: () => Promise<ProbotOctokit>;
  /** Gets a new credential in place of one that was refused; null where there is none to get. */
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

  /** The token of an installation may have been withdrawn before its hour is over. Nothing was done with it, so one more try is safe. */
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
      throw new PlatformError('rejected', `GitHub named no address when asked to ${what}`);
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

/** A proxy or a sign-in page answers for a host as well, but not in JSON. */
function requireJson<T>(answer: Answer<T>, what: string): Answer<T> {
  if (answer.status >= 300 || (typeof answer.data === 'object' && answer.data !== null)) return answer;
  throw new PlatformError('unavailable', `GitHub answered with something else than JSON when asked to ${what}`);
}

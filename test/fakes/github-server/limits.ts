import { Refusal, type Reply } from './http.ts';
import type { Fault, GithubState } from './state.ts';

const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID.';

/** Both kinds of rate limits, in GitHub's order and with its messages. */
export function createLimits(github: GithubState) {
  let writes: number[] = [];

  /** @throws Refusal 403 if the requests of the hour are used up, or writes are too frequent */
  function take(method: string): void {
    if (github.rate.remaining <= 0) throw createExceeded();
    github.rate.remaining -= 1;
    if (method !== 'GET') takeWrite();
  }

  function takeWrite(): void {
    const limit = github.write_limit;
    if (limit === null) return;
    const now = github.now();
    writes = writes.filter((at) => at > now - limit.window_ms);
    if (writes.length >= limit.count) throw new SecondaryLimitRefusal(limit.retry_after);
    writes.push(now);
  }

  function headers(): Record<string, string> {
    const { limit, remaining, reset } = github.rate;
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(remaining, 0)),
      'x-ratelimit-reset': String(reset),
      'x-ratelimit-used': String(limit - remaining),
      'x-ratelimit-resource': 'core',
    };
  }

  return { take, headers };
}

function createExceeded(): Refusal {
  return new Refusal(403, 'API rate limit exceeded for installation ID 1.', {
    documentation_url: 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api',
  });
}

/** A rejection by the secondary rate limit, with its additional headers. */
export class SecondaryLimitRefusal extends Refusal {
  readonly retry_after: number | null;

  constructor(retry_after: number | null) {
    super(403, SECONDARY, {
      documentation_url:
        'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits',
    });
    this.retry_after = retry_after;
  }
}

/** The configured failure of this request, if any; removed after its last use. */
export function takeFault(github: GithubState, method: string, path: string): Fault | undefined {
  const fault = github.faults.find((one) => {
    return one.times > 0 && (one.method ?? method) === method && one.path.test(path);
  });
  if (fault !== undefined) fault.times -= 1;
  return fault;
}

/** The response of a configured failure; undefined if the connection is closed instead. */
export function toFaultReply({ how }: Fault): Reply | undefined {
  if (typeof how === 'string') return undefined;
  return { body: { message: 'Server Error' }, ...how };
}

import type { GithubState, Repo, Token } from './state.ts';

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The caller: anonymous, the App itself (with a signed token), or the holder of a token. */
export type Who = { kind: 'nobody' } | { kind: 'app' } | { kind: 'token'; token: Token };

export interface Call {
  github: GithubState;
  who: Who;
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

/** A call about a repository that the caller may see. */
export interface RepoCall extends Call {
  repo: Repo;
}

/** Thrown by a route: a response with GitHub's error body. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.body = { message, documentation_url: 'https://docs.github.com/rest', status: String(status), ...more };
  }
}

export const createNotFound = () => new Refusal(404, 'Not Found');

/** The body of a 422 that names a field. */
export function createInvalidField(resource: string, field: string, message: string): Refusal {
  return new Refusal(422, 'Validation Failed', {
    errors: [{ resource, code: 'custom', field, message }],
  });
}

/** A reply with a JSON body. */
export function ok(body: unknown, status = 200): Reply {
  return { status, body };
}

/** One page of a list, with the `Link` header in GitHub's format. */
export function paginate<T>(call: Call, path: string, items: readonly T[], wrap?: (paginate: T[]) => unknown): Reply {
  const per_page = Math.min(Math.max(Number(call.query.get('per_page') ?? 30), 1), 100);
  const number = Math.max(Number(call.query.get('page') ?? 1), 1);
  const last = Math.max(Math.ceil(items.length / per_page), 1);
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(to));
    return `<${call.github.url}${path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [link(number - 1, 'prev')] : []),
    ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
    ...(number > 1 ? [link(1, 'first')] : []),
  ];
  const shown = items.slice((number - 1) * per_page, number * per_page);
  return {
    status: 200,
    body: wrap === undefined ? shown : wrap(shown),
    ...(links.length > 0 && { headers: { link: links.join(', ') } }),
  };
}

/** A string member of a body; undefined if it is missing. */
export function readText(body: Record<string, unknown>, field: string): string | undefined {
  const value = body[field];
  return typeof value === 'string' ? value : undefined;
}

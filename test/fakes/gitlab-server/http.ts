import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GitlabState, Token, User } from './types.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(String(status));
    this.status = status;
    this.body = body;
  }
}

export interface Call {
  state: GitlabState;
  token: Token;
  user: User;
  /** Decoded path parameters by name. */
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** Without query. */
  path: string;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export type Handler = (call: Call) => Reply;

export interface Route {
  method: string;
  segments: string[];
  handler: Handler;
}

/** A route whose template has path parameters like `:id`. */
export function route(method: string, template: string, handler: Handler): Route {
  return { method, segments: template.split('/'), handler };
}

/** The path parameters of a request; undefined if the route does not match. */
export function matchRoute(route: Route, method: string, path: string): Record<string, string> | undefined {
  const segments = path.split('/');
  if (route.method !== method || segments.length !== route.segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of route.segments.entries()) {
    const given = decodeURIComponent(segments[index] ?? '');
    if (segment.startsWith(':')) params[segment.slice(1)] = given;
    else if (segment !== given) return undefined;
  }
  return params;
}

/** A 404 with GitLab's message. */
export function createNotFound(what: string): ApiError {
  return new ApiError(404, { message: `404 ${what} Not Found` });
}

/** One page by offset, with GitLab's paging headers. @see GitLab's documentation: REST API, "Pagination" */
export function paginate<T>(call: Call, all: readonly T[], present: (item: T) => unknown): Reply {
  const page = Math.max(1, Number(call.query.get('page') ?? 1));
  const size = Math.min(100, Math.max(1, Number(call.query.get('per_page') ?? 20)));
  const pages = Math.max(1, Math.ceil(all.length / size));
  const headers: Record<string, string> = {
    'x-page': String(page),
    'x-per-page': String(size),
    'x-next-page': page < pages ? String(page + 1) : '',
    'x-prev-page': page > 1 ? String(page - 1) : '',
    'x-total': String(all.length),
    'x-total-pages': String(pages),
    link: buildLinks(call, { page, pages }),
  };
  return { status: 200, headers, body: all.slice((page - 1) * size, page * size).map(present) };
}

function buildLinks(call: Call, { page, pages }: { page: number; pages: number }): string {
  const to = (number: number, rel: string) => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(number));
    return `<${call.state.url}${call.path}?${query}>; rel="${rel}"`;
  };
  const parts = [to(1, 'first'), to(pages, 'last')];
  if (page > 1) parts.unshift(to(page - 1, 'prev'));
  if (page < pages) parts.unshift(to(page + 1, 'next'));
  return parts.join(', ');
}

/** The body of a request as text. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends a reply as JSON, or as it is if the body is a buffer or text. */
export function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  if (body instanceof Uint8Array) {
    response.writeHead(status, { 'content-length': body.length, ...headers }).end(body);
  } else if (typeof body === 'string') {
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
  } else if (body === undefined) {
    response.writeHead(status, headers).end();
  } else {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }
}

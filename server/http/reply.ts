/** From what a handler returned to an answer. */
import { createHash } from 'node:crypto';
import { JsonText } from '../contract/json-text.ts';
import type { Answer } from './exchange.ts';
import type { Operation } from './operations.ts';
import { type Page, pageLinks } from './paging.ts';

/** A reply of any operation; its exact type was checked where the handler was compiled. */
export interface AnyReply {
  status: number;
  body?: unknown;
  headers?: Record<string, string | number | undefined>;
  /** Where a page stands whose body does not say it. */
  page?: Page | undefined;
}

export function toAnswer(operation: Operation, reply: AnyReply, url: string): Answer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    if (value !== undefined) headers[name] = String(value);
  }
  if (reply.body === undefined) return { status: reply.status, headers, body: undefined };
  if (operation.paged) Object.assign(headers, pageHeaders(reply.page ?? (reply.body as Page), url));
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const body = reply.body instanceof JsonText ? reply.body.text : JSON.stringify(reply.body);
  return { status: reply.status, headers, body };
}

function pageHeaders({ total, limit, offset }: Page, url: string): Record<string, string> {
  return { 'X-Total-Count': String(total), Link: pageLinks(url, { total, limit, offset }) };
}

/**
 * Adds the ETag of a body, and drops the body that the caller has already.
 *
 * @see RFC 9110, sections 8.8 and 13.1.2: If-None-Match compares weakly
 */
export function conditional(answer: Answer, if_none_match: string | undefined): Answer {
  if (answer.status !== 200 || answer.body === undefined) return answer;
  const tag = createHash('sha256').update(answer.body).digest('base64url').slice(0, 22);
  const headers: Record<string, string> = {
    ...answer.headers,
    ETag: `W/"${tag}"`,
    'Cache-Control': 'private, no-cache',
  };
  if (!matches(if_none_match, tag)) return { ...answer, headers };
  const { 'Content-Type': _type, ...kept } = headers;
  return { status: 304, headers: kept, body: undefined };
}

function matches(if_none_match: string | undefined, tag: string): boolean {
  if (if_none_match === undefined) return false;
  if (if_none_match.trim() === '*') return true;
  return if_none_match.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === `"${tag}"`);
}

/** Converts the reply of a handler to a response. */
import { createHash } from 'node:crypto';
import { ByteStream } from '../../contract/byte-stream.ts';
import { HtmlPage } from '../../contract/html-page.ts';
import { JsonText } from '../../contract/json-text.ts';
import type { Operation } from '../contract/operations.ts';
import type { Answer } from '../request/exchange.ts';
import { type Page, pageLinks } from '../request/paging.ts';
import { buildPageHeaders } from './security-headers.ts';

/** A reply of any operation; its exact type was checked at compile time. */
export interface AnyReply {
  status: number;
  body?: unknown;
  headers?: Record<string, string | number | undefined>;
  /** Position of a page whose body does not contain it. */
  page?: Page | undefined;
}

export function toAnswer(operation: Operation, reply: AnyReply, url: string): Answer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    if (value !== undefined) headers[name] = String(value);
  }
  if (reply.body === undefined) return { status: reply.status, headers, body: undefined };
  if (reply.body instanceof ByteStream) return fileAnswer(reply.status, reply.body, headers);
  if (reply.body instanceof HtmlPage) return pageAnswer(reply.status, reply.body, headers);
  if (operation.paged) Object.assign(headers, pageHeaders(reply.page ?? (reply.body as Page), url));
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const body = reply.body instanceof JsonText ? reply.body.text : JSON.stringify(reply.body);
  return { status: reply.status, headers, body };
}

export function pageAnswer(status: number, page: HtmlPage, headers: Record<string, string> = {}): Answer {
  const type = { 'Content-Type': 'text/html; charset=utf-8' };
  return { status, headers: { ...headers, ...buildPageHeaders(page), ...type }, body: page.text };
}

function fileAnswer(status: number, stream: ByteStream, headers: Record<string, string>): Answer {
  return { status, headers: { ...headers, 'Content-Type': stream.content_type }, body: undefined, stream };
}

function pageHeaders({ total, limit, offset }: Page, url: string): Record<string, string> {
  return { 'X-Total-Count': String(total), Link: pageLinks(url, { total, limit, offset }) };
}

/** Adds the ETag of the body. */
export function withTag(answer: Answer): Answer {
  if (answer.status !== 200 || answer.body === undefined) return answer;
  const headers = { ...answer.headers, ETag: `W/"${computeTag(answer.body)}"`, 'Cache-Control': 'private, no-cache' };
  return { ...answer, headers };
}

/**
 * Removes a body that the caller already has.
 *
 * @param answer with its ETag
 * @see RFC 9110, sections 8.8 and 13.1.2: If-None-Match compares weakly
 */
export function conditional(answer: Answer, if_none_match: string | undefined): Answer {
  if (if_none_match === undefined || answer.status !== 200 || answer.body === undefined) return answer;
  if (!matchesTag(if_none_match, answer.headers['ETag'] ?? '')) return answer;
  const { 'Content-Type': _type, ...kept } = answer.headers;
  return { status: 304, headers: kept, body: undefined };
}

/**
 * Whether one of the entity tags is that of a body. A tag is a hash of all bytes, so the weak comparison cannot confuse
 * two states.
 */
export function matchesBody(tags: string, body: string): boolean {
  return matchesTag(tags, `W/"${computeTag(body)}"`);
}

function matchesTag(tags: string, tag: string): boolean {
  if (tags.trim() === '*') return true;
  const opaque = (one: string) => one.trim().replace(/^W\//, '');
  return tags.split(',').some((candidate) => opaque(candidate) === opaque(tag));
}

function computeTag(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}

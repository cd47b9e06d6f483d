import type { Request } from 'express';
import { PayloadTooLarge, UnsupportedMediaType } from '../lib/errors.ts';
import type { BodyLimit, Operation } from './contract/operations.ts';

const UTF8 = '[ \\t]*(?:;[ \\t]*charset[ \\t]*=[ \\t]*"?utf-8"?[ \\t]*)?';
const JSON_TYPE = new RegExp(`^application/json${UTF8}$`, 'i');
const FORM_TYPE = new RegExp(`^application/x-www-form-urlencoded${UTF8}$`, 'i');

/**
 * Checks that need only the headers, before the body is read and the caller is authenticated.
 *
 * @throws PayloadTooLarge, UnsupportedMediaType
 */
export function checkTransport(req: Request, operation: Operation): void {
  if (operation.body_shape === undefined) return;
  const { headers } = req;
  const length = Number(headers['content-length'] ?? 0);
  if (length > operation.body_limit.bytes) throw tooLarge(operation.body_limit);

  const has_body = length > 0 || headers['transfer-encoding'] !== undefined;
  const type = headers['content-type'];
  if (type === undefined ? has_body : !JSON_TYPE.test(type.trim()) && !(operation.takes_form && isForm(req))) {
    const form = operation.takes_form ? ' or application/x-www-form-urlencoded' : '';
    throw new UnsupportedMediaType(`content type must be application/json${form}, in UTF-8`);
  }
  bodyEncoding(req);
}

export function isForm({ headers }: Request): boolean {
  return FORM_TYPE.test(headers['content-type']?.trim() ?? '');
}

/** @throws UnsupportedMediaType for any other encoding, or more than one */
export function bodyEncoding(req: Request): 'gzip' | 'identity' {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip';
  if (encoding === 'identity' || encoding === '') return 'identity';
  throw new UnsupportedMediaType('content encoding must be gzip or identity');
}

/** Size that the headers announce; undefined if they do not. */
export function announcedBytes({ headers }: Request): number | undefined {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}

/** JSON compresses 10 to 50 times; more is an attack on the memory. Small bodies can be as repetitive as they like. */
const MOST_INFLATION = 100;
const INFLATION_SLACK_BYTES = 5 * 1_048_576;

/** Maximum decompressed size of this number of bytes. */
export function mostInflated(bytes: number): number {
  return bytes * MOST_INFLATION + INFLATION_SLACK_BYTES;
}

/** Maximum memory for the body in bytes. */
export function mostBytes(req: Request, { body_limit: { bytes: limit } }: Operation): number {
  const announced = announcedBytes(req);
  if (announced === undefined) return limit;
  return bodyEncoding(req) === 'identity' ? announced : Math.min(limit, mostInflated(announced));
}

export function tooLarge({ bytes, hint }: BodyLimit): PayloadTooLarge {
  return new PayloadTooLarge(`request body is larger than ${bytes} bytes${hint === undefined ? '' : `: ${hint}`}`);
}

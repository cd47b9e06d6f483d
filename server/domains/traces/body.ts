import { gunzipSync, gzipSync } from 'node:zlib';
import type { TraceBody } from './types.ts';

/** Prefix of the texts of calls, which are stored encrypted. */
export const BODY_PREFIX = 'traces/';
const BODY_KEY = /^traces\/([0-9a-f-]{36})\/(trc-[0-9a-f]{24})$/;
/** Far above the actual size: an answer has at most 256 KiB, a prompt a tenth of that. */
const MAX_BODY_BYTES = 8_388_608;

export function bodyKey(orgId: string, id: string): string {
  return `${BODY_PREFIX}${orgId}/${id}`;
}

/** Id of the trace whose body has this key; undefined for a key of another form. */
export function parseTraceId(key: string): string | undefined {
  return BODY_KEY.exec(key)?.[2];
}

/** Binds an encrypted body to its trace: it cannot be decrypted under another organization or id. */
export function bodyAad(orgId: string, id: string): string {
  return `traces.body|${orgId}|${id}`;
}

export function packBody(body: TraceBody): Buffer {
  return gzipSync(JSON.stringify(body));
}

/** @throws Error for bytes that `packBody` did not create */
export function unpackBody(bytes: Uint8Array): TraceBody {
  return JSON.parse(gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES }).toString('utf8'));
}

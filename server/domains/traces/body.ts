import { gunzipSync, gzipSync } from 'node:zlib';
import type { TraceBody } from './types.ts';

/** Where the texts of calls are kept, sealed. */
export const BODY_PREFIX = 'traces/';
const BODY_KEY = /^traces\/([0-9a-f-]{36})\/(trc-[0-9a-f]{24})$/;
/** Far above what is written: an answer has at most 256 KiB, a prompt a tenth of that. */
const MAX_BODY_BYTES = 8_388_608;

export function bodyKey(orgId: string, id: string): string {
  return `${BODY_PREFIX}${orgId}/${id}`;
}

/** Id of the trace whose body stands under a key; undefined where we never put one. */
export function parseTraceId(key: string): string | undefined {
  return BODY_KEY.exec(key)?.[2];
}

/** Binds a sealed body to its trace: under another org or id it does not open. */
export function bodyAad(orgId: string, id: string): string {
  return `traces.body|${orgId}|${id}`;
}

export function packBody(body: TraceBody): Buffer {
  return gzipSync(JSON.stringify(body));
}

/** @throws Error for bytes that `packBody` did not make */
export function unpackBody(bytes: Uint8Array): TraceBody {
  return JSON.parse(gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES }).toString('utf8'));
}

import { Readable } from 'node:stream';
import type { GuardedFetch } from '../egress/index.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { type Place, toBackendError, tooLarge, unreachable, unusable } from './faults.ts';

const CONNECT_MS = 10_000;
/** Object keys have up to 1,024 bytes, which percent-encoding triples; signed URLs of archives are longer still. */
const MAX_URL_LENGTH = 8_192;
/** Pages of listings and JSON documents. */
const MAX_DOCUMENT_BYTES = 16_777_216;
const LESS_THAN = 0x3c;
const WHITE_SPACE = new Set([0x09, 0x0a, 0x0d, 0x20]);

export interface TransferOptions {
  fetch: GuardedFetch;
  /** Largest state. */
  max_bytes: number;
  /** Time until a response begins. */
  response_ms?: number | undefined;
  /** Replaces waiting, for tests. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

/** The requests that read one state, or one page of a listing. They share one deadline. */
export interface Transfer {
  signal: AbortSignal;
  place: Place;
  /** Without following redirects. @throws StateBackendError; the reason of the caller's signal */
  get(url: string, headers: Record<string, string>): Promise<Response>;
  /** The text of a small response. @throws StateBackendError */
  readText(response: Response): Promise<string>;
  /** The bytes of a state. The transfer ends with them. @throws StateBackendError at once if it is announced as too large */
  readState(body: StateBody): AsyncIterable<Uint8Array>;
  /** What to throw for an error of a request: a StateBackendError, or the reason of the caller's signal. */
  toFailure(error: unknown): unknown;
  end(): void;
}

/** A body that has not been read. */
export interface StateBody {
  chunks: AsyncIterable<Uint8Array>;
  /** 0 if the length is unknown. */
  announced_bytes: number;
}

export function toStateBody({ body, headers }: Response): StateBody {
  return { chunks: body ?? Readable.from([]), announced_bytes: Number(headers.get('content-length') ?? 0) };
}

export function startTransfer(options: TransferOptions, place: Place, caller: AbortSignal): Transfer {
  const { fetch, max_bytes, response_ms } = options;
  const deadline = startDeadline({ signal: caller, response_ms });
  const { signal } = deadline;
  const limits = { connect_timeout_ms: CONNECT_MS, max_url_length: MAX_URL_LENGTH };

  function toFailure(error: unknown): unknown {
    return caller.aborted ? caller.reason : toBackendError(error, place);
  }

  async function get(url: string, headers: Record<string, string>): Promise<Response> {
    try {
      return await fetch(url, { method: 'GET', headers, signal, ...limits });
    } catch (error) {
      throw toFailure(error);
    }
  }

  async function readText(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readBody(toStateBody(response), MAX_DOCUMENT_BYTES)) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  async function* readBody({ chunks, announced_bytes }: StateBody, most: number): AsyncIterable<Uint8Array> {
    let received = 0;
    deadline.resume();
    try {
      for await (const chunk of chunks) {
        received += chunk.byteLength;
        if (received > most) throw tooLarge(place, most);
        deadline.pause(chunk.byteLength);
        yield chunk;
        deadline.resume();
      }
    } catch (error) {
      throw toFailure(error);
    }
    // Not every HTTP client reports a body that is shorter than announced.
    if (received < announced_bytes) throw unreachable(place);
  }

  function readState(body: StateBody): AsyncIterable<Uint8Array> {
    if (body.announced_bytes > max_bytes) throw tooLarge(place, max_bytes);
    // The caller can wait for a thread before it reads.
    deadline.pause(0);
    return endWith(deadline, assertNoWebPage(readBody(body, max_bytes), place));
  }

  return { signal, place, get, readText, readState, toFailure, end: deadline.end };
}

/** Runs one step of reading; a failed one also ends the transfer. */
export async function transferring<T>(transfer: Transfer, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    transfer.end();
    throw error;
  }
}

async function* endWith(deadline: Deadline, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } finally {
    deadline.end();
  }
}

/** Proxies and sign-in pages answer with status 200. No state begins with a tag. */
async function* assertNoWebPage(body: AsyncIterable<Uint8Array>, place: Place): AsyncIterable<Uint8Array> {
  let begun = false;
  for await (const chunk of body) {
    const first: number | undefined = begun ? undefined : chunk.find((byte) => !WHITE_SPACE.has(byte));
    if (first === LESS_THAN) throw unusable(place, 'a web page');
    begun = begun || first !== undefined;
    yield chunk;
  }
}

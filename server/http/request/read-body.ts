import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { errorCode } from '../../lib/error-code.ts';
import { InvalidInput, PayloadTooLarge } from '../../lib/errors.ts';
import type { BodyLimit } from '../contract/operations.ts';
import { announcedBytes, bodyEncoding, mostInflated, tooLarge } from '../transport.ts';

/** Requests whose client sent Expect: 100-continue. */
const awaitingContinue = new WeakSet<IncomingMessage>();
const LINGER_MS = 2_000;
const LINGER_BYTES = 1024 * 1024;

/** @see RFC 9110, section 10.1.1: 100 Continue is sent when the body is wanted, not when the headers have arrived. */
export function deferContinue(req: IncomingMessage): void {
  awaitingContinue.add(req);
}

export interface ReadOptions {
  limit: BodyLimit;
  /** Receives every chunk of the body after decompression. */
  onChunk?: ((chunk: Uint8Array) => void) | undefined;
  /** Maximum time for the sender, from the start of reading. */
  within_ms?: number | undefined;
}

/**
 * The body after decompression.
 *
 * @throws PayloadTooLarge as soon as `limit` is exceeded, whatever was announced, or if a few bytes decompress to very
 *   many; InvalidInput for invalid gzip, a disconnected sender, or a slow one
 */
export async function readBody(req: Request, res: Response, options: ReadOptions): Promise<Buffer> {
  // A body may have waited for memory; a stream that was closed in the meantime emits no further event.
  if (req.destroyed) throw hungUp();
  if (awaitingContinue.delete(req)) res.writeContinue();
  if (bodyEncoding(req) === 'identity') return collect(req, options, announcedBytes(req));

  const gunzip = createGunzip();
  req.on('error', (error) => gunzip.destroy(error));
  req.on('aborted', () => gunzip.destroy(hungUp()));
  const onChunk = inflationGuard(gunzip, options);
  req.on('data', () => {
    // Empty blocks never reach the limit on the decompressed size.
    if (gunzip.bytesWritten > options.limit.bytes) gunzip.destroy(tooLarge(options.limit));
  });
  req.pipe(gunzip);
  try {
    return await collect(gunzip, { ...options, onChunk }, undefined);
  } catch (error) {
    req.unpipe(gunzip);
    gunzip.destroy();
    throw errorCode(error)?.startsWith('Z_') ? new InvalidInput('the body is not valid gzip') : error;
  }
}

/** Throws if a body decompresses to an implausible size; see `mostBytes`. */
function inflationGuard(gunzip: Gunzip, { onChunk }: ReadOptions): (chunk: Uint8Array) => void {
  let inflated = 0;
  return (chunk) => {
    inflated += chunk.length;
    if (inflated > mostInflated(gunzip.bytesWritten)) {
      throw new PayloadTooLarge('the body decompresses to more than 100 times its size; send it uncompressed');
    }
    onChunk?.(chunk);
  };
}

/** @param bytes undefined: the sender does not announce the size */
function collect(stream: Readable, { limit, onChunk, within_ms }: ReadOptions, bytes?: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = bytes === undefined || bytes > limit.bytes ? growingBody() : fixedBody(bytes);
    let size = 0;
    const late = within_ms === undefined ? undefined : setTimeout(() => refuse(tooSlow(within_ms)), within_ms);
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit.bytes) return refuse(tooLarge(limit));
      try {
        onChunk?.(chunk);
        body.add(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    const refuse = (error: unknown) => {
      stream.off('data', take).pause();
      body.drop();
      clearTimeout(late);
      reject(error);
    };
    stream.on('data', take);
    stream.on('end', () => {
      clearTimeout(late);
      resolve(body.end());
    });
    stream.on('error', refuse);
    stream.on('close', () => refuse(hungUp()));
  });
}

interface GrowingBytes {
  add(chunk: Buffer): void;
  end(): Buffer;
  drop(): void;
}

/**
 * Written into one buffer, so that a large body is in memory only once. The system allocates the pages as they are
 * written.
 */
function fixedBody(bytes: number): GrowingBytes {
  let buffer = Buffer.allocUnsafeSlow(bytes);
  let size = 0;
  return {
    add(chunk) {
      chunk.copy(buffer, size);
      size += chunk.length;
    },
    end: () => buffer.subarray(0, size),
    drop() {
      buffer = EMPTY;
    },
  };
}

function growingBody(): GrowingBytes {
  const chunks: Buffer[] = [];
  return {
    add: (chunk) => void chunks.push(chunk),
    end: () => Buffer.concat(chunks),
    drop() {
      chunks.length = 0;
    },
  };
}

const EMPTY = Buffer.alloc(0);

function tooSlow(within_ms: number): InvalidInput {
  return new InvalidInput(`the body took longer than ${Math.round(within_ms / 1_000)} s to arrive; send it again`);
}

function hungUp(): InvalidInput {
  return new InvalidInput('the connection ended before the whole body arrived');
}

/**
 * For a response that was sent before the body was read completely. The sender may still be writing, and a reset would
 * lose the response: incoming data is discarded for a short time, then the connection is closed.
 */
export function endEarly(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) return;
  if (awaitingContinue.has(req)) {
    res.setHeader('Connection', 'close');
    return;
  }
  res.once('finish', () => {
    if (req.complete) return;
    let left = LINGER_BYTES;
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MS).unref();
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) req.socket.destroy();
    });
    req.once('close', () => clearTimeout(timer));
    req.resume();
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { errorCode } from '../lib/error-code.ts';
import { InvalidInput } from '../lib/errors.ts';
import type { BodyLimit } from './operations.ts';
import { bodyEncoding, tooLarge } from './transport.ts';

/** Requests whose sender waits for a sign before it sends the body. */
const awaitingContinue = new WeakSet<IncomingMessage>();
const LINGER_MS = 2_000;
const LINGER_BYTES = 1024 * 1024;

/** @see RFC 9110, section 10.1.1: the sign is given when the body is wanted, not when the headers have come. */
export function deferContinue(req: IncomingMessage): void {
  awaitingContinue.add(req);
}

/**
 * The body after decompression.
 *
 * @throws PayloadTooLarge as soon as `limit` is passed, whatever was announced; InvalidInput for broken gzip or a
 * sender that hung up
 */
export async function readBody(req: Request, res: Response, limit: BodyLimit): Promise<Buffer> {
  if (awaitingContinue.delete(req)) res.writeContinue();
  if (bodyEncoding(req) === 'identity') return collect(req, limit);

  const gunzip = createGunzip();
  req.on('error', (error) => gunzip.destroy(error));
  req.on('aborted', () => gunzip.destroy(hungUp()));
  req.pipe(gunzip);
  try {
    return await collect(gunzip, limit);
  } catch (error) {
    req.unpipe(gunzip);
    gunzip.destroy();
    throw errorCode(error)?.startsWith('Z_') ? new InvalidInput('the body is not valid gzip') : error;
  }
}

function collect(stream: Readable, limit: BodyLimit): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit.bytes) {
        chunks.push(chunk);
        return;
      }
      stream.off('data', take).pause();
      chunks.length = 0;
      reject(tooLarge(limit));
    };
    stream.on('data', take);
    stream.on('end', () => resolve(Buffer.concat(chunks, size)));
    stream.on('error', reject);
    stream.on('close', () => reject(hungUp()));
  });
}

function hungUp(): InvalidInput {
  return new InvalidInput('the connection ended before the body did');
}

/**
 * For an answer given before the body was read to its end. The sender may be writing still, and a reset would take the
 * answer from it: what comes is thrown away for a moment, then the connection ends.
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

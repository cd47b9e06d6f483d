/** The side of the thread: reads a state while its chunks arrive. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { constants, createBrotliCompress } from 'node:zlib';
import { unpackLines } from './lines.ts';
import {
  type ChunkMessage,
  type CreateStateParser,
  type StateParser,
  StateReadError,
  type StateReply,
} from './types.ts';

/** States compress well even at the quickest levels. */
const QUALITY = 3;

/** @param createParser reads the bytes; its refusals are part of the reply, because errors lose their class on the way */
export async function readState(port: MessagePort, createParser: CreateStateParser): Promise<StateReply> {
  const hash = createHash('sha256');
  const packer = createPacker();
  const parser = createParser((resource) => packer.add(`${JSON.stringify(resource)}\n`));
  try {
    for await (const chunk of receive(port)) {
      hash.update(chunk);
      parser.write(chunk);
      await packer.settle();
    }
    const facts = parser.end();
    const resources = await redactAll(await packer.end(), parser);
    return { ...facts, content_hash: hash.digest('hex'), resources };
  } catch (error) {
    if (error instanceof StateReadError) return { refused: error.message };
    throw error;
  } finally {
    packer.close();
    port.close();
  }
}

async function* receive(port: MessagePort): AsyncIterable<Uint8Array> {
  for (;;) {
    const answered = once(port, 'message') as Promise<[ChunkMessage]>;
    port.postMessage('next');
    const [{ chunk }] = await answered;
    if (chunk === null) return;
    yield chunk;
  }
}

/** A secret can become known after the resources that repeat it, so all are read again. */
async function redactAll(packed: Uint8Array, parser: StateParser): Promise<Uint8Array> {
  const packer = createPacker();
  for await (const line of unpackLines(packed)) {
    packer.add(`${JSON.stringify(parser.redact(JSON.parse(line)))}\n`);
    await packer.settle();
  }
  return packer.end();
}

/** Compresses texts as they come; only the compressed bytes stay in memory. */
function createPacker() {
  const stream = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  const packed: Buffer[] = [];
  let is_full = false;
  stream.on('data', (bytes: Buffer) => packed.push(bytes));
  return {
    add(text: string): void {
      is_full = !stream.write(text);
    },
    async settle(): Promise<void> {
      if (is_full) await once(stream, 'drain');
      is_full = false;
    },
    async end(): Promise<Uint8Array> {
      stream.end();
      await once(stream, 'end');
      return Uint8Array.from(Buffer.concat(packed));
    },
    close: () => void stream.destroy(),
  };
}

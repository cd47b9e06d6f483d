import type { MessagePort } from 'node:worker_threads';
import type { ChunkMessage } from './types.ts';

/**
 * Sends a chunk whenever the thread asks for one; the body is read no faster than that.
 *
 * @returns resolves when the body has been sent or the port was closed
 * @throws errors of the body
 */
export async function feed(body: AsyncIterable<Uint8Array>, port: MessagePort): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    while (await isAsked(port)) {
      const { done, value } = await chunks.next();
      send(port, done === true ? null : value);
      if (done === true) return;
    }
  } finally {
    // Closes the connection of a body that was not read to its end.
    await chunks.return?.();
  }
}

/** @returns false if the port was closed instead */
function isAsked(port: MessagePort): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (asked: boolean) => () => {
      port.off('message', onMessage);
      port.off('close', onClose);
      resolve(asked);
    };
    const onMessage = answer(true);
    const onClose = answer(false);
    port.on('message', onMessage);
    port.on('close', onClose);
  });
}

/** A chunk can be a view of a buffer that others use, so a copy is transferred. */
function send(port: MessagePort, chunk: Uint8Array | null): void {
  const own = chunk === null ? null : Uint8Array.from(chunk);
  port.postMessage({ chunk: own } satisfies ChunkMessage, own === null ? [] : [own.buffer]);
}

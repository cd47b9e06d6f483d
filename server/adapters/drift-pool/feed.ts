import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { DriftInput, DriftPart } from './types.ts';

/**
 * Sends one part of the input whenever the thread asks for one.
 *
 * @returns resolves when everything has been sent or the port was closed
 * @throws errors of the input
 */
export async function feed(input: DriftInput, port: MessagePort): Promise<void> {
  const parts = listParts(input)[Symbol.asyncIterator]();
  const closed = once(port, 'close').then(() => 'closed' as const);
  try {
    for (;;) {
      const asked = await Promise.race([once(port, 'message'), closed]);
      if (asked === 'closed') return;
      const { done, value } = await parts.next();
      if (done === true) return;
      send(port, value);
    }
  } finally {
    await parts.return?.(undefined);
  }
}

async function* listParts({ previous, states, live }: DriftInput): AsyncGenerator<DriftPart> {
  for await (const keys of previous) yield { kind: 'previous', keys };
  for (const { read, ...state } of states) {
    yield { kind: 'state', state, resources: read === null ? null : Uint8Array.from(await read()) };
  }
  for await (const resources of live) yield { kind: 'live', resources };
  yield { kind: 'end' };
}

function send(port: MessagePort, part: DriftPart): void {
  const owned = part.kind === 'state' && part.resources !== null ? [part.resources.buffer as ArrayBuffer] : [];
  port.postMessage(part, owned);
}

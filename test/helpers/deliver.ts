import type { IncomingDelivery, Received } from '../../server/domains/webhooks/types.ts';

const PART_BYTES = 7;

/** Sends a body to a receiver in chunks, as from a socket. */
export async function deliver(reception: IncomingDelivery | Promise<IncomingDelivery>, raw: Buffer): Promise<Received> {
  const { update, end } = await reception;
  const part_bytes = Math.max(PART_BYTES, raw.length / 50);
  for (let at = 0; at < raw.length; at += part_bytes) update(raw.subarray(at, at + part_bytes));
  return end(raw)();
}

/** Hashes of the tree of RFC 6962. */
import { createHash } from 'node:crypto';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The largest power of two up to `count`; 0 for 0. */
export function largestPower(count: number): number {
  if (count < 1) return 0;
  let power = 1;
  while (2 * power <= count) power *= 2;
  return power;
}

export function hashLeaf(leaf: Uint8Array): Uint8Array {
  return sha256(LEAF, leaf);
}

export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(NODE, left, right);
}

export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** Verifies proofs of the tree of RFC 6962 without its leaves. */
import { hashLeaf, hashNode, largestPower, toHex } from './merkle-hash.ts';

/**
 * The root that a proof leads to.
 *
 * @param path of `prove`; hashes of 64 hex digits
 * @returns 64 lowercase hex digits; null if no tree of this size has such a path
 * @see RFC 9162, 2.1.3.2
 */
export function computeProvenRoot(
  leaf: Uint8Array,
  { index, size, path }: { index: number; size: number; path: readonly string[] },
): string | null {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return null;
  let [place, last] = [index, size - 1];
  let hash = hashLeaf(leaf);
  for (const sibling of path) {
    if (last === 0) return null;
    const other = Buffer.from(sibling, 'hex');
    if (isOdd(place) || place === last) {
      hash = hashNode(other, hash);
      // A node without a right neighbor moves up unchanged until it is a right child.
      while (!isOdd(place) && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      hash = hashNode(hash, other);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? toHex(hash) : null;
}

/**
 * Whether a proof leads from an earlier root to a later one, so that the later tree only appends leaves.
 *
 * @param path of `proveConsistency`; hashes of 64 hex digits
 * @see RFC 9162, 2.1.4.2
 */
export function isConsistent(
  first: { size: number; root: string },
  second: { size: number; root: string },
  path: readonly string[],
): boolean {
  if (!Number.isSafeInteger(second.size) || first.size < 1 || first.size > second.size) return false;
  if (first.size === second.size) return path.length === 0 && first.root === second.root;
  const hashes = path.map((hash) => Buffer.from(hash, 'hex'));
  // A full earlier tree is a subtree of the later one, and its root is the first hash.
  if (largestPower(first.size) === first.size) hashes.unshift(Buffer.from(first.root, 'hex'));
  const [start, ...rest] = hashes;
  if (start === undefined) return false;
  let [place, last] = [first.size - 1, second.size - 1];
  while (isOdd(place)) [place, last] = [half(place), half(last)];
  let [first_hash, second_hash]: Uint8Array[] = [start, start];
  for (const hash of rest) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      first_hash = hashNode(hash, first_hash as Uint8Array);
      second_hash = hashNode(hash, second_hash as Uint8Array);
      while (!isOdd(place) && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      second_hash = hashNode(second_hash as Uint8Array, hash);
    }
    [place, last] = [half(place), half(last)];
  }
  return (
    last === 0 && toHex(first_hash as Uint8Array) === first.root && toHex(second_hash as Uint8Array) === second.root
  );
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

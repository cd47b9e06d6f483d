/** The tree of RFC 6962 over the hashes of a chain: one entry can be proven without showing any other. */
import { createHash } from 'node:crypto';

const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export interface MerkleTree {
  /** Appends a leaf. @param leaf the bytes that the leaf stands for */
  add(leaf: Uint8Array): void;
  readonly size: number;
  /** Root of all leaves so far, 64 lowercase hex digits. */
  root(): string;
}

/** Computes roots while leaves are appended; keeps one hash for each bit of the size. @see RFC 6962, 2.1 */
export function createMerkleTree(): MerkleTree {
  /** Roots of full trees, the largest first. */
  const full: { leaves: number; hash: Uint8Array }[] = [];
  let size = 0;
  return {
    add(leaf) {
      let added = { leaves: 1, hash: hashLeaf(leaf) };
      for (let last = full.at(-1); last?.leaves === added.leaves; last = full.at(-1)) {
        full.pop();
        added = { leaves: 2 * added.leaves, hash: hashNode(last.hash, added.hash) };
      }
      full.push(added);
      size += 1;
    },
    get size() {
      return size;
    },
    root() {
      const [last, ...larger] = full.map(({ hash }) => hash).reverse();
      return toHex(larger.reduce((right, left) => hashNode(left, right), last ?? sha256()));
    },
  };
}

export interface MerkleProver {
  /** Appends a leaf. */
  add(leaf: Uint8Array): void;
  readonly size: number;
  root(): string;
  /**
   * The hashes that lead from a leaf to the root, the lowest first.
   *
   * @param index from 0, below `size`
   */
  prove(index: number): string[];
}

/** Keeps the hashes of all leaves, 32 bytes each. @see RFC 6962, 2.1.1 */
export function createMerkleProver(): MerkleProver {
  let hashes = new Uint8Array(1_024 * HASH_BYTES);
  let size = 0;

  function add(leaf: Uint8Array): void {
    if ((size + 1) * HASH_BYTES > hashes.length) {
      const larger = new Uint8Array(2 * hashes.length);
      larger.set(hashes);
      hashes = larger;
    }
    hashes.set(hashLeaf(leaf), size * HASH_BYTES);
    size += 1;
  }

  /** Root of the leaves from `start` to before `end`. */
  function computeRoot(start: number, end: number): Uint8Array {
    if (end - start === 1) return hashes.subarray(start * HASH_BYTES, end * HASH_BYTES);
    const middle = start + splitAt(end - start);
    return hashNode(computeRoot(start, middle), computeRoot(middle, end));
  }

  function prove(index: number): string[] {
    const path: string[] = [];
    for (let [start, end] = [0, size]; end - start > 1; ) {
      const middle = start + splitAt(end - start);
      const is_left = index < middle;
      path.push(toHex(is_left ? computeRoot(middle, end) : computeRoot(start, middle)));
      [start, end] = is_left ? [start, middle] : [middle, end];
    }
    return path.reverse();
  }

  return {
    add,
    get size() {
      return size;
    },
    root: () => toHex(size === 0 ? sha256() : computeRoot(0, size)),
    prove,
  };
}

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

/** The largest power of two below `count`, which is at least 2. Sizes can exceed 32 bits. */
function splitAt(count: number): number {
  let split = 1;
  while (2 * split < count) split *= 2;
  return split;
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function hashLeaf(leaf: Uint8Array): Uint8Array {
  return sha256(LEAF, leaf);
}

function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(NODE, left, right);
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The tree of RFC 6962 over the hashes of a chain: one entry can be proven without showing any other. */
import { hashLeaf, hashNode, largestPower, sha256, toHex } from './merkle-hash.ts';

const HASH_BYTES = 32;

export interface MerkleTree {
  /** Appends a leaf. @param leaf the bytes that the leaf stands for */
  add(leaf: Uint8Array): void;
  readonly size: number;
  /** Root of all leaves so far, 64 lowercase hex digits. */
  root(): string;
  /** What a tree continues from: the roots of its full subtrees, the largest first, 64 lowercase hex digits each. */
  subtrees(): string[];
}

/** A tree without its leaves. */
export interface MerkleState {
  size: number;
  /** @see MerkleTree.subtrees */
  subtrees: readonly string[];
}

/**
 * Computes roots while leaves are appended; keeps one hash for each bit of the size.
 *
 * @param state continues a tree; by default an empty one
 * @throws RangeError if the state does not have one subtree for each bit of its size
 * @see RFC 6962, 2.1
 */
export function createMerkleTree(state: MerkleState = { size: 0, subtrees: [] }): MerkleTree {
  /** Roots of full trees, the largest first. */
  const full = readSubtrees(state);
  let size = state.size;
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
    subtrees: () => full.map(({ hash }) => toHex(hash)),
  };
}

function readSubtrees({ size, subtrees }: MerkleState): { leaves: number; hash: Uint8Array }[] {
  const full: { leaves: number; hash: Uint8Array }[] = [];
  let rest = size;
  for (const root of subtrees) {
    const leaves = largestPower(rest);
    full.push({ leaves, hash: Buffer.from(root, 'hex') });
    rest -= leaves;
  }
  if (rest !== 0 || full.some(({ leaves }) => leaves === 0)) throw new RangeError('not the state of a tree');
  return full;
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
  /**
   * The hashes that show that the first leaves are those of an earlier, smaller tree.
   *
   * @param first number of leaves of the earlier tree, from 1 to `size`
   * @see RFC 6962, 2.1.2
   */
  proveConsistency(first: number): string[];
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

  function proveConsistency(first: number): string[] {
    const path: string[] = [];
    let [start, end, is_prefix] = [0, size, true];
    // Down to the subtree that ends where the earlier tree ends.
    while (first < end) {
      const middle = start + splitAt(end - start);
      if (first <= middle) {
        path.push(toHex(computeRoot(middle, end)));
        end = middle;
      } else {
        path.push(toHex(computeRoot(start, middle)));
        [start, is_prefix] = [middle, false];
      }
    }
    // The root of the earlier tree is known to whoever verifies.
    if (!is_prefix) path.push(toHex(computeRoot(start, end)));
    return path.reverse();
  }

  return {
    add,
    get size() {
      return size;
    },
    root: () => toHex(size === 0 ? sha256() : computeRoot(0, size)),
    prove,
    proveConsistency,
  };
}

/** The largest power of two below `count`, which is at least 2. Sizes can exceed 32 bits. */
function splitAt(count: number): number {
  return largestPower(count - 1);
}

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createMerkleProver, createMerkleTree } from '../../../engine/audit/merkle.ts';
import { computeProvenRoot, isConsistent } from '../../../engine/audit/merkle-verify.ts';

/** Leaves and roots of the reference implementation of Certificate Transparency. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const toBytes = (hex: string) => Buffer.from(hex, 'hex');

function grow(leaves: readonly Uint8Array[]) {
  const tree = createMerkleTree();
  const prover = createMerkleProver();
  for (const leaf of leaves) {
    tree.add(leaf);
    prover.add(leaf);
  }
  return { tree, prover };
}

test.each(ROOTS.map((root, size) => [size, root] as const))(
  'the tree of %d leaves has the published root',
  (size, root) => {
    const { tree, prover } = grow(LEAVES.slice(0, size).map(toBytes));

    expect([tree.size, tree.root(), prover.root()]).toEqual([size, root, root]);
  },
);

test('the proof of a leaf in a tree of seven is the one of RFC 6962', () => {
  const { prover } = grow(LEAVES.slice(0, 7).map(toBytes));

  // d6 is the leaf without a neighbor: its path is [g, k] in the figure of section 2.1.3, so it has two hashes.
  expect([0, 3, 4, 6].map((index) => prover.prove(index).length)).toEqual([3, 3, 3, 2]);
});

describe('a proof', () => {
  const leaves = fc.array(fc.uint8Array({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 70 });
  const grown = leaves.chain((all) => fc.tuple(fc.constant(all), fc.nat({ max: all.length - 1 })));

  test('leads from every leaf to the root', () => {
    fc.assert(
      fc.property(grown, ([all, index]) => {
        const { tree, prover } = grow(all);
        const path = prover.prove(index);
        expect(computeProvenRoot(all[index]!, { index, size: all.length, path })).toBe(tree.root());
      }),
    );
  });

  test('leads from no other leaf, place, size or path to the root', () => {
    fc.assert(
      fc.property(grown, fc.nat({ max: 80 }), ([all, index], other) => {
        const { tree, prover } = grow(all);
        const path = prover.prove(index);
        const leaf = all[index]!;
        const size = all.length;
        const claims: [Uint8Array, { index: number; size: number; path: string[] }][] = [
          [Uint8Array.of(...leaf, 1), { index, size, path }],
          [leaf, { index, size, path: [...path, tree.root()] }],
        ];
        if (path.length > 0) claims.push([leaf, { index, size, path: path.slice(1) }]);
        if (other !== index && path.length > 0) claims.push([leaf, { index: other, size, path }]);
        for (const [bytes, claim] of claims) {
          // Equal leaves can have the same path at two places.
          if (claim.index !== index && Buffer.from(all[claim.index] ?? []).equals(leaf)) continue;
          expect(computeProvenRoot(bytes, claim)).not.toBe(tree.root());
        }
      }),
    );
  });

  test.each([
    [-1, 4],
    [4, 4],
    [0, 0],
    [0.5, 4],
    [0, Number.NaN],
  ])('of place %d in a tree of %d is none', (index, size) => {
    expect(computeProvenRoot(toBytes('00'), { index, size, path: [] })).toBeNull();
  });
});

describe('a proof of consistency', () => {
  const sized = fc
    .array(fc.uint8Array({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 70 })
    .chain((all) => fc.tuple(fc.constant(all), fc.integer({ min: 1, max: all.length })));
  const computeRoot = (leaves: readonly Uint8Array[]) => ({ size: leaves.length, root: grow(leaves).tree.root() });

  test('leads from every earlier root to the later one', () => {
    fc.assert(
      fc.property(sized, ([all, size]) => {
        const path = grow(all).prover.proveConsistency(size);
        expect(isConsistent(computeRoot(all.slice(0, size)), computeRoot(all), path)).toBe(true);
      }),
    );
  });

  test('does not exist for a tree whose earlier leaves were changed', () => {
    fc.assert(
      fc.property(sized, fc.nat(), ([all, size], at) => {
        const changed = all.map((leaf, place) => (place === at % size ? Uint8Array.of(...leaf, 1) : leaf));
        const path = grow(changed).prover.proveConsistency(size);
        expect(isConsistent(computeRoot(all.slice(0, size)), computeRoot(changed), path)).toBe(false);
      }),
    );
  });

  test('is refused with a hash more, a hash less, or a changed one', () => {
    fc.assert(
      fc.property(sized, fc.nat(), ([all, size], at) => {
        const path = grow(all).prover.proveConsistency(size);
        const [first, second] = [computeRoot(all.slice(0, size)), computeRoot(all)];
        expect(isConsistent(first, second, [...path, first.root])).toBe(false);
        if (path.length === 0) return;
        expect(isConsistent(first, second, path.slice(1))).toBe(false);
        const place = at % path.length;
        const changed = path.map((hash, index) =>
          index === place ? `${hash.slice(1)}${hash[0] === '0' ? '1' : '0'}` : hash,
        );
        expect(isConsistent(first, second, changed)).toBe(false);
      }),
    );
  });

  test('from three leaves to seven is the one of RFC 6962', () => {
    // Section 2.1.3: the proof from hash0 to hash is [c, d, g, l].
    expect(grow(LEAVES.slice(0, 7).map(toBytes)).prover.proveConsistency(3)).toHaveLength(4);
  });
});

test('a tree that continues from its subtrees has the same roots as one that never stopped', () => {
  const leaves = fc.array(fc.uint8Array({ minLength: 1, maxLength: 4 }), { maxLength: 70 });
  fc.assert(
    fc.property(leaves, leaves, (before, after) => {
      const { tree } = grow(before);
      const continued = createMerkleTree({ size: tree.size, subtrees: tree.subtrees() });
      for (const leaf of after) continued.add(leaf);
      expect(continued.root()).toBe(grow([...before, ...after]).tree.root());
    }),
  );
});

test.each([
  [{ size: 3, subtrees: ['00'.repeat(32)] }],
  [{ size: 1, subtrees: ['00'.repeat(32), '00'.repeat(32)] }],
  [{ size: 1, subtrees: [] }],
])('a state that is not that of a tree is refused', (state) => {
  expect(() => createMerkleTree(state)).toThrow('not the state of a tree');
});

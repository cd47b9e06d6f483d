import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPathTree, touchesPath } from '../../../engine/changes/path-tree.ts';

const segment = fc.constantFrom<string | number>('a', 'b', 0, '0');
const path = fc.array(segment, { maxLength: 4 });

describe('a tree of paths', () => {
  test('touches a path that equals, extends or is a prefix of one of its paths', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 4 }), path, (paths, place) => {
        const expected = paths.some((known) => {
          const shared = Math.min(known.length, place.length);
          return known.slice(0, shared).every((step, i) => step === place[i]);
        });

        expect(touchesPath(createPathTree(paths), place)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('touches nothing when it has no paths', () => {
    expect(touchesPath(createPathTree([]), [])).toBe(false);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileWildcard, matchesWildcard } from '../../../../../engine/risk/attributes/identity/wildcard.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 8 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*', '?'), maxLength: 6 });

describe('a compiled pattern', () => {
  test('matches the same texts as the pattern itself', () => {
    fc.assert(
      fc.property(pattern, text, (pattern, text) => compileWildcard(pattern)(text) === matchesWildcard(pattern, text)),
      { numRuns: 2000 },
    );
  });

  test('does not use a character for both its prefix and its suffix', () => {
    expect(compileWildcard('aws_*_policy')('aws_policy')).toBe(false);
    expect(compileWildcard('aws_*_policy')('aws_iam_policy')).toBe(true);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileWildcard, matchesWildcard } from '../../../../../engine/risk/attributes/identity/wildcard.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 8 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*', '?'), maxLength: 6 });

describe('a compiled pattern', () => {
  test('matches the texts that the pattern matches, and no other', () => {
    fc.assert(
      fc.property(pattern, text, (pattern, text) => compileWildcard(pattern)(text) === matchesWildcard(pattern, text)),
      { numRuns: 2000 },
    );
  });

  test('takes no character for both its beginning and its end', () => {
    expect(compileWildcard('aws_*_policy')('aws_policy')).toBe(false);
    expect(compileWildcard('aws_*_policy')('aws_iam_policy')).toBe(true);
  });
});

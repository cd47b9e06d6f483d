import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holdsBase64Text } from '../../../engine/redact/base64-start.ts';

const PATTERN = /(?<![A-Za-z0-9+/_-])(?:[CDI-Za-f][A-Za-z0-9+/_-]{3}){4}/;

test('the search finds what the pattern of base64 text finds', () => {
  const character = fc.constantFrom(...'CDIZafghGH019+/_- =é.');
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 40 }), (text) => {
      expect(holdsBase64Text(text)).toBe(PATTERN.test(text));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['encoded text', Buffer.from('hello, my world').toString('base64'), true],
  ['encoded text after a space', ` ${Buffer.from('hello, my world').toString('base64')}`, true],
  ['the end of a longer word', `0${Buffer.from('hello, my world').toString('base64')}`, false],
  ['a short word', 'SGVsbG8=', false],
])('%s', (_, text, expected) => {
  expect(holdsBase64Text(text)).toBe(expected);
});

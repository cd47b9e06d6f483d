import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeNumbers, encodeNumbers } from '../../../engine/effects/varint.ts';

test('five bits of a number go into each character', () => {
  expect(encodeNumbers([0, 31, 32, 1024])).toBe('Afg' + 'B' + 'ggB');
});

test('numbers survive encoding', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 40)), (numbers) => {
      expect(decodeNumbers(encodeNumbers(numbers))).toEqual(numbers);
    }),
  );
});

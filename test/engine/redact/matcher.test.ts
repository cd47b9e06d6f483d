import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildMatcher } from '../../../engine/redact/matcher.ts';

function mask(keys: string[], text: string): string {
  return buildMatcher(keys, 6, 256).mask(text, '#');
}

/** Brute-force reference: covers every character inside any occurrence and replaces each covered run with one mask. */
function maskSlowly(keys: string[], text: string): string {
  const covered = new Array<boolean>(text.length).fill(false);
  for (const key of keys) {
    for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) covered.fill(true, at, at + key.length);
  }
  return [...covered.keys()].map((i) => (covered[i] ? (covered[i - 1] ? '' : '#') : text[i])).join('');
}

describe('the matcher', () => {
  test.each<[string[], string, string]>([
    [['secret'], 'no such thing', 'no such thing'],
    [['secret'], 'secret', '#'],
    [['secret'], 'a secret, two secrets', 'a #, two #s'],
    [['secret', 'secretive'], 'secretive secretiv', '# #iv'],
    [['abcdef', 'defghi'], 'xabcdefghix', 'x#x'],
    [['abcdef'], 'abcdefabcdef', '#'],
    [['abcdefghijkl', 'cdefgh'], 'xabcdefghijklx', 'x#x'],
    [['short'], 'short', 'short'],
    [['aaaaaa', 'aaaaaab', 'aaaaaabb'], 'aaaaaabbb', '#b'],
  ])('masks %j in %s', (keys, text, expected) => {
    expect(mask(keys, text)).toBe(expected);
  });

  test('returns the same text if nothing is found', () => {
    const text = 'nothing here to see';

    expect(Object.is(mask(['secret'], text), text)).toBe(true);
  });

  test('matches the beginning of a long key and masks everything after it', () => {
    const key = 'x'.repeat(300);

    expect(mask([key], `a ${key} b`)).toBe('a #');
    expect(mask([key], `a ${'x'.repeat(256)} b`)).toBe('a #');
    expect(mask([key], `a ${'x'.repeat(255)} b`)).toBe(`a ${'x'.repeat(255)} b`);
  });

  test('finds the same matches as a search for each key', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 12 });
    const picks = fc.array(fc.oneof(fc.nat(7), fc.constantFrom('a', 'b', '-')), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 8 }), picks, (keys, parts) => {
        const text = parts.map((part) => (typeof part === 'number' ? (keys[part] ?? '') : part)).join('');

        expect(mask(keys, text)).toBe(maskSlowly(keys, text));
      }),
      { numRuns: 500 },
    );
  });

  test('searches thousands of similar keys in one pass', () => {
    const keys = Array.from({ length: 3000 }, (_, i) => `${'a'.repeat(6 + (i % 240))}${i}`);
    const matcher = buildMatcher(keys, 6, 256);

    expect(matcher.mask('a'.repeat(200_000), '#')).toHaveLength(200_000);
  });
});

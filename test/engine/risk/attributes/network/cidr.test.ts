import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contains, isVastPublic, isWholeInternet, parseCidr } from '../../../../../engine/lib/cidr.ts';

describe('parseCidr', () => {
  test.each([
    ['10.1.2.3/8', { family: 4, address: 10n << 24n, prefix: 8 }],
    ['10.1.2.3', { family: 4, address: 167838211n, prefix: 32 }],
    ['::/0', { family: 6, address: 0n, prefix: 0 }],
    ['2001:db8::/32', { family: 6, address: 0x20010db8n << 96n, prefix: 32 }],
    ['::ffff:1.2.3.4', { family: 6, address: 0xffff01020304n, prefix: 128 }],
  ])('parses %s', (text, expected) => {
    expect(parseCidr(text)).toEqual(expected);
  });

  test.each([
    '',
    '*',
    '10.0.0/8',
    '10.0.0.256',
    '10.0.0.0/33',
    '1::2::3',
    ':::',
    '::/129',
    '10.0.0.0/-1',
    'sg-12345678',
    '1:2:3:4:5:6:7:8:9',
  ])('returns undefined for %p', (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });
});

describe('isWholeInternet', () => {
  test.each([
    ['0.0.0.0/0', true],
    ['8.8.8.8/0', true],
    ['0.0.0.0/1', true],
    ['128.0.0.0/2', false],
    ['::/0', true],
    ['2000::/3', true],
    ['2000::/4', false],
  ])('returns for %s: %p', (text, expected) => {
    expect(isWholeInternet(parseCidr(text)!)).toBe(expected);
  });
});

describe('isVastPublic', () => {
  test.each([
    ['0.0.0.0/0', true],
    ['128.0.0.0/2', true],
    ['8.0.0.0/6', true],
    ['8.0.0.0/8', true],
    ['8.0.0.0/9', false],
    ['10.0.0.0/8', false],
    ['172.0.0.0/8', true],
    ['0.0.0.0/7', true],
    ['224.0.0.0/3', false],
    ['2000::/4', true],
    ['2600::/12', true],
    ['2600::/16', true],
    ['2600::/20', false],
    ['fc00::/7', false],
  ])('returns for %s: %p', (text, expected) => {
    expect(isVastPublic(parseCidr(text)!)).toBe(expected);
  });
});

test('a block contains every block with a longer prefix and a common address', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 32 }), (address, a, b) => {
      const [wide, narrow] = [parseCidr(`${address}/${Math.min(a, b)}`)!, parseCidr(`${address}/${Math.max(a, b)}`)!];
      expect(contains(wide, narrow)).toBe(true);
      expect(contains(narrow, wide)).toBe(a === b);
    }),
  );
});

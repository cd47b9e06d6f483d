import { expect, test } from '@jest/globals';
import { keepsHost, narrowsNetworks } from '../../../../../engine/risk/attributes/moves/places.ts';

test('addresses of one host differ from those of two', () => {
  expect(keepsHost('https://a.example/v1', 'https://A.example/v2?x=1')).toBe(true);
  expect(keepsHost('https://a.example/v1', 'https://a.example.net/v1')).toBe(false);
  expect(keepsHost('a.example', 'a.example')).toBe(false);
});

test.each([
  [['10.0.0.0/8'], ['10.1.0.0/16'], true],
  [['10.0.0.0/8', '203.0.113.0/24'], ['203.0.113.0/25'], true],
  [['10.0.0.0/8', '203.0.113.0/24'], ['10.0.0.0/8'], false],
  [['10.1.0.0/16'], ['10.0.0.0/8'], false],
  [['10.0.0.0/8'], [], false],
  [['10.0.0.0/8'], ['a'], false],
])('from %j to %j networks become smaller: %s', (before, after, expected) => {
  expect(narrowsNetworks(before, after)).toBe(expected);
});

import { describe, expect, test } from '@jest/globals';
import { looksLike } from '../../../../engine/risk/destinations/look-alike.ts';

describe('an owner', () => {
  test.each([
    ['example-shop.net', 'example-shop.com'],
    ['brightl00m.net', 'brightloom.net'],
    ['brightlom.net', 'brightloom.net'],
    ['brightloom-login.net', 'brightloom.net'],
  ])('%s is easily taken for %s', (owner, known) => {
    expect(looksLike(owner, known)).toBe(true);
  });

  test.each([
    ['bank-b.example', 'bank-a.example'],
    ['cluster-2.example', 'cluster-1.example'],
    ['zone-b-mail.example', 'zone-a-mail.example'],
    ['unrelated.example', 'brightloom.net'],
  ])('%s is not taken for %s', (owner, known) => {
    expect(looksLike(owner, known)).toBe(false);
  });
});

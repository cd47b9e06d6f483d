import { expect, test } from '@jest/globals';
import { createCredential, toCacheKey } from '../../server/lib/credential.ts';

test('the digest of a credential is SHA-256 of its token', () => {
  expect(createCredential('api_key', 'abc').digest.toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('the cache key distinguishes kinds of credentials and does not contain the token', () => {
  const keys = [toCacheKey(createCredential('api_key', 'abc')), toCacheKey(createCredential('bearer', 'abc'))];

  expect(new Set(keys).size).toBe(2);
  expect(keys.join()).not.toContain('abc');
});

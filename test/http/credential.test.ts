import { expect, test } from '@jest/globals';
import { readCredential } from '../../server/http/request/credential.ts';

test('a request is read and its credential hashed once', () => {
  const request = { headersDistinct: { 'x-api-key': ['abc'] } };

  expect(readCredential(request)).toBe(readCredential(request));
  expect(readCredential({ ...request })).not.toBe(readCredential(request));
});

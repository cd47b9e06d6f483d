import { expect, test } from '@jest/globals';
import { createCiKeyProvider } from '../../cli/src/ci-token.ts';
import type { Client } from '../../sdk/src/index.ts';

/** A service whose keys expire after this many seconds. */
function createKeys({ renewable, expires_in }: { renewable: boolean; expires_in: number }) {
  const exchanged: unknown[] = [];
  const call = async (_operation: string, { body }: { body: { subject_token: string } }) => {
    exchanged.push(body.subject_token);
    return { access_token: `dpa_${exchanged.length}`, expires_in };
  };
  let given = 0;
  const get = async () => `token-${++given}`;
  const options = { org_id: 'org', audience: 'aud', idTokens: { get, renewable } };
  return { keys: createCiKeyProvider({ call } as unknown as Pick<Client, 'call'>, options), exchanged };
}

test.each([true, false])('a valid key is reused (renewable token source: %s)', async (renewable) => {
  const { keys, exchanged } = createKeys({ renewable, expires_in: 60 });

  expect([await keys(), await keys()]).toEqual(['dpa_1', 'dpa_1']);
  expect(exchanged).toEqual(['token-1']);
});

test('a key that is about to expire is replaced with a new token', async () => {
  const { keys, exchanged } = createKeys({ renewable: true, expires_in: 20 });

  expect([await keys(), await keys()]).toEqual(['dpa_1', 'dpa_2']);
  expect(exchanged).toEqual(['token-1', 'token-2']);
});

test('with only one token, the key is used until it expires, and then reported as expired', async () => {
  const lasting = createKeys({ renewable: false, expires_in: 20 });
  expect([await lasting.keys(), await lasting.keys()]).toEqual(['dpa_1', 'dpa_1']);

  const short = createKeys({ renewable: false, expires_in: 0 });
  await short.keys();
  await expect(short.keys()).rejects.toThrow('increase ttl_seconds of the trust');
});

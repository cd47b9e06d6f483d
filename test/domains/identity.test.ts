import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createIdentity } from '../../server/domains/identity/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { type TestDatabase, testDatabase } from '../helpers/database.ts';

describe('signing in', () => {
  let database: TestDatabase;
  let now = new Date('2026-05-01T10:00:00.000Z');
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  /** An identity whose tokens are JSON: what a verifier made of them. */
  const identityOf = () =>
    createIdentity({
      db: database.db,
      now: () => now,
      verifyToken: async (token) => ({ expires_at: new Date(now.getTime() + 600_000), ...JSON.parse(token) }),
    });
  const tokenOf = (login: object) =>
    JSON.stringify({ issuer: 'urn:idp', subject: newId(), display_name: 'Ana', ...login, nonce: newId() });
  const signIn = (login: object) => identityOf().authenticate({ kind: 'bearer', token: tokenOf(login) });

  test('a first login makes a user, the next one finds it', async () => {
    const login = { subject: 'ana', email: 'ana@example.com' };

    const first = await signIn(login);
    const second = await signIn(login);

    expect(first.user).toMatchObject({ email: 'ana@example.com', display_name: 'Ana', is_platform_admin: false });
    expect(second.user.id).toBe(first.user.id);
  });

  test('fifty first logins of one person at once end in one user', async () => {
    const login = { subject: 'rush', email: 'rush@example.com' };

    const principals = await Promise.all(Array.from({ length: 50 }, () => signIn(login)));

    expect(new Set(principals.map((principal) => principal.user.id)).size).toBe(1);
  });

  test('a changed email and name are taken over', async () => {
    await signIn({ subject: 'moves', email: 'old@example.com', display_name: 'Old' });

    const { user } = await signIn({ subject: 'moves', email: 'new@example.com', display_name: 'New' });

    expect(user).toMatchObject({ email: 'new@example.com', display_name: 'New' });
  });

  test("another person with a live user's email is refused, and nothing is merged", async () => {
    await signIn({ subject: 'owner-of-mail', email: 'one@example.com' });

    await expect(signIn({ subject: 'impostor', email: 'one@example.com' })).rejects.toMatchObject({
      status: 403,
      error_class: 'identity_conflict',
    });
    expect(await database.db('users').where({ subject: 'impostor' })).toEqual([]);
  });

  test('a deactivated user is refused, also when the cached principal has run out', async () => {
    const { user } = await signIn({ subject: 'gone', email: 'gone@example.com' });
    await database.db('users').where({ id: user.id }).update({ deleted_at: now });

    await expect(signIn({ subject: 'gone', email: 'gone@example.com' })).rejects.toMatchObject({
      status: 403,
      error_class: 'user_deactivated',
    });
  });

  test('a login is written down at most every five minutes', async () => {
    const login = { subject: 'often', email: 'often@example.com' };
    const { user } = await signIn(login);
    const seen = () => database.db('users').where({ id: user.id }).first('last_login_at');
    const first = await seen();

    now = new Date(now.getTime() + 60_000);
    await signIn(login);
    expect(await seen()).toEqual(first);

    now = new Date(now.getTime() + 300_000);
    await signIn(login);
    expect((await seen()).last_login_at).toEqual(now);
  });

  test('an unknown API key is 401', async () => {
    await expect(identityOf().authenticate({ kind: 'api_key', token: 'dpa_x' })).rejects.toMatchObject({
      status: 401,
      error_class: 'invalid_api_key',
    });
  });
});

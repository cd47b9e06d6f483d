import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createAllowlist } from '../../../server/domains/allowlist/index.ts';
import { createApiKeys } from '../../../server/domains/api-keys/index.ts';
import { createIdentity } from '../../../server/domains/identity/index.ts';
import { type AuthzChange, createAuthzBus } from '../../../server/lib/authz-bus.ts';
import { createCredential } from '../../../server/lib/credential.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { addMember, makeOrg, makeUser } from '../../helpers/people.ts';
import { recordedAudit } from '../../helpers/recorded-audit.ts';

let database: TestDatabase;
let now = new Date('2026-05-01T10:00:00.000Z');
const audit = recordedAudit();
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  audit.events.length = 0;
});

/** One process of the service; its tokens are JSON: the result of a verifier. */
function instance({ publish = () => {} }: { publish?: (change: AuthzChange) => void } = {}) {
  const { db, platform_db, sweeper_db } = database;
  const authz = createAuthzBus(publish);
  const clock = () => now;
  let verified = 0;
  const settings = { allowed_emails: ['root@away.example'], seed_domains: [], trusted_issuer: 'urn:dev' };
  const allowlist = createAllowlist({ platform_db, audit, authz, now: clock, settings });
  const apiKeys = createApiKeys({
    db,
    platform_db,
    sweep_db: sweeper_db,
    orgs: { assertRoom: async () => {} },
    audit,
    authz,
    log: { warn: () => {} },
    now: clock,
  });
  const identity = createIdentity({
    platform_db,
    allowlist,
    apiKeys,
    audit,
    authz,
    now: clock,
    async verifyToken(token) {
      verified += 1;
      return { expires_at: new Date(now.getTime() + 600_000), ...JSON.parse(token) };
    },
  });
  const bearer = (token: string) => identity.authenticate(createCredential('bearer', token));
  return {
    ...identity,
    authz,
    allowlist,
    apiKeys,
    bearer,
    signIn: (login: object) => bearer(encodeToken(login)),
    byKey: (token: string) => identity.authenticate(createCredential('api_key', token)),
    verified: () => verified,
    /** What `GET /admin/me` does. */
    async askIfAdmin(principal: Principal) {
      await identity.claimFirstAdmin(principal);
      return identity.isPlatformAdmin(principal);
    },
  };
}

function encodeToken(login: object): string {
  return JSON.stringify({ issuer: 'urn:dev', subject: newId(), display_name: 'Ana', ...login, nonce: newId() });
}

const refusal = (error_class: string) => ({ status: 403, error_class });

describe('signing in', () => {
  test('a first sign-in creates a user, and the next one finds it', async () => {
    const login = { subject: 'ana', email: 'ana@example.com' };

    const first = await instance().signIn(login);
    const second = await instance().signIn(login);

    expect(first).toEqual({
      user: { id: first.user.id, email: 'ana@example.com', display_name: 'Ana', is_platform_admin: false },
      credential: 'oidc',
      credential_id: first.user.id,
      key: null,
    });
    expect(second.user.id).toBe(first.user.id);
  });

  test('fifty concurrent first sign-ins of one person on two instances create one user', async () => {
    const login = { subject: 'rush', email: 'rush@example.com' };
    const instances = [instance(), instance()];

    const principals = await Promise.all(Array.from({ length: 50 }, (_, at) => instances[at % 2]!.signIn(login)));

    expect(new Set(principals.map((principal) => principal.user.id)).size).toBe(1);
  });

  test('a changed email and name are stored', async () => {
    await instance().signIn({ subject: 'moves', email: 'old@example.com', display_name: 'Old' });

    const { user } = await instance().signIn({ subject: 'moves', email: 'new@example.com', display_name: 'New' });

    expect(user).toMatchObject({ email: 'new@example.com', display_name: 'New' });
  });

  test('another person with the email of an existing user is rejected, and nothing is merged', async () => {
    const { signIn } = instance();
    await signIn({ subject: 'owner-of-mail', email: 'one@example.com' });
    await signIn({ subject: 'second', email: 'two@example.com' });

    await expect(signIn({ subject: 'impostor', email: 'one@example.com' })).rejects.toMatchObject(
      refusal('identity_conflict'),
    );
    await expect(signIn({ subject: 'second', email: 'one@example.com' })).rejects.toMatchObject(
      refusal('identity_conflict'),
    );
    expect(await database.admin_db('users').where({ subject: 'impostor' })).toEqual([]);
    expect(await database.admin_db('users').where({ subject: 'second' }).first('email')).toEqual({
      email: 'two@example.com',
    });
  });

  test('of twenty people with one email who sign in concurrently, one is accepted', async () => {
    const { signIn } = instance();

    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signIn({ email: 'crowd@example.com' })));

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.error_class] : []));
    expect(new Set(reasons)).toEqual(new Set(['identity_conflict']));
  });

  test('the email of a deleted user can be used by another person', async () => {
    const { user } = await instance().signIn({ subject: 'left', email: 'desk@example.com' });
    await database.admin_db('users').where({ id: user.id }).update({ deleted_at: now });

    const successor = await instance().signIn({ subject: 'came', email: 'desk@example.com' });

    expect(successor.user.id).not.toBe(user.id);
  });

  test('a sign-in is recorded at most every five minutes', async () => {
    const login = { subject: 'often', email: 'often@example.com' };
    const { user } = await instance().signIn(login);
    const seen = () => database.admin_db('users').where({ id: user.id }).first('last_login_at');
    const first = await seen();

    now = new Date(now.getTime() + 300_000);
    await instance().signIn(login);
    expect(await seen()).toEqual(first);

    now = new Date(now.getTime() + 1);
    await instance().signIn(login);
    expect((await seen()).last_login_at).toEqual(now);
  });

  test('a token is verified once while it is cached, and a thousand concurrent requests are one sign-in', async () => {
    const { bearer, verified } = instance();
    const token = encodeToken({ email: 'steady@example.com' });

    await Promise.all(Array.from({ length: 1_000 }, () => bearer(token)));
    await bearer(token);

    expect(verified()).toBe(1);
  });

  test('a token is not cached beyond its expiration', async () => {
    const { bearer, verified } = instance();
    const token = encodeToken({ email: 'brief@example.com', expires_at: now });

    await bearer(token).catch(() => {});
    await bearer(token).catch(() => {});

    expect(verified()).toBe(2);
  });
});

describe('the allowlist at sign-in', () => {
  const stranger = (email: string) => ({ issuer: 'https://idp.example', email });

  test('the error names the rejected domain but not the list, and no user is created', async () => {
    const { signIn } = instance();

    const refused = signIn({ ...stranger('eve@evil.example'), subject: 'eve' });

    await expect(refused).rejects.toMatchObject({
      ...refusal('domain_not_allowed'),
      message: 'sign-ins from the domain "evil.example" are not allowed here',
    });
    expect(await database.admin_db('users').where({ subject: 'eve' })).toEqual([]);
  });

  test('break-glass addresses and users of the trusted issuer can sign in', async () => {
    const { signIn } = instance();

    expect(await signIn(stranger('root@away.example'))).toMatchObject({ user: { email: 'root@away.example' } });
    expect(await signIn({ issuer: 'urn:dev', email: 'dev@evil.example' })).toMatchObject({ credential: 'oidc' });
  });

  test('removing a domain ends the sessions and API keys of its users immediately', async () => {
    const { signIn, bearer, byKey, allowlist, apiKeys } = instance();
    const admin = await makeUser(database.admin_db);
    const { id } = await allowlist.add(admin, { domain: 'guest.example' });
    const token = encodeToken(stranger('ana@guest.example'));
    const ana = await bearer(token);
    const org = await makeOrg(database.admin_db, { owner: ana });
    const { key } = await apiKeys.create(ana, org, { name: 'CI', scopes: ['read'] });
    await byKey(key);

    await allowlist.remove(admin, id);

    await expect(bearer(token)).rejects.toMatchObject(refusal('domain_not_allowed'));
    await expect(byKey(key)).rejects.toMatchObject(refusal('domain_not_allowed'));
    await expect(signIn(stranger('bob@guest.example'))).rejects.toMatchObject(refusal('domain_not_allowed'));
  });

  test('an existing user whose email moved to another domain is rejected, and the stored user is unchanged', async () => {
    const { signIn, allowlist } = instance();
    await allowlist.add(await makeUser(database.admin_db), { domain: 'home.example' });
    await signIn({ ...stranger('ana@home.example'), subject: 'mover' });

    const moved = signIn({ ...stranger('ana@elsewhere.example'), subject: 'mover' });

    await expect(moved).rejects.toMatchObject(refusal('domain_not_allowed'));
    const { email } = await database.admin_db('users').where({ subject: 'mover' }).first('email');
    expect(email).toBe('ana@home.example');
  });

  test('a deactivated user gets the error user_deactivated, whatever the allowlist says', async () => {
    await database.admin_db('users').insert({
      id: newId(),
      issuer: 'https://idp.example',
      subject: 'banned',
      email: 'banned@evil.example',
      display_name: 'B',
      deleted_at: now,
    });

    const back = instance().signIn({ ...stranger('banned@evil.example'), subject: 'banned' });

    await expect(back).rejects.toMatchObject(refusal('user_deactivated'));
  });
});

describe('API keys', () => {
  async function keyed() {
    const here = instance();
    const owner = await here.signIn({ email: `${newId()}@example.com` });
    const org = await makeOrg(database.admin_db, { owner });
    const { record, key } = await here.apiKeys.create(owner, org, { name: 'CI', scopes: ['analysis:write'] });
    return { here, owner, org, record, key };
  }

  test('an API key acts for its owner with its own scopes, and never as a platform admin', async () => {
    const { here, owner, org, record, key } = await keyed();
    await database.admin_db('users').where({ id: owner.user.id }).update({ is_platform_admin: true });

    expect(await here.byKey(key)).toEqual({
      user: { ...owner.user, is_platform_admin: false },
      credential: 'api_key',
      credential_id: record.id,
      key: { id: record.id, kind: 'standard', org_id: org, scopes: ['analysis:write'] },
    });
    expect(await here.isPlatformAdmin(await here.byKey(key))).toBe(true);
    expect((await here.getMe(await here.byKey(key))).user.is_platform_admin).toBe(true);
  });

  test('an API key sees only the membership in its own organization', async () => {
    const { here, owner, org, key } = await keyed();
    await addMember(database.admin_db, await makeOrg(database.admin_db), owner, 'admin');

    expect((await here.getMe(owner)).memberships).toHaveLength(2);
    const { user, memberships } = await here.getMe(await here.byKey(key));
    expect(user).toMatchObject({ id: owner.user.id, is_platform_admin: false });
    expect(memberships).toMatchObject([{ org_id: org, role: 'owner' }]);
  });

  test('a revoked API key ends immediately here, on broadcast elsewhere, and after 30 seconds without a broadcast', async () => {
    const clock = jest.spyOn(performance, 'now');
    try {
      clock.mockReturnValue(5_000_000);
      const { owner, org, record, key } = await keyed();
      const notified = instance();
      const lost = instance();
      const here = instance({ publish: (change) => notified.authz.receive(change) });
      await Promise.all([here, notified, lost].map((one) => one.byKey(key)));

      await here.apiKeys.revoke(owner, org, record.id);

      await expect(here.byKey(key)).rejects.toMatchObject({ status: 401 });
      await expect(notified.byKey(key)).rejects.toMatchObject({ status: 401 });
      await lost.byKey(key);
      clock.mockReturnValue(5_030_001);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await expect(lost.byKey(key)).rejects.toMatchObject({ status: 401, error_class: 'invalid_api_key' });
    } finally {
      clock.mockRestore();
    }
  });

  test('an API key is not cached beyond its expiration', async () => {
    const { here, owner, org } = await keyed();
    const expires_at = new Date(now.getTime() + 1).toISOString();
    const { key } = await here.apiKeys.create(owner, org, { name: 'brief', scopes: ['read'], expires_at });
    await here.byKey(key);

    now = new Date(now.getTime() + 1);
    await new Promise((resolve) => setTimeout(resolve, 10));

    await expect(here.byKey(key)).rejects.toMatchObject({ status: 401 });
  });

  test('an API key and a token with the same text are never confused', async () => {
    const { here, key } = await keyed();
    await here.byKey(key);

    await expect(here.bearer(key)).rejects.toThrow();
  });

  test('a cached API key is dropped when broadcasts may have been missed', async () => {
    const { here, record, key } = await keyed();
    await here.byKey(key);
    await database.admin_db('api_keys').where({ id: record.id }).update({ revoked_at: now });
    await here.byKey(key);

    here.authz.receive('everything');

    await expect(here.byKey(key)).rejects.toMatchObject({ status: 401 });
  });
});

describe('deleting a user', () => {
  test('a deletion ends sessions and keys, removes the admin flag, keeps memberships, and is audited', async () => {
    const here = instance();
    const admin = await makeUser(database.admin_db, 'admin@example.com');
    const token = encodeToken({ email: 'leaver@example.com' });
    const leaver = await here.bearer(token);
    const { id } = leaver.user;
    await database.admin_db('users').where({ id }).update({ is_platform_admin: true });
    const org = await makeOrg(database.admin_db, { owner: leaver });
    const { key } = await here.apiKeys.create(leaver, org, { name: 'CI', scopes: ['read'] });
    await here.byKey(key);
    audit.events.length = 0;

    await here.deleteUser(admin, id);

    await expect(here.bearer(token)).rejects.toMatchObject(refusal('user_deactivated'));
    await expect(here.byKey(key)).rejects.toMatchObject({ status: 401, error_class: 'invalid_api_key' });
    expect(await database.admin_db('users').where({ id }).first()).toMatchObject({
      deleted_at: now,
      is_platform_admin: false,
    });
    expect(await database.admin_db('memberships').where({ user_id: id })).toHaveLength(1);
    const detail = { user_id: id, email: 'leaver@example.com' };
    expect(audit.events).toEqual([{ action: 'user.deleted', org_id: null, actor_email: 'admin@example.com', detail }]);
    await expect(here.deleteUser(admin, id)).rejects.toMatchObject({ status: 404 });
  });

  test('deleting oneself or an unknown user is rejected', async () => {
    const admin = await makeUser(database.admin_db);

    await expect(instance().deleteUser(admin, admin.user.id)).rejects.toMatchObject({
      status: 409,
      error_class: 'cannot_delete_self',
    });
    await expect(instance().deleteUser(admin, newId())).rejects.toMatchObject({ status: 404 });
    expect(audit.events).toEqual([]);
  });
});

describe('the users of a deployment', () => {
  beforeEach(() => database.admin('truncate users cascade; update platform_totals set total = 0'));

  const listEmails = ({ users }: { users: { email: string }[] }) => users.map(({ email }) => email);

  test('users are listed newest first without deleted ones, with the right total', async () => {
    const here = instance();
    for (let count = 0; count < 5; count += 1) {
      now = new Date(now.getTime() + 1);
      await here.signIn({ email: `user-${count}@example.com` });
    }
    const [gone] = (await here.listUsers({ limit: 1, offset: 0 })).users;
    await here.deleteUser(await makeUser(database.admin_db, 'admin@example.com'), gone!.id);

    const page = await here.listUsers({ limit: 2, offset: 2 });

    expect(page.total).toBe(5);
    expect(listEmails(await here.listUsers({ limit: 100, offset: 0 }))).not.toContain(gone!.email);
    expect(listEmails(page)).toHaveLength(2);
  });

  test('users are found only by the beginning of email or name, in any case', async () => {
    const here = instance();
    await here.signIn({ email: 'ana@example.com', display_name: 'Zed' });
    await here.signIn({ email: 'bob@example.com', display_name: 'Anatol' });
    await here.signIn({ email: 'banana@example.com', display_name: 'Bo%b_' });
    const find = async (q: string) => {
      const found = await here.listUsers({ q, limit: 100, offset: 0 });
      expect(found.total).toBe(found.users.length);
      return listEmails(found).sort();
    };

    expect(await find('ANA')).toEqual(['ana@example.com', 'bob@example.com']);
    expect(await find('bo%')).toEqual(['banana@example.com']);
    expect(await find('b_')).toEqual([]);
    expect(await find('%')).toEqual([]);
    expect(await find('\\')).toEqual([]);
    expect(await find("' or true --")).toEqual([]);
    expect(await find('')).toHaveLength(3);
  });

  test('the total stays right under concurrent changes', async () => {
    const here = instance();
    const people = await Promise.all(
      Array.from({ length: 40 }, (_, at) => here.signIn({ email: `many-${at}@example.com` })),
    );
    const admin = people[0]!;

    await Promise.all(people.slice(1, 21).map(({ user }) => here.deleteUser(admin, user.id)));

    expect((await here.listUsers({ limit: 1, offset: 0 })).total).toBe(20);
  });
});

describe('the first platform admin', () => {
  beforeEach(() => database.admin('truncate users cascade; update platform_totals set total = 0'));

  const admins = async () => (await database.admin_db('users').where({ is_platform_admin: true })).length;

  test('the only user becomes platform admin by asking with a token, and stays it', async () => {
    const here = instance();
    const token = encodeToken({ email: 'first@example.com' });
    const first = await here.bearer(token);
    expect(first.user.is_platform_admin).toBe(false);

    expect(await here.askIfAdmin(first)).toBe(true);

    expect((await here.bearer(token)).user.is_platform_admin).toBe(true);
    expect(await here.askIfAdmin(await here.bearer(token))).toBe(true);
    const second = await here.signIn({ email: 'second@example.com' });
    expect(await here.askIfAdmin(second)).toBe(false);
    expect(await admins()).toBe(1);
  });

  test('reading whether the only user is platform admin changes nothing', async () => {
    const here = instance();
    const first = await here.signIn({ email: 'first@example.com' });

    expect(await here.isPlatformAdmin(first)).toBe(false);

    expect(await admins()).toBe(0);
  });

  test('no user becomes platform admin if there are two users or ever was another one', async () => {
    const here = instance();
    const first = await here.signIn({ email: 'first@example.com' });
    const second = await here.signIn({ email: 'second@example.com' });
    expect([await here.askIfAdmin(first), await here.askIfAdmin(second)]).toEqual([false, false]);

    await here.deleteUser(first, second.user.id);
    expect(await here.askIfAdmin(first)).toBe(false);
    expect(await admins()).toBe(0);
  });

  test('an API key does not create the first platform admin', async () => {
    const here = instance();
    const first = await here.signIn({ email: 'first@example.com' });
    const org = await makeOrg(database.admin_db, { owner: first });
    const { key } = await here.apiKeys.create(first, org, { name: 'CI', scopes: ['write'] });

    expect(await here.askIfAdmin(await here.byKey(key))).toBe(false);

    expect(await admins()).toBe(0);
  });

  test('fifty concurrent requests of one person on two instances create exactly one platform admin', async () => {
    for (let run = 0; run < 5; run += 1) {
      await database.admin('truncate users cascade');
      const instances = [instance(), instance()];
      const login = { subject: 'only', email: 'only@example.com' };

      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, at) => {
          const here = instances[at % 2]!;
          return here.askIfAdmin(await here.signIn(login));
        }),
      );

      expect(new Set(answers)).toEqual(new Set([true]));
      expect(await admins()).toBe(1);
    }
  });

  test('fifty people at once on two instances create at most one platform admin', async () => {
    for (let run = 0; run < 5; run += 1) {
      await database.admin('truncate users cascade');
      const instances = [instance(), instance()];

      await Promise.all(
        Array.from({ length: 50 }, async (_, at) => {
          const here = instances[at % 2]!;
          return here.askIfAdmin(await here.signIn({ email: `person-${at}@example.com` }));
        }),
      );

      expect(await admins()).toBeLessThanOrEqual(1);
    }
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createApiKeys } from '../../../server/domains/api-keys/index.ts';
import { formatKey, isKey, toDisplayPrefix } from '../../../server/domains/api-keys/key-format.ts';
import { countLiveKeys } from '../../../server/domains/api-keys/store.ts';
import type { ApiKeyInput } from '../../../server/domains/api-keys/types.ts';
import { type AuthzChange, createAuthzBus } from '../../../server/lib/authz-bus.ts';
import { createCredential } from '../../../server/lib/credential.ts';
import { PaymentRequired } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { recordedAudit } from '../../helpers/recorded-audit.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DAY_MS = 86_400_000;

describe('the format of a key', () => {
  const KNOWN = 'dpa_0123456789abcdefghijABCDEFGHIJklmnop4dL4wU';

  test('a key consists of a prefix, 36 characters and a checksum', () => {
    const secret = [...'0123456789abcdefghijABCDEFGHIJklmnop'].map((digit) => DIGITS.indexOf(digit));

    expect(formatKey(secret)).toBe(KNOWN);
    expect(isKey(KNOWN)).toBe(true);
    expect(createCredential('api_key', KNOWN).digest.toString('hex')).toBe(
      'aaba7c44ac27f907d4357aa7184e3f8d382e0d3805a92730fcc5daaff242a492',
    );
    expect(toDisplayPrefix(KNOWN)).toBe('dpa_01234567');
  });

  test('a small checksum is padded to six characters', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 61 }), { minLength: 36, maxLength: 36 }), (secret) => {
        const key = formatKey(secret);
        expect(key).toMatch(/^dpa_[0-9A-Za-z]{42}$/);
        expect(isKey(key)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a single wrong character is always detected', () => {
    const wrong = [...KNOWN].flatMap((char, at) =>
      [...DIGITS].filter((digit) => digit !== char).map((digit) => KNOWN.slice(0, at) + digit + KNOWN.slice(at + 1)),
    );

    expect(wrong.filter(isKey)).toEqual([]);
  });

  test.each([
    '',
    'dpa_',
    'dpa_x',
    `${KNOWN} `,
    ` ${KNOWN}`,
    `${KNOWN}\n`,
    KNOWN.slice(0, -1),
    `${KNOWN}0`,
    KNOWN.toUpperCase(),
  ])('%j is not a key', (text) => {
    expect(isKey(text)).toBe(false);
  });
});

describe('API keys', () => {
  let database: TestDatabase;
  let owner: Principal;
  let org: string;
  let now = new Date('2026-05-01T10:00:00.000Z');
  let room = Number.POSITIVE_INFINITY;
  const audit = recordedAudit();
  const announced: AuthzChange[] = [];
  const warnings: unknown[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    owner = await makeUser(database.admin_db);
    org = await makeOrg(database.admin_db, { owner });
    room = Number.POSITIVE_INFINITY;
    audit.broken = false;
    for (const list of [audit.events, announced, warnings]) list.length = 0;
  });

  function instance(overrides: Partial<Parameters<typeof createApiKeys>[0]> = {}) {
    const apiKeys = createApiKeys({
      db: database.db,
      platform_db: database.platform_db,
      sweep_db: database.sweeper_db,
      orgs: {
        async assertRoom(trx, orgId, resource) {
          const used = await countLiveKeys(trx, orgId, now);
          if (used < room) return;
          const limit = { message: 'full', limit: room, used, plan: 'free', required_plan: 'team', resource } as const;
          throw new PaymentRequired('plan_limit_exceeded', limit);
        },
      },
      audit,
      authz: createAuthzBus((change) => announced.push(change)),
      log: { warn: (...args: unknown[]) => warnings.push(args) },
      now: () => now,
      ...overrides,
    });
    const authenticate = (token: string) => apiKeys.authenticate(createCredential('api_key', token));
    return { ...apiKeys, authenticate };
  }
  const input = (fields: Partial<ApiKeyInput> = {}): ApiKeyInput => ({
    name: 'CI',
    scopes: ['analysis:write'],
    ...fields,
  });
  const inTenMinutes = () => new Date(now.getTime() + 600_000);
  const mint = (trust_id: string) => {
    const key = { name: 'run 1', scopes: ['scans:read'], user_id: owner.user.id, trust_id, expires_at: inTenMinutes() };
    return database.db.inOrg(org, (trx) => instance().mintEphemeral(trx, org, key));
  };
  const addTrust = async () => {
    const trust = { id: newId(), org_id: org, name: 'CI', issuer: 'https://idp.example', ttl_seconds: 600 };
    const conditions = JSON.stringify([{ claim: 'repository_id', op: 'eq', value: '1' }]);
    await database
      .admin_db('federation_trusts')
      .insert({ ...trust, conditions, scopes: ['scans:read'], created_by: owner.user.id });
    return trust.id;
  };
  const findRow = (id: string) => database.admin_db('api_keys').where({ id }).first();

  test('a new key is shown once, grants access to its organization as its creator, and is audited', async () => {
    const { create, authenticate, list } = instance();

    const { record, key } = await create(owner, org, input({ name: '  CI  ', scopes: ['read', 'analysis:write'] }));

    expect(await authenticate(key)).toEqual({
      key: { id: record.id, kind: 'standard', org_id: org, scopes: ['read', 'analysis:write'] },
      owner: { id: owner.user.id, email: owner.user.email, display_name: owner.user.display_name, issuer: 'urn:test' },
      expires_at: null,
    });
    const page = await list(org, { include_ephemeral: false, include_revoked: false }, { limit: 50, offset: 0 });
    expect(page).toEqual({ api_keys: [{ ...record, last_used_at: now }], total: 1 });
    expect(record).toMatchObject({ name: 'CI', kind: 'standard', key_prefix: key.slice(0, 12) });
    const { id: key_id, name, key_prefix, scopes } = record;
    expect(audit.events).toEqual([
      {
        action: 'api_key.created',
        org_id: org,
        actor_email: owner.user.email,
        detail: { key_id, name, key_prefix, scopes },
      },
    ]);
  });

  test('a key of a deleted user is listed as revoked, cannot be revoked again, and does not count in the plan', async () => {
    const { admin_db, db } = database;
    const leaving = await makeUser(admin_db);
    const { record } = await instance().create(leaving, org, input());
    const linked = await db.inOrg(org, (trx) =>
      instance().mintIntegration(trx, org, { name: 'acme/shop', user_id: leaving.user.id }),
    );
    const deleted_at = new Date('2026-05-01T09:00:00.000Z');
    await admin_db('users').where({ id: leaving.user.id }).update({ deleted_at });
    const list = (include_revoked: boolean) =>
      instance().list(org, { include_ephemeral: false, include_revoked }, { limit: 50, offset: 0 });

    const [live, all] = [await list(false), await list(true)];

    expect([live.total, live.api_keys.map(({ id }) => id)]).toEqual([1, [linked.id]]);
    expect(all.api_keys.find(({ id }) => id === record.id)).toMatchObject({ revoked_at: deleted_at, revoked_by: null });
    await expect(instance().revoke(owner, org, record.id)).rejects.toMatchObject({ status: 404 });
    room = 2;
    await instance().create(owner, org, input());
    await expect(instance().create(owner, org, input())).rejects.toMatchObject({ status: 402 });
  });

  test('no part of a key except its prefix is stored', async () => {
    const keys = [];
    for (let count = 0; count < 5; count++) keys.push((await instance().create(owner, org, input())).key);
    keys.push((await mint(await addTrust())).token);

    const { rows } = await database.admin_db.raw(
      `select string_agg(query_to_xml(format('select * from %s', oid::regclass), true, true, '')::text, '') as dump
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    expect(rows[0].dump).toContain(keys[0]!.slice(0, 12));
    for (const key of keys) {
      expect(rows[0].dump).not.toContain(key.slice(0, 14));
      expect(rows[0].dump).not.toContain(key.slice(13));
      expect(rows[0].dump).not.toContain(Buffer.from(key).toString('base64').slice(20));
    }
  });

  test('a hundred thousand malformed keys cause no database query', async () => {
    const asked = () => {
      throw new Error('the database was asked');
    };
    const platform_db = new Proxy(database.platform_db, { apply: asked, get: asked });
    const { authenticate } = instance({ platform_db });
    const random = (length: number) => Array.from({ length }, () => DIGITS[Math.floor(Math.random() * 62)]).join('');

    for (let count = 0; count < 100_000; count++) {
      const token = count % 3 === 0 ? random(46) : `dpa_${random(42)}`;
      const refusal = await authenticate(token).catch((error: unknown) => error);
      if ((refusal as { error_class?: string }).error_class !== 'invalid_api_key') throw new Error(`${token} passed`);
    }
  });

  test('the error is the same for every kind of invalid key', async () => {
    const { create, revoke, authenticate } = instance();
    const revoked = await create(owner, org, input());
    await revoke(owner, org, revoked.record.id);
    const expired = await create(owner, org, input({ expires_at: new Date(now.getTime() + 1_000).toISOString() }));
    const leaver = await makeUser(database.admin_db);
    const orphan = await create(leaver, org, input());
    await database.admin_db('users').where({ id: leaver.user.id }).update({ deleted_at: now });
    const gone = await makeOrg(database.admin_db, { owner });
    const homeless = await create(owner, gone, input());
    await database.admin_db('orgs').where({ id: gone }).update({ deleted_at: now });
    const unknown = formatKey(Array.from({ length: 36 }, () => 7));
    const before = now;
    now = new Date(now.getTime() + 1_000);

    const refusals = [];
    for (const key of [revoked.key, expired.key, orphan.key, homeless.key, unknown, 'dpa_x', '']) {
      refusals.push(
        await authenticate(key).then(
          () => 'passed',
          ({ status, error_class, message }) => ({ status, error_class, message }),
        ),
      );
    }

    now = before;
    expect(refusals[0]).toMatchObject({ status: 401, error_class: 'invalid_api_key' });
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
  });

  test.each([
    ['now', 0, false],
    ['in a millisecond', 1, true],
    ['in 366 days', 366 * DAY_MS, true],
    ['a millisecond later', 366 * DAY_MS + 1, false],
    ['yesterday', -DAY_MS, false],
  ])('the expiration "%s" (%s ms) is allowed: %s', async (_title, ahead_ms, fine) => {
    const expires_at = new Date(now.getTime() + ahead_ms).toISOString();
    const made = instance().create(owner, org, input({ expires_at }));

    if (fine) expect((await made).record.expires_at?.toISOString()).toBe(expires_at);
    else await expect(made).rejects.toMatchObject({ status: 400 });
  });

  test.each(['', '   ', 'a\u0000b', 'x'.repeat(101)])('the name %j is rejected', async (name) => {
    await expect(instance().create(owner, org, input({ name }))).rejects.toMatchObject({ status: 400 });
  });

  test("concurrent creations never exceed the plan's limit, and ended keys do not count", async () => {
    room = 3;
    const { create, revoke } = instance();

    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => create(owner, org, input())));

    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(made).toHaveLength(3);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([402]));
    expect(audit.events).toHaveLength(3);

    await revoke(owner, org, made[0]!.record.id);
    await create(owner, org, input({ expires_at: new Date(now.getTime() + 1).toISOString() }));
    await expect(create(owner, org, input())).rejects.toMatchObject({ status: 402 });
    now = new Date(now.getTime() + 1);
    await create(owner, org, input());
    await mint(await addTrust());
  });

  test('a revoked key ends immediately and permanently; revoking it again, or from another organization, is 404', async () => {
    const { create, revoke, authenticate, list } = instance();
    const { record, key } = await create(owner, org, input());
    const stranger = await makeUser(database.admin_db);
    const elsewhere = await makeOrg(database.admin_db, { owner: stranger });

    await expect(revoke(stranger, elsewhere, record.id)).rejects.toMatchObject({ status: 404 });
    await revoke(owner, org, record.id);

    await expect(authenticate(key)).rejects.toMatchObject({ status: 401 });
    await expect(revoke(owner, org, record.id)).rejects.toMatchObject({ status: 404 });
    await expect(revoke(owner, org, newId())).rejects.toMatchObject({ status: 404 });
    expect(announced).toEqual([{ what: 'key', id: record.id }]);
    expect(audit.events.at(-1)).toEqual({
      action: 'api_key.revoked',
      org_id: org,
      actor_email: owner.user.email,
      detail: { key_id: record.id, key_prefix: record.key_prefix },
    });
    const all = await list(org, { include_ephemeral: false, include_revoked: true }, { limit: 50, offset: 0 });
    expect(all.api_keys[0]).toMatchObject({
      revoked_at: now,
      revoked_by: { id: owner.user.id, email: owner.user.email },
    });
    expect(
      (await list(org, { include_ephemeral: false, include_revoked: false }, { limit: 50, offset: 0 })).total,
    ).toBe(0);
  });

  test('a revocation without its audit row is rolled back', async () => {
    const { create, revoke, authenticate } = instance();
    const { record, key } = await create(owner, org, input());
    audit.broken = true;

    await expect(revoke(owner, org, record.id)).rejects.toThrow('cannot be written');

    expect((await findRow(record.id)).revoked_at).toBeNull();
    expect(await authenticate(key)).toMatchObject({ key: { id: record.id } });
    expect(announced).toEqual([]);
  });

  test('of ten concurrent revocations, one succeeds and is audited', async () => {
    const { record } = await instance().create(owner, org, input());

    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => instance().revoke(owner, org, record.id)),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(audit.events.filter(({ action }) => action === 'api_key.revoked')).toHaveLength(1);
  });

  test('a use is recorded at most once a minute and never waits for a locked row', async () => {
    const { create, authenticate } = instance();
    const { record, key } = await create(owner, org, input());
    const noted = async () => (await findRow(record.id)).last_used_at;
    const first = now;
    await authenticate(key);
    expect(await noted()).toEqual(first);

    now = new Date(first.getTime() + 59_999);
    await authenticate(key);
    expect(await noted()).toEqual(first);

    now = new Date(first.getTime() + 60_000);
    await database.admin_db.transaction(async (trx) => {
      await trx('api_keys').where({ id: record.id }).forUpdate().select('id');
      await authenticate(key);
    });
    expect(await noted()).toEqual(first);

    await authenticate(key);
    expect(await noted()).toEqual(now);
  });

  test('a use that cannot be recorded does not fail the request', async () => {
    const { record, key } = await instance().create(owner, org, input());
    await database.admin(
      'revoke update on api_keys from app_platform; revoke update (last_used_at) on api_keys from app_platform',
    );
    try {
      expect(await instance().authenticate(key)).toMatchObject({ key: { id: record.id } });
      expect(warnings).toHaveLength(1);
    } finally {
      await database.admin('grant update (last_used_at) on api_keys to app_platform');
    }
  });

  test('the list is paged, newest first, and shows only keys of the organization', async () => {
    const { create, list } = instance();
    const stranger = await makeUser(database.admin_db);
    await create(stranger, await makeOrg(database.admin_db, { owner: stranger }), input());
    const ids = [];
    for (let count = 0; count < 5; count++) ids.unshift((await create(owner, org, input())).record.id);

    const all = { include_ephemeral: true, include_revoked: true };
    const page = await list(org, all, { limit: 2, offset: 1 });

    expect(page.total).toBe(5);
    expect(page.api_keys.map(({ id }) => id)).toEqual(ids.slice(1, 3));
  });

  test('the service roles can read and change only what they need', async () => {
    const denied = { code: '42501' };
    const { platform_db } = database;
    const { record } = await instance().create(owner, org, input());

    await expect(platform_db('api_keys').where({ id: record.id }).update({ revoked_at: null })).rejects.toMatchObject(
      denied,
    );
    await expect(platform_db('api_keys').where({ id: record.id }).delete()).rejects.toMatchObject(denied);
    await expect(
      database.db.inOrg(org, async (trx) =>
        trx('api_keys')
          .where({ id: record.id })
          .update({ scopes: ['write'] }),
      ),
    ).rejects.toMatchObject(denied);
    await expect(
      database.db.inOrg(org, async (trx) => trx('api_keys').where({ id: record.id }).delete()),
    ).rejects.toMatchObject(denied);
  });

  test('ended keys are deleted later: ephemeral ones after a day, revoked ones after 400 days', async () => {
    const { deleteEnded } = instance();
    const daysAgo = (days: number, ms = 0) => new Date(now.getTime() - days * DAY_MS - ms);
    const insert = async (name: string, fields: object) => {
      const key = { id: newId(), org_id: org, name, kind: 'standard', key_prefix: 'dpa_01234567', scopes: ['read'] };
      await database
        .admin_db('api_keys')
        .insert({ ...key, hash: createCredential('api_key', newId()).digest, user_id: owner.user.id, ...fields });
    };
    await insert('ephemeral, long over', { kind: 'ephemeral', expires_at: daysAgo(1, 1) });
    await insert('ephemeral, just over', { kind: 'ephemeral', expires_at: daysAgo(1) });
    await insert('revoked long ago', { revoked_at: daysAgo(400, 1), revoked_by: owner.user.id });
    await insert('revoked', { revoked_at: daysAgo(400), revoked_by: owner.user.id });
    await insert('expired long ago', { expires_at: daysAgo(500) });

    await deleteEnded();

    const left = await database.admin_db('api_keys').where({ org_id: org }).orderBy('name').pluck('name');
    expect(left).toEqual(['ephemeral, just over', 'expired long ago', 'revoked']);
  });

  test('an ephemeral key works with its scopes until it expires, and is neither counted nor listed', async () => {
    const { authenticate, list } = instance();
    const { token } = await mint(await addTrust());

    expect(await authenticate(token)).toMatchObject({ expires_at: inTenMinutes(), key: { scopes: ['scans:read'] } });
    const page = { limit: 50, offset: 0 };
    expect((await list(org, { include_ephemeral: false, include_revoked: false }, page)).total).toBe(0);
    expect((await list(org, { include_ephemeral: true, include_revoked: false }, page)).total).toBe(1);
  });

  test('a key of an integration outlives the person who linked it, counts as a key, and ends with the link', async () => {
    const { mintIntegration, revokeIn, authenticate, create } = instance();
    const { id, token, detail } = await database.db.inOrg(org, (trx) =>
      mintIntegration(trx, org, { name: 'acme/shop', user_id: owner.user.id }),
    );
    room = 1;
    await expect(create(owner, org, input())).rejects.toMatchObject({ status: 402 });
    await database.admin_db('users').where({ id: owner.user.id }).update({ deleted_at: now });

    const scopes = ['analysis:write', 'analysis:read'];
    expect((await authenticate(token)).key).toEqual({ id, kind: 'integration', org_id: org, scopes });
    expect(detail).toEqual({ key_id: id, name: 'acme/shop', key_prefix: token.slice(0, 12), scopes });

    expect(await database.db.inOrg(org, (trx) => revokeIn(trx, org, id, null))).toBe(true);
    await expect(authenticate(token)).rejects.toMatchObject({ error_class: 'invalid_api_key' });
    expect(audit.events.at(-1)).toMatchObject({ action: 'api_key.revoked', actor_email: '', detail: { key_id: id } });
    expect(await database.db.inOrg(org, (trx) => revokeIn(trx, org, id, null))).toBe(false);
  });
});

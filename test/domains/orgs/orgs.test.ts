import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { addMember, makeOrg, makeUser } from '../../helpers/people.ts';
import { minutesLater, type OrgsUnderTest, outcomes, setUpOrgs } from './setup.ts';

const PAGE = { limit: 10, offset: 0 };

describe('organizations', () => {
  let under: OrgsUnderTest;
  let ana: Principal;
  beforeAll(async () => {
    under = await setUpOrgs();
    ana = await makeUser(under.database.admin_db, 'ana@example.com');
  });
  afterAll(() => under.database.close());

  const member = () => makeUser(under.database.admin_db);
  const toKeyPrincipal = (owner: Principal, org_id: string): Principal => ({
    ...owner,
    credential: 'api_key',
    credential_id: newId(),
    key: { id: newId(), kind: 'standard', org_id, scopes: ['org:read'] },
  });

  test('the creator of an organization becomes its owner, on the free plan', async () => {
    const owner = await member();

    const org = await under.orgs.create(owner, { slug: 'acme', display_name: '  Acme  ' });

    expect(org).toMatchObject({ slug: 'acme', display_name: 'Acme', plan: 'free', created_at: under.clock.now });
    expect(await under.orgs.findContext(owner, org.id)).toEqual({ id: org.id, role: 'owner' });
    expect(await under.orgs.list(owner, PAGE)).toMatchObject({ orgs: [{ id: org.id, role: 'owner' }], total: 1 });
  });

  test('creating an organization writes one audit row in the same transaction', async () => {
    const org = await under.orgs.create(ana, { slug: 'logged', display_name: 'L' });

    expect(under.audit.selectEvents(org.id)).toEqual([
      { action: 'org.created', org_id: org.id, actor_email: 'ana@example.com', detail: { slug: 'logged' } },
    ]);
    expect(under.audit.in_transaction.at(-1)?.works_in).toBe(org.id);
  });

  test('an organization whose audit row cannot be written is not created', async () => {
    const { orgs, audit } = under.another();
    audit.recordIn = async () => {
      throw new Error('the log is away');
    };

    await expect(orgs.create(ana, { slug: 'unlogged', display_name: 'U' })).rejects.toThrow('the log is away');

    expect(await under.database.admin_db('orgs').where({ slug: 'unlogged' })).toEqual([]);
  });

  test('of ten concurrent organizations with one slug, one is created', async () => {
    const owner = await member();

    const ways = await outcomes(
      Array.from({ length: 10 }, () => under.orgs.create(owner, { slug: 'contested', display_name: 'C' })),
    );

    expect(ways).toEqual({ ok: 1, slug_taken: 9 });
    expect((await under.orgs.list(owner, PAGE)).total).toBe(1);
  });

  test.each([
    ['only spaces', '   '],
    ['a line break', 'a\nb'],
    ['101 characters', 'é'.repeat(101)],
  ])('a display name of %s is rejected', async (_title, display_name) => {
    await expect(under.orgs.create(ana, { slug: 'named', display_name })).rejects.toMatchObject({ status: 400 });
  });

  test("the caller's organizations are listed newest first; a key sees only its own", async () => {
    const owner = await member();
    const [old, middle, young] = [newId(), newId(), newId()].map((id) => `own-${id.slice(-12)}`);
    for (const slug of [old, middle, young]) {
      await under.orgs.create(owner, { slug: slug!, display_name: 'O' });
      under.clock.now = minutesLater(under.clock.now, 1);
    }

    const listed = await under.orgs.list(owner, { limit: 2, offset: 0 });
    expect(listed.orgs.map(({ slug }) => slug)).toEqual([young, middle]);
    expect(listed.total).toBe(3);
    const { id } = listed.orgs[1]!;
    const seen = await under.orgs.list(toKeyPrincipal(owner, id), PAGE);
    expect(seen).toMatchObject({ orgs: [{ id, role: 'owner' }], total: 1 });
  });

  test('the encrypted noise key of another organization cannot be decrypted', async () => {
    const [a, b] = [
      await under.orgs.create(ana, { slug: 'key-a', display_name: 'A' }),
      await under.orgs.create(ana, { slug: 'key-b', display_name: 'B' }),
    ];
    expect((await under.orgs.noiseKey(a.id)).equals(await under.orgs.noiseKey(b.id))).toBe(false);

    const { admin_db } = under.database;
    const { noise_key_ct } = await admin_db('orgs').where({ id: b.id }).first('noise_key_ct');
    await admin_db('orgs').where({ id: a.id }).update({ noise_key_ct });

    await expect(under.orgs.noiseKey(a.id)).rejects.toThrow();
  });

  test('a new name is trimmed, stored and audited once', async () => {
    const org = await makeOrg(under.database.admin_db, { owner: ana });

    const renamed = await under.orgs.update(ana, org, { display_name: ' Cafe\u0301 ' });
    await under.orgs.update(ana, org, { display_name: 'Caf\u00e9' });

    expect(renamed.display_name).toBe('Caf\u00e9');
    expect(await under.orgs.get(org)).toEqual(renamed);
    expect(under.audit.selectEvents(org)).toEqual([
      { action: 'org.updated', org_id: org, actor_email: 'ana@example.com', detail: { display_name: 'Caf\u00e9' } },
    ]);
  });

  describe('settings', () => {
    const DEFAULTS = {
      state_source_secrets: 'verbatim',
      default_notify_channel: null,
      notify_quiet_hours: null,
      notify_digest_at: null,
      notify_timezone: 'UTC',
      pr_comment_mode: 'upsert',
      pr_fail_on: null,
      fork_pr_policy: 'comment',
      send_values_to_llm: 'redacted',
      count_llm_concerns: false,
    };

    test('settings that were never changed have defaults, and changes are merged', async () => {
      const org = await makeOrg(under.database.admin_db);
      expect(await under.orgs.getSettings(org)).toEqual(DEFAULTS);

      await under.orgs.updateSettings(ana, org, { pr_fail_on: 'high', pr_comment_mode: 'off' });
      const settings = await under.orgs.updateSettings(ana, org, { pr_fail_on: null });

      expect(settings).toEqual({ ...DEFAULTS, pr_comment_mode: 'off' });
      expect(await under.orgs.getSettings(org)).toEqual(settings);
    });

    test('the audit row names the changed keys, and is written only for a change', async () => {
      const org = await makeOrg(under.database.admin_db);

      await under.orgs.updateSettings(ana, org, {
        pr_comment_mode: 'upsert',
        pr_fail_on: 'low',
        fork_pr_policy: 'ignore',
      });
      await under.orgs.updateSettings(ana, org, { pr_fail_on: 'low' });

      expect(under.audit.selectEvents(org).map(({ detail }) => detail)).toEqual([
        { keys: ['fork_pr_policy', 'pr_fail_on'] },
      ]);
    });

    test('two concurrent changes of settings are both kept', async () => {
      const org = await makeOrg(under.database.admin_db);

      await Promise.all([
        under.orgs.updateSettings(ana, org, { pr_fail_on: 'low' }),
        under.another().orgs.updateSettings(ana, org, { send_values_to_llm: 'names_only' }),
      ]);

      expect(await under.orgs.getSettings(org)).toMatchObject({ pr_fail_on: 'low', send_values_to_llm: 'names_only' });
    });
  });

  describe('limits', () => {
    test('every limit is listed with its usage and overrides', async () => {
      const { admin_db } = under.database;
      const org = await makeOrg(admin_db, { owner: ana, plan: 'team' });
      await addMember(admin_db, org, await member(), 'viewer');
      await under.orgs.invitations.create(ana, org, { email: 'guest@example.com', role: 'viewer' });
      await admin_db('org_limits').insert({ org_id: org, name: 'seats', value: 40 });
      const scan = { org_id: org, kind: 'cloud', scan_type: 'manual' };
      await admin_db('scan_runs').insert([
        { ...scan, id: newId() },
        { ...scan, id: newId(), status: 'running' },
        { ...scan, id: newId(), status: 'done', finished_at: new Date() },
        { ...scan, id: newId(), kind: 'analysis' },
      ]);
      const leaver = await makeUser(admin_db);
      await admin_db('users').where({ id: leaver.user.id }).update({ deleted_at: new Date() });
      const key = { org_id: org, user_id: ana.user.id, name: 'k', kind: 'standard', key_prefix: 'dpa_12345678' };
      const hash = () => Buffer.from(`${newId()}${newId()}`.replaceAll('-', ''), 'hex');
      const keys = [
        key,
        { ...key, kind: 'integration' },
        { ...key, kind: 'ephemeral', expires_at: minutesLater(under.clock.now, 10) },
        { ...key, revoked_at: new Date() },
        { ...key, user_id: leaver.user.id },
        { ...key, expires_at: minutesLater(under.clock.now, -1) },
      ];
      for (const row of keys)
        await admin_db('api_keys').insert({ ...row, id: newId(), hash: hash(), scopes: ['read'] });

      const { plan, limits, features, overrides } = await under.orgs.limits(org);

      expect({ plan, overrides }).toEqual({ plan: 'team', overrides: ['seats'] });
      expect(features).toContain('sso');
      expect(limits).toEqual([
        { resource: 'seats', limit: 40, used: 3 },
        { resource: 'schedules', limit: 25, used: 0 },
        { resource: 'schedule_interval', limit: 60, used: 0 },
        { resource: 'state_sources', limit: 100, used: 0 },
        { resource: 'cloud_accounts', limit: 20, used: 0 },
        { resource: 'concurrent_scans', limit: 5, used: 2 },
        { resource: 'custom_rules', limit: 100, used: 0 },
        { resource: 'known_owners', limit: 200, used: 0 },
        { resource: 'api_keys', limit: 50, used: 2 },
        { resource: 'webhook_configs', limit: 50, used: 0 },
        { resource: 'llm_weekly', limit: -1, used: 0 },
        { resource: 'llm_hourly', limit: 20, used: 0 },
        { resource: 'analyses_hourly', limit: 30, used: 0 },
      ]);
    });

    test('requests are allowed up to the limit of the organization', async () => {
      const { admin_db, db } = under.database;
      const org = await makeOrg(admin_db);
      const owner = await makeUser(admin_db);
      const ask = () => db.inOrg(org, (trx) => under.orgs.assertRoom(trx, org, 'api_keys'));

      await makeKeys(admin_db, org, owner, 2);
      await ask();
      await makeKeys(admin_db, org, owner, 1);
      await expect(ask()).rejects.toMatchObject({ status: 402, extra: { body: { required_plan: 'team' } } });
      await admin_db('org_limits').insert({ org_id: org, name: 'api_keys', value: 4 });
      await ask();
      await makeKeys(admin_db, org, owner, 1);
      await expect(ask()).rejects.toMatchObject({ status: 402, extra: { body: { limit: 4, required_plan: null } } });
    });

    test('the role for one organization cannot raise its own limits', async () => {
      const org = await makeOrg(under.database.admin_db);
      const raise = under.database.db.inOrg(org, (trx) =>
        trx('org_limits').insert({ org_id: org, name: 'seats', value: 9 }),
      );
      await expect(raise).rejects.toMatchObject({ code: '42501' });
    });
  });

  describe('the organization in a path', () => {
    test('an organization that does not exist, or of which the caller is not a member, has no context', async () => {
      const org = await makeOrg(under.database.admin_db, { owner: ana });

      expect(await under.orgs.findContext(await member(), org)).toBeUndefined();
      expect(
        await under.orgs.findContext({ ...ana, user: { ...ana.user, is_platform_admin: true } }, newId()),
      ).toBeUndefined();
    });

    test.each([
      ['an expired membership', 'expired'],
      ['a deleted user', 'deleted'],
      ['a deleted organization', 'org deleted'],
    ])('%s gives no access', async (_title, how) => {
      const { admin_db } = under.database;
      const bo = await member();
      const org = await makeOrg(admin_db, { owner: bo });
      if (how === 'expired')
        await admin_db('memberships').where({ org_id: org }).update({ expires_at: under.clock.now });
      if (how === 'deleted') await admin_db('users').where({ id: bo.user.id }).update({ deleted_at: under.clock.now });
      if (how === 'org deleted') await admin_db('orgs').where({ id: org }).update({ deleted_at: under.clock.now });

      expect(await under.orgs.findContext(bo, org)).toBeUndefined();
    });

    test('a key gives access only to its own organization, and without a role after its owner has left', async () => {
      const { admin_db } = under.database;
      const bo = await member();
      const org = await makeOrg(admin_db);
      const id = await addMember(admin_db, org, bo, 'member');
      const other = await makeOrg(admin_db, { owner: bo });
      const key = toKeyPrincipal(bo, org);

      expect(await under.orgs.findContext(key, org)).toEqual({ id: org, role: 'member' });
      expect(await under.orgs.findContext(key, other)).toBeUndefined();
      await under.orgs.admin.deleteMembership(ana, id);
      expect(await under.orgs.findContext(key, org)).toEqual({ id: org, role: null });
      expect((await under.orgs.list(key, PAGE)).total).toBe(0);

      const integration = { ...key, key: { ...key.key!, kind: 'integration' as const } };
      expect(await under.orgs.findContext(integration, org)).toEqual({ id: org, role: 'member' });
      expect(await under.orgs.findContext(integration, other)).toBeUndefined();
    });

    test('a role is cached until the permissions of its user change', async () => {
      const { admin_db } = under.database;
      const bo = await member();
      const org = await makeOrg(admin_db);
      const id = await addMember(admin_db, org, bo, 'member');
      const role = async () => (await under.orgs.findContext(bo, org))?.role;
      const set = (to: string) => admin_db('memberships').where({ id }).update({ role: to });

      expect(await role()).toBe('member');
      await set('admin');
      expect(await role()).toBe('member');
      under.authz.announce({ what: 'user', id: ana.user.id });
      under.authz.announce({ what: 'allowlist' });
      expect(await role()).toBe('member');
      under.authz.announce({ what: 'user', id: bo.user.id });
      expect(await role()).toBe('admin');
      await set('viewer');
      under.authz.receive('everything');
      expect(await role()).toBe('viewer');
    });

    test('a member added by another process has access immediately', async () => {
      const bo = await member();
      const org = await makeOrg(under.database.admin_db);
      expect(await under.orgs.findContext(bo, org)).toBeUndefined();

      await addMember(under.database.admin_db, org, bo, 'viewer');

      expect(await under.orgs.findContext(bo, org)).toEqual({ id: org, role: 'viewer' });
    });

    test('the activity of a member is recorded every five minutes at most', async () => {
      const { admin_db } = under.database;
      const bo = await member();
      const org = await makeOrg(admin_db, { owner: bo });
      const lastActive = async () =>
        (await admin_db('memberships').where({ org_id: org }).first('last_active_at')).last_active_at;
      const come = async () => {
        under.authz.receive('everything');
        await under.orgs.findContext(bo, org);
      };
      const first = under.clock.now;

      await come();
      while ((await lastActive()) === null);
      expect(await lastActive()).toEqual(first);
      under.clock.now = minutesLater(first, 5);
      await come();
      under.clock.now = minutesLater(first, 6);
      await come();
      while ((await lastActive()).getTime() === first.getTime());
      expect(await lastActive()).toEqual(minutesLater(first, 6));
    });

    test('a request is served even if the activity of its member cannot be recorded', async () => {
      const bo = await member();
      const org = await makeOrg(under.database.admin_db, { owner: bo });
      await under.database.admin('revoke update on memberships from app_rw');
      try {
        expect(await under.another().orgs.findContext(bo, org)).toEqual({ id: org, role: 'owner' });
      } finally {
        await under.database.admin('grant update on memberships to app_rw');
      }
    });
  });
});

async function makeKeys(
  admin_db: OrgsUnderTest['database']['admin_db'],
  org_id: string,
  { user }: Principal,
  count: number,
) {
  for (let n = 0; n < count; n += 1) {
    const hash = Buffer.from(`${newId()}${newId()}`.replaceAll('-', ''), 'hex');
    const key = {
      id: newId(),
      org_id,
      user_id: user.id,
      name: 'k',
      kind: 'standard',
      key_prefix: 'dpa_12345678',
      hash,
    };
    await admin_db('api_keys').insert({ ...key, scopes: ['read'] });
  }
}

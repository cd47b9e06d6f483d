import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { addMember, makeOrg, makeUser } from '../../helpers/people.ts';
import { minutesLater, type OrgsUnderTest, setUpOrgs } from './setup.ts';

describe('organizations in platform administration', () => {
  let under: OrgsUnderTest;
  let root: Principal;
  beforeAll(async () => {
    under = await setUpOrgs();
    root = await makeUser(under.database.admin_db, 'root@example.com');
    root.user.is_platform_admin = true;
  });
  afterAll(() => under.database.close());

  const person = () => makeUser(under.database.admin_db);
  const org = (plan: 'free' | 'team' | 'enterprise' = 'team') => makeOrg(under.database.admin_db, { plan });

  test('an organization created for others has no members, and its log has a row', async () => {
    const made = await under.orgs.createWithoutOwner(root, { slug: 'for-others', display_name: 'O' });

    expect(made.plan).toBe('free');
    expect(await under.orgs.findContext(root, made.id)).toBeUndefined();
    expect(await under.database.admin_db('memberships').where({ org_id: made.id })).toEqual([]);
    expect(under.audit.in_transaction.at(-1)).toMatchObject({
      event: { action: 'org.created', org_id: made.id, actor_email: 'root@example.com' },
      works_in: made.id,
    });
  });

  describe('the list of organizations', () => {
    test('the list is newest first, counts active members, and searches by prefix of slug and name', async () => {
      const { admin_db } = under.database;
      await admin_db('memberships').delete();
      await admin_db('orgs').delete();
      await admin_db('platform_totals').where({ list: 'orgs' }).update({ total: 0 });
      const orgs = ['alpha', 'beta', 'a_c', 'gone'].map((slug, minute) => ({
        id: newId(),
        slug: slug.replace('_', '-'),
        display_name: slug === 'beta' ? 'ALbert' : slug,
        noise_key_ct: Buffer.alloc(1),
        created_at: minutesLater(under.clock.now, minute),
      }));
      await admin_db('orgs').insert(orgs);
      await admin_db('orgs').where({ slug: 'gone' }).update({ deleted_at: new Date() });
      const [live, expired, deleted] = [await person(), await person(), await person()];
      const alpha = orgs[0]!.id;
      await addMember(admin_db, alpha, live, 'owner');
      const old = await addMember(admin_db, alpha, expired, 'owner');
      await admin_db('memberships').where({ id: old }).update({ expires_at: under.clock.now });
      await addMember(admin_db, alpha, deleted, 'owner');
      await admin_db('users').where({ id: deleted.user.id }).update({ deleted_at: new Date() });
      const slugs = async (q?: string) =>
        (await under.orgs.admin.list({ limit: 10, offset: 0, q })).orgs.map((o) => o.slug);

      const page = await under.orgs.admin.list({ limit: 2, offset: 1 });

      expect(page.total).toBe(3);
      expect(page.orgs.map(({ slug, member_count }) => [slug, member_count])).toEqual([
        ['beta', 0],
        ['alpha', 1],
      ]);
      expect(await slugs()).toEqual(['a-c', 'beta', 'alpha']);
      expect(await slugs('AL')).toEqual(['beta', 'alpha']);
      expect(await slugs('a_')).toEqual(['a-c']);
      expect(await slugs('%')).toEqual([]);
      expect(await slugs('\\')).toEqual([]);
      expect((await under.orgs.admin.list({ limit: 1, offset: 0, q: 'al' })).total).toBe(2);
    });
  });

  describe('plan and limits', () => {
    test('only the named fields change', async () => {
      const id = await org('free');

      await under.orgs.admin.overridePlan(root, id, { limits: { seats: 250, api_keys: -1 } });
      const changed = await under.orgs.admin.overridePlan(root, id, { plan: 'enterprise', limits: { seats: null } });

      expect(changed).toMatchObject({ id, plan: 'enterprise' });
      const { plan, overrides, limits } = await under.orgs.limits(id);
      expect({ plan, overrides }).toEqual({ plan: 'enterprise', overrides: ['api_keys'] });
      expect(limits.find(({ resource }) => resource === 'api_keys')?.limit).toBe(-1);
      expect(limits.find(({ resource }) => resource === 'seats')?.limit).toBe(-1);
      expect(under.audit.selectEvents(id)).toEqual([
        {
          action: 'org.plan_overridden',
          org_id: id,
          actor_email: 'root@example.com',
          detail: { plan: 'free', limits: { seats: 250, api_keys: -1 } },
        },
        {
          action: 'org.plan_overridden',
          org_id: id,
          actor_email: 'root@example.com',
          detail: { plan: 'enterprise', limits: { seats: null } },
        },
      ]);
    });

    test('a limit that is set twice has the later value', async () => {
      const id = await org('free');
      for (const seats of [5, 7]) await under.orgs.admin.overridePlan(root, id, { limits: { seats } });
      expect((await under.orgs.limits(id)).limits[0]).toEqual({ resource: 'seats', limit: 7, used: 0 });
    });

    test('a request without changes is rejected; an unknown organization is 404', async () => {
      await expect(under.orgs.admin.overridePlan(root, await org(), {})).rejects.toMatchObject({ status: 400 });
      await expect(under.orgs.admin.overridePlan(root, await org(), { limits: {} })).rejects.toMatchObject({
        status: 400,
      });
      for (const override of [{ plan: 'team' as const }, { limits: { seats: 1 } }]) {
        await expect(under.orgs.admin.overridePlan(root, newId(), override)).rejects.toMatchObject({ status: 404 });
      }
    });
  });

  describe('memberships in platform administration', () => {
    test('a user is added as a member immediately, with the admin recorded', async () => {
      const id = await org();
      const bo = await person();
      expect(await under.orgs.findContext(bo, id)).toBeUndefined();

      const membership = await under.orgs.admin.createMembership(root, {
        org_id: id,
        user_id: bo.user.id,
        role: 'owner',
      });

      expect(membership).toMatchObject({
        org_id: id,
        user_id: bo.user.id,
        role: 'owner',
        invited_by: root.user.id,
        accepted_at: under.clock.now,
        expires_at: null,
        last_active_at: null,
      });
      expect(await under.orgs.findContext(bo, id)).toEqual({ id, role: 'owner' });
      expect(under.audit.selectEvents(id)).toEqual([
        {
          action: 'membership.created',
          org_id: id,
          actor_email: 'root@example.com',
          detail: { user_id: bo.user.id, role: 'owner' },
        },
      ]);
    });

    test('adding a member twice, beyond the seats, to no organization, or without an account is rejected', async () => {
      const { admin_db } = under.database;
      const id = await org('free');
      const [bo, cy, gone] = [await person(), await person(), await person()];
      await admin_db('users').where({ id: gone.user.id }).update({ deleted_at: new Date() });
      const add = (org_id: string, user_id: string) =>
        under.orgs.admin.createMembership(root, { org_id, user_id, role: 'viewer' });
      await add(id, bo.user.id);

      for (const { user } of [bo, cy]) {
        await expect(add(id, user.id)).rejects.toMatchObject({
          status: 402,
          extra: { body: { resource: 'seats', used: 1, limit: 1, plan: 'free', required_plan: 'team' } },
        });
      }
      await admin_db('org_limits').insert({ org_id: id, name: 'seats', value: 2 });
      await expect(add(id, bo.user.id)).rejects.toMatchObject({ status: 409, error_class: 'membership_exists' });
      await expect(add(newId(), bo.user.id)).rejects.toMatchObject({ status: 404 });
      await expect(add(id, newId())).rejects.toMatchObject({ status: 404 });
      await expect(add(id, gone.user.id)).rejects.toMatchObject({ status: 404 });
    });

    test('an expired member uses no seat and can be added again', async () => {
      const { admin_db } = under.database;
      const id = await org('free');
      const bo = await person();
      const add = () => under.orgs.admin.createMembership(root, { org_id: id, user_id: bo.user.id, role: 'viewer' });
      const first = await add();
      await admin_db('memberships').where({ id: first.id }).update({ expires_at: under.clock.now });

      const second = await add();

      expect(second.id).not.toBe(first.id);
      expect(await admin_db('memberships').where({ org_id: id }).pluck('id')).toEqual([second.id]);
    });

    test('the last owner keeps the role but can be removed', async () => {
      const { admin_db } = under.database;
      const id = await org();
      const membership = await addMember(admin_db, id, await person(), 'owner');

      await expect(under.orgs.admin.setMembershipRole(root, membership, 'viewer')).rejects.toMatchObject({
        status: 409,
        error_class: 'last_owner',
      });
      expect(await under.orgs.admin.setMembershipRole(root, membership, 'owner')).toMatchObject({ noop: true });
      await under.orgs.admin.deleteMembership(root, membership);

      expect(await admin_db('memberships').where({ org_id: id })).toEqual([]);
      expect(under.audit.selectEvents(id).map(({ action }) => action)).toEqual(['membership.removed']);
    });

    test('a platform admin can change their own role', async () => {
      const { admin_db } = under.database;
      const id = await org();
      const membership = await addMember(admin_db, id, root, 'owner');
      await addMember(admin_db, id, await person(), 'owner');

      expect(await under.orgs.admin.setMembershipRole(root, membership, 'viewer')).toEqual({
        membership_id: membership,
        org_id: id,
        user_id: root.user.id,
        role: 'viewer',
        noop: false,
      });
    });

    test('an unknown membership is 404', async () => {
      await expect(under.orgs.admin.deleteMembership(root, newId())).rejects.toMatchObject({ status: 404 });
      await expect(under.orgs.admin.setMembershipRole(root, newId(), 'owner')).rejects.toMatchObject({ status: 404 });
    });

    test('the memberships of a user are listed by slug, without expired ones', async () => {
      const { admin_db } = under.database;
      const bo = await person();
      const ids = [await org(), await org(), await org()];
      const memberships: string[] = [];
      for (const id of ids) memberships.push(await addMember(admin_db, id, bo, 'viewer'));
      await admin_db('memberships').where({ id: memberships[1] }).update({ expires_at: under.clock.now });
      const slugs = await admin_db('orgs').whereIn('id', [ids[0]!, ids[2]!]).orderBy('slug').pluck('slug');

      const listed = await under.orgs.admin.listUserMemberships(bo.user.id);

      expect(listed.map(({ org_slug }) => org_slug)).toEqual(slugs);
      expect(listed.map(({ id }) => id).sort()).toEqual([memberships[0], memberships[2]].sort());
    });

    test('an unknown or deleted user is 404', async () => {
      const gone = await person();
      await under.database.admin_db('users').where({ id: gone.user.id }).update({ deleted_at: new Date() });
      for (const id of [gone.user.id, newId()]) {
        await expect(under.orgs.admin.listUserMemberships(id)).rejects.toMatchObject({ status: 404 });
      }
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal, Role } from '../../../server/lib/principal.ts';
import { addMember, makeOrg, makeUser } from '../../helpers/people.ts';
import { minutesLater, type OrgsUnderTest, setUpOrgs } from './setup.ts';

interface Somebody extends Principal {
  membership_id: string;
}

describe('members of an organization', () => {
  let under: OrgsUnderTest;
  beforeAll(async () => {
    under = await setUpOrgs();
  });
  afterAll(() => under.database.close());

  /** An organization with one person of each given role, in that order. */
  async function makeOrgWith(...roles: Role[]): Promise<{ org: string; people: Somebody[] }> {
    const { admin_db } = under.database;
    const org = await makeOrg(admin_db);
    const people: Somebody[] = [];
    for (const role of roles) {
      const person = await makeUser(admin_db);
      people.push({ ...person, membership_id: await addMember(admin_db, org, person, role) });
    }
    return { org, people };
  }

  const rolesIn = async (org: string): Promise<Role[]> =>
    under.database.admin_db('memberships').where({ org_id: org }).orderBy('created_at').orderBy('id').pluck('role');

  describe('the list of members', () => {
    test('the list is newest first, paged, and without deleted users', async () => {
      const { org, people } = await makeOrgWith('owner', 'admin', 'member', 'viewer');
      const { admin_db } = under.database;
      for (const [minutes, { membership_id }] of people.entries()) {
        const created_at = minutesLater(under.clock.now, minutes);
        await admin_db('memberships').where({ id: membership_id }).update({ created_at });
      }
      await admin_db('users').where({ id: people[1]!.user.id }).update({ deleted_at: new Date() });

      const { members, total } = await under.orgs.members.list(org, { limit: 2, offset: 1 });

      expect(total).toBe(3);
      expect(members.map(({ user_id }) => user_id)).toEqual([people[2]!.user.id, people[0]!.user.id]);
      expect(members[1]).toMatchObject({
        id: people[0]!.membership_id,
        email: people[0]!.user.email,
        role: 'owner',
        expires_at: null,
      });
    });

    test('the list shows no members of another organization', async () => {
      await makeOrgWith('owner');
      expect(await under.orgs.members.list(newId(), { limit: 10, offset: 0 })).toEqual({ members: [], total: 0 });
    });
  });

  describe('changing a role', () => {
    test('an owner can change a role, which is audited and takes effect immediately', async () => {
      const { org, people } = await makeOrgWith('owner', 'viewer');
      const [ana, bo] = people as [Somebody, Somebody];
      expect((await under.orgs.findContext(bo, org))?.role).toBe('viewer');

      const change = await under.orgs.members.changeRole(ana, org, bo.membership_id, 'admin');

      const named = { membership_id: bo.membership_id, user_id: bo.user.id };
      expect(change).toEqual({ ...named, org_id: org, role: 'admin', noop: false });
      expect((await under.orgs.findContext(bo, org))?.role).toBe('admin');
      expect(under.audit.selectEvents(org)).toEqual([
        {
          action: 'membership.role_changed',
          org_id: org,
          actor_email: ana.user.email,
          detail: { ...named, old_role: 'viewer', new_role: 'admin' },
        },
      ]);
    });

    test('setting the same role changes nothing and is not audited, also for oneself', async () => {
      const { org, people } = await makeOrgWith('owner', 'viewer');
      const [ana, bo] = people as [Somebody, Somebody];

      expect(await under.orgs.members.changeRole(ana, org, bo.membership_id, 'viewer')).toMatchObject({
        role: 'viewer',
        noop: true,
      });
      expect(await under.orgs.members.changeRole(ana, org, ana.membership_id, 'owner')).toMatchObject({ noop: true });

      expect(under.audit.selectEvents(org)).toEqual([]);
    });

    test('members cannot change their own role, even if another owner remains', async () => {
      const { org, people } = await makeOrgWith('owner', 'owner');
      const [ana] = people as [Somebody];

      await expect(under.orgs.members.changeRole(ana, org, ana.membership_id, 'viewer')).rejects.toMatchObject({
        status: 409,
        error_class: 'self_demotion',
      });
      expect(await rolesIn(org)).toEqual(['owner', 'owner']);
    });

    test.each(['admin', 'member', 'viewer'] as const)('the %s cannot change roles', async (role) => {
      const { org, people } = await makeOrgWith('owner', role, 'viewer');
      const [, caller, target] = people as [Somebody, Somebody, Somebody];

      await expect(under.orgs.members.changeRole(caller, org, target.membership_id, 'member')).rejects.toMatchObject({
        status: 403,
        error_class: 'forbidden_role',
      });
    });

    test('a membership of another organization, or an unknown one, is 404', async () => {
      const { org, people } = await makeOrgWith('owner');
      const other = await makeOrgWith('owner');
      const [ana] = people as [Somebody];

      for (const id of [other.people[0]!.membership_id, newId()]) {
        await expect(under.orgs.members.changeRole(ana, org, id, 'viewer')).rejects.toMatchObject({ status: 404 });
        await expect(under.orgs.members.remove(ana, org, id)).rejects.toMatchObject({ status: 404 });
      }
      expect(await rolesIn(other.org)).toEqual(['owner']);
    });
  });

  describe('removing a member', () => {
    test.each([
      ['owner', 'owner', 'ok'],
      ['owner', 'admin', 'ok'],
      ['owner', 'viewer', 'ok'],
      ['admin', 'owner', 'forbidden_role'],
      ['admin', 'admin', 'forbidden_role'],
      ['admin', 'member', 'ok'],
      ['admin', 'viewer', 'ok'],
      ['member', 'viewer', 'forbidden_role'],
      ['viewer', 'member', 'forbidden_role'],
    ] as const)('the result of a removal by %s of %s is %s', async (caller_role, target_role, expected) => {
      const { org, people } = await makeOrgWith('owner', caller_role, target_role);
      const [, caller, target] = people as [Somebody, Somebody, Somebody];

      const removal = under.orgs.members.remove(caller, org, target.membership_id);

      if (expected === 'ok') await removal;
      else await expect(removal).rejects.toMatchObject({ status: 403, error_class: expected });
      expect(await rolesIn(org)).toHaveLength(expected === 'ok' ? 2 : 3);
    });

    test.each(['viewer', 'member', 'admin', 'owner'] as const)('a %s can leave if an owner remains', async (role) => {
      const { org, people } = await makeOrgWith('owner', role);
      const [, bo] = people as [Somebody, Somebody];
      expect(await under.orgs.findContext(bo, org)).toBeDefined();

      await under.orgs.members.remove(bo, org, bo.membership_id);

      expect(await under.orgs.findContext(bo, org)).toBeUndefined();
      expect(under.audit.selectEvents(org)).toEqual([
        {
          action: 'membership.removed',
          org_id: org,
          actor_email: bo.user.email,
          detail: { membership_id: bo.membership_id, user_id: bo.user.id },
        },
      ]);
    });

    test('the last owner cannot be removed', async () => {
      const { org, people } = await makeOrgWith('owner', 'admin');
      const [ana] = people as [Somebody];

      await expect(under.orgs.members.remove(ana, org, ana.membership_id)).rejects.toMatchObject({
        status: 409,
        error_class: 'last_owner',
      });
      expect(await rolesIn(org)).toEqual(['owner', 'admin']);
      expect(under.audit.selectEvents(org)).toEqual([]);
    });

    test.each([
      ['whose membership has expired', 'expired'],
      ['who was deleted', 'deleted'],
    ])('an owner %s does not count as a remaining owner', async (_title, how) => {
      const { admin_db } = under.database;
      const { org, people } = await makeOrgWith('owner', 'owner');
      const [ana, gone] = people as [Somebody, Somebody];
      if (how === 'expired') {
        await admin_db('memberships').where({ id: gone.membership_id }).update({ expires_at: under.clock.now });
      } else {
        await admin_db('users').where({ id: gone.user.id }).update({ deleted_at: under.clock.now });
      }

      await expect(under.orgs.members.remove(ana, org, ana.membership_id)).rejects.toMatchObject({
        error_class: 'last_owner',
      });
    });

    test('an owner whose membership has expired can be removed like any member', async () => {
      const { org, people } = await makeOrgWith('owner', 'owner');
      const [ana, gone] = people as [Somebody, Somebody];
      const { admin_db } = under.database;
      await admin_db('memberships').where({ id: gone.membership_id }).update({ expires_at: under.clock.now });

      await under.orgs.members.remove(ana, org, gone.membership_id);

      expect(await rolesIn(org)).toEqual(['owner']);
    });
  });
});

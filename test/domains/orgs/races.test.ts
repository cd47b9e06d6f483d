import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../server/lib/principal.ts';
import { addMember, makeOrg, makeUser } from '../../helpers/people.ts';
import { type Instance, type OrgsUnderTest, outcomes, setUpOrgs } from './setup.ts';

const RUNS = 200;

/** Two instances on one database without broadcasts between them. */
describe('races between two instances', () => {
  let under: OrgsUnderTest;
  let one: Instance;
  let two: Instance;
  let people: Principal[];
  beforeAll(async () => {
    under = await setUpOrgs();
    [one, two] = [under, under.another()];
    people = await Promise.all(Array.from({ length: 10 }, () => makeUser(under.database.admin_db)));
  });
  afterAll(() => under.database.close());

  const countOwners = async (org: string): Promise<number> =>
    (await under.database.admin_db('memberships').where({ org_id: org, role: 'owner' }).pluck('id')).length;

  test('an organization never loses its last owner', async () => {
    const { admin_db } = under.database;
    const [ana, bo] = people as [Principal, Principal];
    const left: number[] = [];
    const ways: Record<string, number> = {};
    for (let run = 0; run < RUNS; run += 1) {
      const org = await makeOrg(admin_db);
      const a = await addMember(admin_db, org, ana, 'owner');
      const b = await addMember(admin_db, org, bo, 'owner');
      const race = [
        () => [one.orgs.members.changeRole(ana, org, b, 'admin'), two.orgs.members.changeRole(bo, org, a, 'viewer')],
        () => [one.orgs.members.remove(ana, org, a), two.orgs.members.remove(bo, org, b)],
        () => [one.orgs.members.remove(ana, org, b), two.orgs.members.changeRole(bo, org, a, 'member')],
        () => [one.orgs.admin.setMembershipRole(ana, a, 'viewer'), two.orgs.admin.setMembershipRole(ana, b, 'viewer')],
      ][run % 4]!;
      for (const [way, count] of Object.entries(await outcomes(race()))) {
        ways[way] = (ways[way] ?? 0) + count;
      }
      left.push(await countOwners(org));
    }

    expect(left.every((owners) => owners === 1)).toBe(true);
    expect(ways['ok']).toBe(RUNS);
    expect((ways['last_owner'] ?? 0) + (ways['forbidden_role'] ?? 0)).toBe(RUNS);
  });

  test('of ten people who accept for the last seat, one succeeds', async () => {
    const { admin_db } = under.database;
    const ways: Record<string, number>[] = [];
    for (let run = 0; run < 50; run += 1) {
      const org = await makeOrg(admin_db);
      ways.push(
        await outcomes(
          people.map(({ user }, nth) =>
            (nth % 2 ? one : two).orgs.admin.createMembership(people[0]!, {
              org_id: org,
              user_id: user.id,
              role: 'member',
            }),
          ),
        ),
      );
    }

    expect(ways).toEqual(Array.from({ length: 50 }, () => ({ ok: 1, plan_limit_exceeded: 9 })));
  });

  test('of ten invitations for the last seat, one is created', async () => {
    const { admin_db } = under.database;
    const ana = people[0]!;
    for (let run = 0; run < 20; run += 1) {
      const org = await makeOrg(admin_db, { owner: ana, plan: 'team' });
      await admin_db('org_limits').insert({ org_id: org, name: 'seats', value: 2 });

      const ways = await outcomes(
        Array.from({ length: 10 }, (_, nth) =>
          (nth % 2 ? one : two).orgs.invitations.create(ana, org, {
            email: `r${run}n${nth}@example.com`,
            role: 'viewer',
          }),
        ),
      );

      expect(ways).toEqual({ ok: 1, plan_limit_exceeded: 9 });
    }
  });

  test('of ten invitations to one email, one is created', async () => {
    const ana = people[0]!;
    const org = await makeOrg(under.database.admin_db, { owner: ana, plan: 'enterprise' });

    const ways = await outcomes(
      Array.from({ length: 10 }, (_, nth) =>
        (nth % 2 ? one : two).orgs.invitations.create(ana, org, { email: 'same@example.com', role: 'viewer' }),
      ),
    );

    expect(ways).toEqual({ ok: 1, invitation_pending: 9 });
  });

  test('fifty accepts with one token create one membership', async () => {
    const [ana, bo] = people as [Principal, Principal];
    for (let run = 0; run < 4; run += 1) {
      const org = await makeOrg(under.database.admin_db, { owner: ana, plan: 'team' });
      const { token } = await one.orgs.invitations.create(ana, org, { email: bo.user.email, role: 'member' });

      const ways = await outcomes(
        Array.from({ length: 50 }, (_, nth) => (nth % 2 ? one : two).orgs.invitations.accept(bo, token)),
      );

      expect(ways).toEqual({ ok: 1, invitation_closed: 49 });
      const rows = await under.database.admin_db('memberships').where({ org_id: org, user_id: bo.user.id });
      expect(rows).toHaveLength(1);
    }
  });

  test('an invitation that is revoked and accepted concurrently is one or the other', async () => {
    const [ana, bo] = people as [Principal, Principal];
    for (let run = 0; run < 20; run += 1) {
      const org = await makeOrg(under.database.admin_db, { owner: ana, plan: 'team' });
      const { token, invitation } = await one.orgs.invitations.create(ana, org, {
        email: bo.user.email,
        role: 'member',
      });

      const ways = await outcomes([
        one.orgs.invitations.accept(bo, token),
        two.orgs.invitations.revoke(ana, org, invitation.id),
      ]);

      expect(ways['ok']).toBe(1);
      const [left] = await two.orgs.invitations.list(org);
      const members = await under.database.admin_db('memberships').where({ org_id: org, user_id: bo.user.id });
      expect(members).toHaveLength(left?.status === 'accepted' ? 1 : 0);
    }
  });
});

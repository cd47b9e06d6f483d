import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal, Role } from '../../../server/lib/principal.ts';
import { addMember, makeOrg, makeUser } from '../../helpers/people.ts';
import { minutesLater, type OrgsUnderTest, setUpOrgs } from './setup.ts';

const WEEK = 7 * 24 * 60;
const start = new Date('2026-05-01T12:00:00.000Z');

describe('invitations', () => {
  let under: OrgsUnderTest;
  let ana: Principal;
  beforeAll(async () => {
    under = await setUpOrgs();
    ana = await makeUser(under.database.admin_db, 'ana@example.com');
  });
  afterAll(() => under.database.close());

  const someEmail = () => `${newId()}@example.com`;
  const teamOrg = () => makeOrg(under.database.admin_db, { owner: ana, plan: 'team' });
  const invite = (org: string, email: string, role: Role = 'member') =>
    under.orgs.invitations.create(ana, org, { email, role });

  test('an invited person gets the role of the invitation', async () => {
    const org = await teamOrg();
    const bo = await makeUser(under.database.admin_db);
    const { invitation, token } = await invite(org, bo.user.email.toUpperCase(), 'admin');

    const membership = await under.orgs.invitations.accept(bo, token);

    expect(invitation).toMatchObject({
      email: bo.user.email,
      role: 'admin',
      status: 'pending',
      invited_by: { id: ana.user.id, email: 'ana@example.com' },
      expires_at: minutesLater(under.clock.now, WEEK),
    });
    expect(membership).toMatchObject({
      org_id: org,
      user_id: bo.user.id,
      role: 'admin',
      invited_by: ana.user.id,
      accepted_at: under.clock.now,
      expires_at: null,
      last_active_at: null,
    });
    expect(await under.orgs.findContext(bo, org)).toEqual({ id: org, role: 'admin' });
    expect(under.audit.selectEvents(org)).toEqual([
      {
        action: 'membership.invited',
        org_id: org,
        actor_email: 'ana@example.com',
        detail: { invitation_id: invitation.id, email: bo.user.email, role: 'admin' },
      },
      {
        action: 'membership.created',
        org_id: org,
        actor_email: bo.user.email,
        detail: { user_id: bo.user.id, role: 'admin' },
      },
    ]);
  });

  test('only the SHA-256 of the token is stored', async () => {
    const { invitation, token } = await invite(await teamOrg(), someEmail());

    const row = await under.database.admin_db('invitations').where({ id: invitation.id }).first();

    expect(token).toMatch(/^dpi_[A-Za-z0-9_-]{43}$/);
    expect(row.token_hash).toEqual(createHash('sha256').update(token).digest());
    expect(JSON.stringify(row)).not.toContain(token.slice(4));
  });

  test.each([
    ['admin', 'viewer', 'ok'],
    ['admin', 'member', 'ok'],
    ['admin', 'admin', 'forbidden_role'],
    ['admin', 'owner', 'forbidden_role'],
    ['member', 'viewer', 'forbidden_role'],
    ['owner', 'owner', 'ok'],
  ] as const)('the result of an invitation by %s as %s is %s', async (role, as, expected) => {
    const org = await teamOrg();
    const caller = await makeUser(under.database.admin_db);
    await addMember(under.database.admin_db, org, caller, role);

    const made = under.orgs.invitations.create(caller, org, { email: someEmail(), role: as });

    if (expected === 'ok') expect((await made).invitation.role).toBe(as);
    else await expect(made).rejects.toMatchObject({ status: 403, error_class: expected });
  });

  test('a person who could not sign in cannot be invited', async () => {
    const org = await teamOrg();
    under.domains.add('example.com');

    const made = invite(org, 'mallory@elsewhere.test');

    await expect(made).rejects.toMatchObject({ status: 403, error_class: 'domain_not_allowed' });
    await expect(made).rejects.toThrow('ask a platform admin');
    under.domains.clear();
  });

  test('a member cannot be invited, unless the membership has expired', async () => {
    const { admin_db } = under.database;
    const org = await teamOrg();
    const bo = await makeUser(admin_db);
    const id = await addMember(admin_db, org, bo, 'viewer');

    await expect(invite(org, bo.user.email)).rejects.toMatchObject({ status: 409, error_class: 'membership_exists' });
    await admin_db('memberships').where({ id }).update({ expires_at: under.clock.now });
    const { token } = await invite(org, bo.user.email, 'member');

    expect(await under.orgs.invitations.accept(bo, token)).toMatchObject({ role: 'member', expires_at: null });
    expect(await admin_db('memberships').where({ org_id: org, user_id: bo.user.id })).toHaveLength(1);
  });

  test('an email can have one open invitation, and a new one after a week', async () => {
    const org = await teamOrg();
    const email = someEmail();
    const first = await invite(org, email);
    await expect(invite(org, email)).rejects.toMatchObject({ status: 409, error_class: 'invitation_pending' });
    under.clock.now = minutesLater(start, WEEK);

    const second = await invite(org, email);

    const listed = await under.orgs.invitations.list(org);
    expect(listed.map(({ id, status }) => [id, status])).toEqual([
      [second.invitation.id, 'pending'],
      [first.invitation.id, 'expired'],
    ]);
    under.clock.now = start;
  });

  test('the seat limit is checked before the email is compared with members and invitations', async () => {
    const { admin_db } = under.database;
    const org = await makeOrg(admin_db, { owner: ana });
    await admin_db('org_limits').insert({ org_id: org, name: 'seats', value: 2 });
    const { invitation } = await invite(org, someEmail());

    await expect(invite(org, invitation.email)).rejects.toMatchObject({ status: 402 });
    await expect(invite(org, ana.user.email)).rejects.toMatchObject({ status: 402 });
  });

  test('an open invitation uses a seat, and a closed one releases it', async () => {
    const { admin_db } = under.database;
    const org = await makeOrg(admin_db, { owner: ana });
    await admin_db('org_limits').insert({ org_id: org, name: 'seats', value: 2 });
    const { invitation } = await invite(org, someEmail());

    const refused = invite(org, someEmail());
    await expect(refused).rejects.toMatchObject({
      status: 402,
      extra: { body: { code: 'plan_limit_exceeded', resource: 'seats', limit: 2, used: 2, required_plan: null } },
    });
    await under.orgs.invitations.revoke(ana, org, invitation.id);
    const again = await invite(org, someEmail());
    under.clock.now = again.invitation.expires_at;
    await invite(org, someEmail());
    under.clock.now = start;
  });

  describe('an invitation token is rejected', () => {
    test('if it was never issued', async () => {
      await expect(under.orgs.invitations.accept(ana, 'dpi_unknown')).rejects.toMatchObject({ status: 404 });
    });

    test('if it was used, even by the invited person', async () => {
      const bo = await makeUser(under.database.admin_db);
      const { token } = await invite(await teamOrg(), bo.user.email);
      await under.orgs.invitations.accept(bo, token);

      const again = under.orgs.invitations.accept(bo, token);

      await expect(again).rejects.toMatchObject({ status: 410, error_class: 'invitation_closed' });
    });

    test('if it was revoked', async () => {
      const org = await teamOrg();
      const bo = await makeUser(under.database.admin_db);
      const { invitation, token } = await invite(org, bo.user.email);
      await under.orgs.invitations.revoke(ana, org, invitation.id);

      await expect(under.orgs.invitations.accept(bo, token)).rejects.toMatchObject({ status: 410 });
      expect(under.audit.selectEvents(org, 'membership.invitation_revoked')).toMatchObject([
        { actor_email: 'ana@example.com', detail: { invitation_id: invitation.id } },
      ]);
    });

    test('after exactly one week', async () => {
      const bo = await makeUser(under.database.admin_db);
      const { token } = await invite(await teamOrg(), bo.user.email);
      under.clock.now = minutesLater(start, WEEK);

      await expect(under.orgs.invitations.accept(bo, token)).rejects.toMatchObject({ status: 410 });
      under.clock.now = new Date(minutesLater(start, WEEK).getTime() - 1);
      expect(await under.orgs.invitations.accept(bo, token)).toMatchObject({ role: 'member' });
      under.clock.now = start;
    });

    test('from anyone but the invited person, who is not named', async () => {
      const bo = await makeUser(under.database.admin_db);
      const mallory = await makeUser(under.database.admin_db);
      const { token } = await invite(await teamOrg(), bo.user.email);

      const stolen = under.orgs.invitations.accept(mallory, token);

      await expect(stolen).rejects.toMatchObject({ status: 403, error_class: 'invitation_mismatch' });
      await expect(stolen).rejects.not.toThrow(bo.user.email);
      expect(await under.orgs.invitations.accept(bo, token)).toMatchObject({ user_id: bo.user.id });
    });

    test('from a person who became a member in the meantime; the invitation stays open', async () => {
      const org = await teamOrg();
      const bo = await makeUser(under.database.admin_db);
      const { token } = await invite(org, bo.user.email);
      await addMember(under.database.admin_db, org, bo, 'viewer');

      await expect(under.orgs.invitations.accept(bo, token)).rejects.toMatchObject({
        error_class: 'membership_exists',
      });
      expect((await under.orgs.invitations.list(org))[0]?.status).toBe('pending');
    });

    test('if the organization has no free seat for it', async () => {
      const { admin_db } = under.database;
      const org = await teamOrg();
      const bo = await makeUser(admin_db);
      const { token } = await invite(org, bo.user.email);
      await admin_db('orgs').where({ id: org }).update({ plan: 'free' });

      await expect(under.orgs.invitations.accept(bo, token)).rejects.toMatchObject({
        status: 402,
        extra: { body: { used: 1, limit: 1, plan: 'free', required_plan: 'team' } },
      });
      await admin_db('orgs').where({ id: org }).update({ plan: 'team' });
      expect(await under.orgs.invitations.accept(bo, token)).toMatchObject({ user_id: bo.user.id });
    });
  });

  test('only an open invitation of this organization can be revoked', async () => {
    const [org, other] = [await teamOrg(), await teamOrg()];
    const foreign = await invite(other, someEmail());
    const revoked = await invite(org, someEmail());
    await under.orgs.invitations.revoke(ana, org, revoked.invitation.id);

    for (const id of [foreign.invitation.id, revoked.invitation.id, newId()]) {
      await expect(under.orgs.invitations.revoke(ana, org, id)).rejects.toMatchObject({ status: 404 });
    }
    expect((await under.orgs.invitations.list(other))[0]?.status).toBe('pending');
  });

  test('an admin cannot revoke an invitation that only an owner can send', async () => {
    const org = await teamOrg();
    const bo = await makeUser(under.database.admin_db);
    await addMember(under.database.admin_db, org, bo, 'admin');
    const { invitation } = await invite(org, someEmail(), 'owner');

    await expect(under.orgs.invitations.revoke(bo, org, invitation.id)).rejects.toMatchObject({
      error_class: 'forbidden_role',
    });
  });

  test('after ninety days an invitation is deleted', async () => {
    const org = await teamOrg();
    const { invitation } = await invite(org, someEmail());
    const kept = () => under.database.admin_db('invitations').where({ id: invitation.id });

    under.clock.now = minutesLater(start, 90 * 24 * 60 - 1);
    await under.orgs.invitations.deleteOld();
    expect(await under.orgs.invitations.list(org)).toMatchObject([{ id: invitation.id, status: 'expired' }]);
    under.clock.now = minutesLater(start, 90 * 24 * 60 + 1);
    expect(await under.orgs.invitations.list(org)).toEqual([]);
    expect(await kept()).toHaveLength(1);
    await under.orgs.invitations.deleteOld();

    expect(await kept()).toEqual([]);
    under.clock.now = start;
  });
});

import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, NotFound } from '../../lib/errors.ts';
import type { Principal, Role } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { OrgLimits } from './limits-service.ts';
import * as store from './members-store.ts';
import { assertAtLeast, assertMayManage, assertNotLastOwner } from './roles.ts';
import type { Member, Membership, Page, RoleChange } from './types.ts';

export interface MembersDeps extends Pick<ServiceDeps, 'db' | 'authz' | 'now'> {
  audit: AuditWriter;
  limits: OrgLimits;
}

/**
 * Throws if this member must not change; runs under the lock of the organization. An unknown member is undefined,
 * because the caller's role is checked before the error reveals whether the member exists.
 */
type Guard = (trx: Db, member: Member | undefined) => Promise<void>;

export function createMembers({ db, audit, authz, limits, now }: MembersDeps) {
  /** One page of the organization's members, newest first, including expired ones. */
  async function list(orgId: string, page: Page): Promise<{ members: Member[]; total: number }> {
    return db.inOrg(orgId, (trx) => store.listMembers(trx, orgId, page));
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<Member> {
    const member = assertFound(await db.readInOrg(orgId, (read) => store.findMember(read, orgId, id)));
    return member;
  }

  /** The role of a user in an organization; undefined without an active membership. */
  async function findRole(trx: Db, orgId: string, userId: string): Promise<Role | undefined> {
    return (await store.findAccess(trx, orgId, userId, now()))?.role;
  }

  /**
   * Changes the role of a member; only for owners. Setting the current role changes nothing, also for oneself.
   *
   * @throws Forbidden `forbidden_role`; NotFound; Conflict `self_demotion`, `last_owner`
   */
  async function changeRole(principal: Principal, orgId: string, id: string, role: Role): Promise<RoleChange> {
    return setRole(principal, orgId, id, role, async (trx, member) => {
      assertAtLeast('owner', await findRole(trx, orgId, principal.user.id));
      if (member?.user_id === principal.user.id && member.role !== role) {
        throw new Conflict('you cannot change your own role; another owner can', 'self_demotion');
      }
    });
  }

  /**
   * Deletes the caller's own membership, or that of another member whom the caller can manage.
   *
   * @throws Forbidden `forbidden_role`; NotFound; Conflict `last_owner`
   */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    return removeMember(principal, orgId, id, async (trx, member) => {
      if (member?.user_id !== principal.user.id) {
        assertMayManage(await findRole(trx, orgId, principal.user.id), member?.role ?? 'viewer');
      }
      if (member !== undefined) await assertOwnerRemains(trx, member);
    });
  }

  /** Like `changeRole`, with `guard` as the only permission check; one active owner must remain. */
  async function setRole(
    principal: Principal,
    orgId: string,
    id: string,
    role: Role,
    guard: Guard = async () => {},
  ): Promise<RoleChange> {
    const member = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const found = await store.findMember(trx, orgId, id);
      await guard(trx, found);
      if (found === undefined) throw new NotFound();
      if (found.role === role) return found;
      await assertOwnerRemains(trx, found);
      await store.setRole(trx, orgId, id, role, now());
      return found;
    });
    const { user_id, role: old_role } = member;
    const change = { membership_id: id, org_id: orgId, user_id, role, noop: old_role === role };
    if (change.noop) return change;
    authz.announce({ what: 'user', id: user_id });
    await audit.record({
      action: 'membership.role_changed',
      org_id: orgId,
      actor_email: principal.user.email,
      detail: { membership_id: id, user_id, old_role, new_role: role },
    });
    return change;
  }

  /** Like `remove`, with `guard` as the only permission check. */
  async function removeMember(
    principal: Principal,
    orgId: string,
    id: string,
    guard: Guard = async () => {},
  ): Promise<void> {
    const { user_id } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const member = await store.findMember(trx, orgId, id);
      await guard(trx, member);
      if (member === undefined) throw new NotFound();
      await store.deleteMember(trx, orgId, id);
      return member;
    });
    authz.announce({ what: 'user', id: user_id });
    await audit.record({
      action: 'membership.removed',
      org_id: orgId,
      actor_email: principal.user.email,
      detail: { membership_id: id, user_id },
    });
  }

  /**
   * Adds a member; the caller has locked the organization.
   *
   * @throws PaymentRequired; Conflict `membership_exists`
   */
  async function add(
    trx: Db,
    orgId: string,
    member: { user_id: string; role: Role; invited_by: string | null },
  ): Promise<Membership> {
    await limits.assertSeat(trx, orgId);
    const known = await store.findLiveMember(trx, orgId, { user_id: member.user_id }, now());
    if (known !== undefined) throw alreadyMember(known.email);
    return store.insertMember(trx, orgId, { ...member, now: now() });
  }

  /** Broadcasts an added membership after the commit. */
  async function announceAdded(principal: Principal, { org_id, user_id, role }: Membership): Promise<void> {
    authz.announce({ what: 'user', id: user_id });
    await audit.record({
      action: 'membership.created',
      org_id,
      actor_email: principal.user.email,
      detail: { user_id, role },
    });
  }

  async function assertOwnerRemains(trx: Db, member: Member): Promise<void> {
    assertNotLastOwner(member, await store.countOtherOwners(trx, member.org_id, member.id, now()), now());
  }

  return { list, get, findRole, changeRole, remove, setRole, removeMember, add, announceAdded };
}

export type Members = ReturnType<typeof createMembers>;

export function alreadyMember(email: string): Conflict {
  return new Conflict(`"${email}" is already a member of this organization`, 'membership_exists');
}

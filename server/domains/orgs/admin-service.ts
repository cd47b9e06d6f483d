import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, InvalidInput, NotFound } from '../../lib/errors.ts';
import type { Principal, Role } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { LimitName, Plan } from '../entitlements/index.ts';
import type { Members } from './members-service.ts';
import * as members_store from './members-store.ts';
import * as store from './store.ts';
import type { Membership, Org, OrgWithCount, Page, RoleChange, UserMembership } from './types.ts';

export interface OrgAdminDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'now'> {
  audit: AuditWriter;
  members: Members;
  /** Is called in the transaction that changes what an organization can have, under its lock. */
  onLimitsChanged: (trx: Db, org_id: string) => Promise<void>;
}

export interface PlanOverride {
  plan?: Plan | undefined;
  /** null removes an override. */
  limits?: Partial<Record<LimitName, number | null>> | undefined;
}

/**
 * Platform admins' operations on any organization. Ids are looked up across organizations, and the work is done inside
 * one.
 */
export function createOrgAdmin({ db, platform_db, audit, members, onLimitsChanged, now }: OrgAdminDeps) {
  /**
   * One page of all organizations, newest first.
   *
   * @param page.q prefix of the slug or the display name, ignoring case
   */
  async function list(page: Page & { q?: string | undefined }): Promise<{ orgs: OrgWithCount[]; total: number }> {
    return store.listAllOrgs(platform_db, { ...page, now: now() });
  }

  /**
   * Changes an organization's plan, its limit overrides, or both; fields that are not named are unchanged.
   *
   * @throws NotFound; InvalidInput if nothing is named
   */
  async function overridePlan(principal: Principal, orgId: string, { plan, limits = {} }: PlanOverride): Promise<Org> {
    const named = Object.entries(limits) as [LimitName, number | null][];
    if (plan === undefined && named.length === 0) throw new InvalidInput('name a plan or a limit to change');
    const org = await platform_db.transaction(async (trx) => {
      await lockOrg(trx, orgId);
      if (plan !== undefined) await store.setPlan(trx, orgId, plan);
      const changed = await getOrg(trx, orgId);
      for (const [name, value] of named) await store.setOverride(trx, orgId, name, value);
      await onLimitsChanged(trx, orgId);
      return changed;
    });
    await audit.record({
      action: 'org.plan_overridden',
      org_id: orgId,
      actor_email: principal.user.email,
      detail: { plan: org.plan, limits: Object.fromEntries(named) },
    });
    return org;
  }

  /** undefined if the organization does not exist or was deleted. */
  async function findPlan(trx: Db, orgId: string): Promise<Plan | undefined> {
    return (await store.findOrg(trx, orgId))?.plan;
  }

  /**
   * Sets what an organization pays for, under its lock and in a transaction across organizations.
   *
   * @param paid.seat_overage whether it also pays for each seat above those of the plan
   */
  async function setPaidPlan(trx: Db, orgId: string, paid: { plan: Plan; seat_overage: boolean }): Promise<void> {
    const { plan } = await getOrg(trx, orgId);
    const seat_overage = await store.getSeatOverage(trx, orgId);
    if (plan === paid.plan && seat_overage === paid.seat_overage) return;
    await store.setPlan(trx, orgId, paid.plan);
    await store.setSeatOverage(trx, orgId, paid.seat_overage);
    await onLimitsChanged(trx, orgId);
  }

  /** @throws NotFound (organization or user); PaymentRequired; Conflict `membership_exists` */
  async function createMembership(
    principal: Principal,
    { org_id, user_id, role }: { org_id: string; user_id: string; role: Role },
    keep?: Keep<Membership>,
  ): Promise<Membership> {
    const membership = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      await getOrg(trx, org_id);
      if (!(await members_store.isLiveUser(trx, user_id))) throw new NotFound(`no user has the id "${user_id}"`);
      const added = await members.add(trx, org_id, { user_id, role, invited_by: principal.user.id });
      await keep?.(trx, added);
      return added;
    });
    await members.announceAdded(principal, membership);
    return membership;
  }

  /**
   * Removes any member, also the last owner, to recover from mistakes.
   *
   * @throws NotFound
   */
  async function deleteMembership(principal: Principal, id: string): Promise<void> {
    return members.removeMember(principal, await getOrgId(id), id);
  }

  /** @throws NotFound; Conflict `last_owner` */
  async function setMembershipRole(principal: Principal, id: string, role: Role): Promise<RoleChange> {
    return members.setRole(principal, await getOrgId(id), id, role);
  }

  /** The memberships of a user, by slug. @throws NotFound */
  async function listUserMemberships(userId: string): Promise<UserMembership[]> {
    if (!(await members_store.isLiveUser(platform_db, userId))) throw new NotFound();
    return members_store.listUserMemberships(platform_db, userId, now());
  }

  /** The organization of a membership. @throws NotFound */
  async function getOrgId(membershipId: string): Promise<string> {
    const orgId = assertFound(await members_store.findOrgOfMember(platform_db, membershipId));
    return orgId;
  }

  return {
    list,
    overridePlan,
    findPlan,
    setPaidPlan,
    createMembership,
    deleteMembership,
    setMembershipRole,
    listUserMemberships,
    getOrgId,
  };
}

async function getOrg(trx: Db, orgId: string): Promise<Org> {
  const org = await store.findOrg(trx, orgId);
  if (org === undefined) throw new NotFound(`no organization has the id "${orgId}"`);
  return org;
}

import { Conflict, Forbidden } from '../../lib/errors.ts';
import { ROLES, type Role } from '../../lib/principal.ts';
import type { Membership } from './types.ts';

/** Roles that only an owner can grant and remove. */
const OWNERS_ALONE: readonly Role[] = ['admin', 'owner'];

/** @throws Forbidden `forbidden_role` */
export function assertAtLeast(least: Role, role: Role | undefined): void {
  if (role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least)) return;
  throw new Forbidden(`role ${least} or higher required`, 'forbidden_role');
}

/**
 * Checks whether a member with `own` role can add or remove one with `other` role.
 *
 * @throws Forbidden `forbidden_role`
 */
export function assertMayManage(own: Role | undefined, other: Role): void {
  assertAtLeast(OWNERS_ALONE.includes(other) ? 'owner' : 'admin', own);
}

export function isLive({ expires_at }: Pick<Membership, 'expires_at'>, now: Date): boolean {
  return expires_at === null || expires_at > now;
}

/**
 * Checks that an active owner remains.
 *
 * @param other_owners number of active owners other than this membership
 * @throws Conflict `last_owner`
 */
export function assertNotLastOwner(membership: Membership, other_owners: number, now: Date): void {
  if (membership.role !== 'owner' || !isLive(membership, now) || other_owners > 0) return;
  throw new Conflict('this is the last owner of the organization; make another member an owner first', 'last_owner');
}

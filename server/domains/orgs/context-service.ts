import type { OrgDatabase } from '../../db/index.ts';
import type { AuthzBus } from '../../lib/authz-bus.ts';
import { createLookupCache } from '../../lib/lookup-cache.ts';
import type { OrgContext, Principal } from '../../lib/principal.ts';
import type { Logger } from '../../log.ts';
import * as store from './members-store.ts';
import type { Membership } from './types.ts';

/** A change of roles acts everywhere within this time, whatever happens to a broadcast. */
const CONTEXT_TTL_MS = 30_000;
const MAX_CONTEXTS = 20_000;
/** How exactly it is known when a member was last here. */
const ACTIVITY_RESOLUTION_MS = 5 * 60_000;

export interface OrgContextsDeps {
  db: OrgDatabase;
  authz: AuthzBus;
  log: Logger;
  now: () => Date;
}

interface Access {
  user_id: string;
  membership: Pick<Membership, 'id' | 'role' | 'expires_at' | 'last_active_at'> | undefined;
}

export function createOrgContexts({ db, authz, log, now }: OrgContextsDeps) {
  const accesses = createLookupCache<Access>({ max: MAX_CONTEXTS, ttl_ms: CONTEXT_TTL_MS });
  authz.onChange((change) => {
    if (change === 'everything') accesses.clear();
    else if (change.what === 'user') accesses.forget(({ user_id }) => user_id === change.id);
  });

  /**
   * The org of a path as this caller sees it; undefined when it does not exist or is not theirs. A key sees its own org
   * also after its owner has left, then without a role; an integration's key is a member, whoever linked it. Remembered
   * for 30 seconds, or until the user's rights change.
   */
  async function findContext({ user, key }: Principal, orgId: string): Promise<OrgContext | undefined> {
    if (key !== null && key.org_id !== orgId) return undefined;
    if (key?.kind === 'integration') return { id: orgId, role: 'member' };
    const { membership } = await accesses.get(`${user.id} ${orgId}`, () => load(user.id, orgId), timeToLive);
    if (membership !== undefined) return { id: orgId, role: membership.role };
    return key === null ? undefined : { id: orgId, role: null };
  }

  async function load(user_id: string, orgId: string): Promise<Access> {
    const membership = await db.readInOrg(orgId, (read) => store.findAccess(read, orgId, user_id, now()));
    if (membership !== undefined && isOlder(membership.last_active_at)) void noteActivity(orgId, membership.id);
    return { user_id, membership };
  }

  /** Who does not belong here may be let in at any moment, and must not fill the memory by guessing. */
  function timeToLive({ membership }: Access): number {
    if (membership === undefined) return 0;
    if (membership.expires_at === null) return CONTEXT_TTL_MS;
    return membership.expires_at.getTime() - now().getTime();
  }

  function isOlder(last_active_at: Date | null): boolean {
    return last_active_at === null || now().getTime() - last_active_at.getTime() > ACTIVITY_RESOLUTION_MS;
  }

  /** Nobody waits for it, and no request fails because of it. */
  async function noteActivity(orgId: string, membershipId: string): Promise<void> {
    try {
      await db.inOrg(orgId, (trx) => store.touchMember(trx, orgId, membershipId, now()));
    } catch (error) {
      log.warn({ err: error, org_id: orgId, membership_id: membershipId }, 'member activity not recorded');
    }
  }

  return { findContext };
}

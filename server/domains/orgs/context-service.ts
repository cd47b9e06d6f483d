import type { ServiceDeps } from '../../contract/service-deps.ts';
import { createLookupCache } from '../../lib/lookup-cache.ts';
import type { OrgContext, Principal } from '../../lib/principal.ts';
import type { Logger } from '../../log.ts';
import * as store from './members-store.ts';
import type { Membership } from './types.ts';

/** A role change takes effect in all processes within this time, even if a broadcast is lost. */
const CONTEXT_TTL_MS = 30_000;
const MAX_CONTEXTS = 20_000;
/** Precision of a member's last activity. */
const ACTIVITY_RESOLUTION_MS = 5 * 60_000;

export interface OrgContextsDeps extends Pick<ServiceDeps, 'db' | 'authz' | 'now'> {
  log: Logger;
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
   * The organization of a path for this caller; undefined if it does not exist or the caller is not a member. A key can
   * access its own organization also after its owner has left, but then without a role; an integration's key counts as
   * a member, whoever linked it. Cached for 30 seconds, or until the user's permissions change.
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

  /** Non-members are not cached: they can be added at any time, and must not fill the cache by guessing. */
  function timeToLive({ membership }: Access): number {
    if (membership === undefined) return 0;
    if (membership.expires_at === null) return CONTEXT_TTL_MS;
    return membership.expires_at.getTime() - now().getTime();
  }

  function isOlder(last_active_at: Date | null): boolean {
    return last_active_at === null || now().getTime() - last_active_at.getTime() > ACTIVITY_RESOLUTION_MS;
  }

  /** Runs in the background; a failure does not affect the request. */
  async function noteActivity(orgId: string, membershipId: string): Promise<void> {
    try {
      await db.inOrg(orgId, (trx) => store.touchMember(trx, orgId, membershipId, now()));
    } catch (error) {
      log.warn({ err: error, org_id: orgId, membership_id: membershipId }, 'member activity not recorded');
    }
  }

  return { findContext };
}

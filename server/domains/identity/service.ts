import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Credential, toCacheKey } from '../../lib/credential.ts';
import { assertFound, Conflict } from '../../lib/errors.ts';
import { createLookupCache } from '../../lib/lookup-cache.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Allowlist } from '../allowlist/index.ts';
import type { ApiKeys } from '../api-keys/index.ts';
import type { AuditWriter } from '../audit/index.ts';
import { needsRefresh } from './login.ts';
import { deactivated, domainNotAllowed, identityConflict, keySession, personSession } from './session.ts';
import * as store from './store.ts';
import type { Login, Me, Session, StoredUser, User, VerifyToken } from './types.ts';

/** A revocation takes effect in all processes within this time, even if a broadcast is lost. */
const SESSION_TTL_MS = 30_000;
const MOST_SESSIONS = 10_000;

export interface IdentityDeps extends Pick<ServiceDeps, 'platform_db' | 'authz' | 'now'> {
  verifyToken: VerifyToken;
  allowlist: Pick<Allowlist, 'isAllowed'>;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  audit: Pick<AuditWriter, 'record'>;
}

export function createIdentity(deps: IdentityDeps) {
  const { platform_db, verifyToken, allowlist, apiKeys, audit, authz, now } = deps;
  const sessions = createLookupCache<Session>({ max: MOST_SESSIONS, ttl_ms: SESSION_TTL_MS });
  authz.onChange((change) => {
    if (change === 'everything' || change.what === 'allowlist') return sessions.clear();
    const { what, id } = change;
    sessions.forget(({ principal }) => (what === 'user' ? principal.user.id : principal.key?.id) === id);
  });

  /**
   * Finds the user of a credential; a first sign-in creates the user. The result is cached for 30 seconds, or until it
   * changes; the email allowlist is checked every time.
   *
   * @throws Unauthenticated; Forbidden `user_deactivated`, `domain_not_allowed` or `identity_conflict`; Unavailable if
   *   the identity provider cannot be reached
   */
  async function authenticate(credential: Credential): Promise<Principal> {
    const remaining_ms = ({ expires_at }: Session) =>
      expires_at === null ? SESSION_TTL_MS : expires_at.getTime() - now().getTime();
    const { principal, issuer } = await sessions.get(
      toCacheKey(credential),
      () => openSession(credential),
      remaining_ms,
    );
    // An integration acts for its organization, not for the person who linked it.
    if (principal.key?.kind !== 'integration') await assertAllowed({ email: principal.user.email, issuer });
    return principal;
  }

  async function openSession(credential: Credential): Promise<Session> {
    if (credential.kind === 'api_key') return keySession(await apiKeys.authenticate(credential));
    const login = await verifyToken(credential.token);
    return personSession(await signIn(login), login);
  }

  async function signIn(login: Login): Promise<StoredUser> {
    const known = await store.findUserByLogin(platform_db, login);
    if (known?.deleted_at) throw deactivated();
    // Checked before anything is written, so a rejected person is not stored.
    await assertAllowed(login);
    if (known !== undefined && !needsRefresh(known, login, now())) return known;

    const user = await store.upsertUser(platform_db, login, now());
    if (user === undefined) throw identityConflict();
    if (user.deleted_at) throw deactivated();
    return user;
  }

  async function assertAllowed({ email, issuer }: { email: string; issuer: string }): Promise<void> {
    if (!(await allowlist.isAllowed({ email, issuer }))) throw domainNotAllowed(email);
  }

  /** The caller, or the owner of the API key, with their memberships; a key shows only its own organization. */
  async function getMe({ user, key }: Principal): Promise<Me> {
    const [stored, memberships] = await Promise.all([
      store.getUser(platform_db, user.id),
      store.listMemberships(platform_db, user.id, { org_id: key?.org_id ?? null, now: now() }),
    ]);
    return { user: stored, memberships };
  }

  /**
   * Makes the caller the first platform admin if they are the only user ever created; otherwise, and for an API key,
   * changes nothing.
   */
  async function claimFirstAdmin({ credential, user }: Principal): Promise<void> {
    if (credential !== 'oidc' || !(await store.isOnlyUser(platform_db, user.id))) return;
    if (await store.promoteOnlyUser(platform_db, user.id)) authz.announce({ what: 'user', id: user.id });
  }

  /** Whether the caller, or an API key's owner, is a platform admin. */
  async function isPlatformAdmin({ user }: Principal): Promise<boolean> {
    return (await store.getUser(platform_db, user.id)).is_platform_admin;
  }

  /** One page of the active users, newest first; `q` is a prefix of the email or the name. */
  async function listUsers(query: {
    q?: string | undefined;
    limit: number;
    offset: number;
  }): Promise<{ users: User[]; total: number }> {
    const { q = '', limit, offset } = query;
    return store.listUsers(platform_db, { prefix: q === '' ? null : q, limit, offset });
  }

  /**
   * Deletes a user: their sign-ins and keys stop working. Memberships are kept, so that records keep their names.
   *
   * @throws NotFound, also for a user who was already deleted; Conflict `cannot_delete_self`
   */
  async function deleteUser(principal: Principal, id: string): Promise<void> {
    if (id === principal.user.id) {
      throw new Conflict('you cannot delete yourself; ask another platform admin', 'cannot_delete_self');
    }
    const deleted = assertFound(await store.deleteUser(platform_db, id, now()));
    authz.announce({ what: 'user', id });
    const detail = { user_id: id, email: deleted.email };
    await audit.record({ action: 'user.deleted', org_id: null, actor_email: principal.user.email, detail });
  }

  return { authenticate, getMe, claimFirstAdmin, isPlatformAdmin, listUsers, deleteUser };
}

export type Identity = ReturnType<typeof createIdentity>;

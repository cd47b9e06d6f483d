import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/index.ts';
import { Forbidden, Unauthenticated } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import { needsRefresh } from './login.ts';
import * as store from './store.ts';
import type { Login, StoredUser, UserMembership, VerifyToken } from './types.ts';

/** A revocation acts everywhere within this time, whatever happens to a broadcast. */
const PRINCIPAL_TTL_MS = 30_000;

export interface IdentityDeps {
  platform_db: Db;
  verifyToken: VerifyToken;
  now: () => Date;
}

export interface Credential {
  kind: 'bearer' | 'api_key';
  token: string;
}

export function createIdentity({ platform_db, verifyToken, now }: IdentityDeps) {
  const principals = new LRUCache<string, Principal>({ max: 10_000, ttl: PRINCIPAL_TTL_MS });

  /**
   * Who a credential stands for; a first login makes the user.
   *
   * @throws Unauthenticated, Forbidden (deactivated user, email of another user), Unavailable (identity provider)
   */
  async function authenticate(credential: Credential): Promise<Principal> {
    if (credential.kind === 'api_key') {
      throw new Unauthenticated('this API key is not known', 'invalid_api_key');
    }
    const cache_key = createHash('sha256').update(credential.token).digest('base64');
    const known = principals.get(cache_key);
    if (known !== undefined) return known;

    const login = await verifyToken(credential.token);
    const principal = principalOf(await signIn(login));
    const ttl = Math.min(PRINCIPAL_TTL_MS, login.expires_at.getTime() - now().getTime());
    if (ttl > 0) principals.set(cache_key, principal, { ttl });
    return principal;
  }

  async function signIn(login: Login): Promise<StoredUser> {
    const known = await store.findUserByLogin(platform_db, login);
    if (known?.deleted_at) throw deactivated();
    if (known !== undefined && !needsRefresh(known, login, now())) return known;

    const user = await store.upsertUser(platform_db, login, now());
    if (user === undefined) {
      throw new Forbidden('another user already has the email of this login', 'identity_conflict');
    }
    if (user.deleted_at) throw deactivated();
    return user;
  }

  /** The caller and where they belong. */
  async function me(principal: Principal): Promise<{ created_at: Date; memberships: UserMembership[] }> {
    const [created_at, memberships] = await Promise.all([
      store.getUserCreatedAt(platform_db, principal.user.id),
      store.listMemberships(platform_db, principal.user.id, now()),
    ]);
    return { created_at, memberships };
  }

  return { authenticate, me };
}

export type Identity = ReturnType<typeof createIdentity>;

function principalOf(user: StoredUser): Principal {
  const { id, email, display_name, is_platform_admin } = user;
  return { user: { id, email, display_name, is_platform_admin }, credential: 'oidc', credential_id: id, key: null };
}

function deactivated(): Forbidden {
  return new Forbidden('this user was deactivated', 'user_deactivated');
}

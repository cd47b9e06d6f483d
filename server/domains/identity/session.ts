import { Forbidden } from '../../lib/errors.ts';
import type { KeyGrant, Principal } from '../../lib/principal.ts';
import type { Login, Session, StoredUser } from './types.ts';

/** The principal of a person's token. */
export function personSession(user: StoredUser, { issuer, expires_at }: Login): Session {
  const { id, email, display_name, is_platform_admin } = user;
  const principal: Principal = {
    user: { id, email, display_name, is_platform_admin },
    credential: 'oidc',
    credential_id: id,
    key: null,
  };
  return { principal, issuer, expires_at };
}

/** The principal of an API key: its owner, but never as a platform admin. */
export function keySession(found: {
  key: KeyGrant;
  owner: { id: string; email: string; display_name: string; issuer: string };
  expires_at: Date | null;
}): Session {
  const { id, email, display_name, issuer } = found.owner;
  const principal: Principal = {
    user: { id, email, display_name, is_platform_admin: false },
    credential: 'api_key',
    credential_id: found.key.id,
    key: found.key,
  };
  return { principal, issuer, expires_at: found.expires_at };
}

export function deactivated(): Forbidden {
  return new Forbidden('this user was deactivated', 'user_deactivated');
}

export function identityConflict(): Forbidden {
  return new Forbidden('another user already has the email of this sign-in', 'identity_conflict');
}

/** Names the domain of the address, but not the allowed domains. */
export function domainNotAllowed(email: string): Forbidden {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return new Forbidden(`sign-ins from the domain "${domain}" are not allowed here`, 'domain_not_allowed');
}

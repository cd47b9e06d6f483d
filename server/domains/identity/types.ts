import type { Principal, Role } from '../../lib/principal.ts';

export interface User {
  id: string;
  email: string;
  display_name: string;
  created_at: Date;
  is_platform_admin: boolean;
}

/** A user row as login needs it. */
export interface StoredUser extends User {
  last_login_at: Date | null;
  deleted_at: Date | null;
}

/** What a request presents to say who it is. */
export interface Credential {
  kind: 'bearer' | 'api_key';
  token: string;
}

/** A verified login; made by the token verifier that the composition root passes in. */
export interface Login {
  issuer: string;
  subject: string;
  email: string;
  display_name: string;
  expires_at: Date;
}

export type VerifyToken = (token: string) => Promise<Login>;

/** What a credential was found to stand for. */
export interface Session {
  principal: Principal;
  /** Who verified the person's email. */
  issuer: string;
  expires_at: Date | null;
}

/** What one of a user's memberships says, with the org's slug. */
export interface UserMembership {
  id: string;
  org_id: string;
  org_slug: string;
  role: Role;
  accepted_at: Date | null;
}

/** The caller and where they belong. */
export interface Me {
  user: User;
  memberships: UserMembership[];
}

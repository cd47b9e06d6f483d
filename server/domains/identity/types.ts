import type { Principal } from '../../lib/principal.ts';
import type { UserMembership } from '../orgs/index.ts';

export interface User {
  id: string;
  email: string;
  display_name: string;
  created_at: Date;
  is_platform_admin: boolean;
}

/** A user row as sign-in needs it. */
export interface StoredUser extends User {
  last_login_at: Date | null;
  deleted_at: Date | null;
}

/** A verified sign-in; created by the token verifier that the composition root passes in. */
export interface Login {
  issuer: string;
  subject: string;
  email: string;
  display_name: string;
  expires_at: Date;
}

export type VerifyToken = (token: string) => Promise<Login>;

/** The principal of a credential. */
export interface Session {
  principal: Principal;
  /** The issuer that verified the person's email. */
  issuer: string;
  expires_at: Date | null;
}

/** The caller and their memberships. */
export interface Me {
  user: User;
  memberships: UserMembership[];
}

import type { Role } from '../../lib/principal.ts';
import type { Plan } from '../entitlements/index.ts';

export interface Org {
  id: string;
  slug: string;
  display_name: string;
  plan: Plan;
  created_at: Date;
}

export interface OrgWithRole extends Org {
  role: Role;
}

export interface OrgInput {
  slug: string;
  display_name: string;
}

/** Protects a secret at rest; given at composition. */
export interface Sealer {
  seal(plain: Uint8Array, aad: string): Buffer;
  open(sealed: Uint8Array, aad: string): Buffer;
}

import type { AuditEventKind } from '../../contract/domain-parts.ts';
import type { Role } from '../../lib/principal.ts';
import type { Plan } from '../entitlements/index.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'org.created': { slug: string };
    'org.updated': { display_name: string };
    'org.settings_updated': { keys: string[] };
    'org.plan_overridden': { plan: Plan; limits: Record<string, number | null> };
    'membership.created': { user_id: string; role: Role };
    'membership.removed': { membership_id: string; user_id: string };
    'membership.role_changed': { membership_id: string; user_id: string; old_role: Role; new_role: Role };
    'membership.invited': { invitation_id: string; email: string; role: Role };
    'membership.invitation_revoked': { invitation_id: string };
  }
}

export const ORG_AUDIT_EVENTS = {
  'org.created': 'specified',
  'org.updated': 'additional',
  'org.settings_updated': 'additional',
  'org.plan_overridden': 'additional',
  'membership.created': 'specified',
  'membership.removed': 'specified',
  'membership.role_changed': 'specified',
  'membership.invited': 'additional',
  'membership.invitation_revoked': 'additional',
} as const satisfies Record<string, AuditEventKind>;

import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'user.deleted': { user_id: string; email: string };
  }
}

export const IDENTITY_AUDIT_EVENTS = {
  'user.deleted': 'specified',
} as const satisfies Record<string, AuditEventKind>;

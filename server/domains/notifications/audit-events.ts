import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'notification_target.created': { target_id: string; kind: string };
    'notification_target.updated': { target_id: string; enabled: boolean };
    'notification_target.deleted': { target_id: string };
  }
}

export const NOTIFICATION_AUDIT_EVENTS = {
  'notification_target.created': 'additional',
  'notification_target.updated': 'additional',
  'notification_target.deleted': 'additional',
} as const satisfies Record<string, AuditEventKind>;

import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'schedule.created': { schedule_id: string; name: string };
    'schedule.updated': { schedule_id: string };
    'schedule.deleted': { schedule_id: string };
    'schedule.run_triggered': { schedule_id: string; count: number };
  }
}

export const SCHEDULE_AUDIT_EVENTS = {
  'schedule.created': 'specified',
  'schedule.updated': 'specified',
  'schedule.deleted': 'specified',
  'schedule.run_triggered': 'specified',
} as const satisfies Record<string, AuditEventKind>;

import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'scan_link.created': { scan_run_id: string; expires_at: string };
  }
}

export const RESULT_AUDIT_EVENTS = {
  'scan_link.created': 'additional',
} as const satisfies Record<string, AuditEventKind>;

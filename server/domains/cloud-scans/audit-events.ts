import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'scan.bulk_created': { count: number; scan_ids: string[] };
  }
}

export const SCAN_AUDIT_EVENTS = {
  'scan.bulk_created': 'specified',
} as const satisfies Record<string, AuditEventKind>;

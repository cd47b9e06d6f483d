import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'audit_export.requested': { export_id: string };
    'audit_export.presigned': { export_id: string };
    'audit_export.downloaded': { export_id: string; bytes: number };
    'audit_export.deleted': { export_id: string };
  }
}

export const PACK_AUDIT_EVENTS = {
  'audit_export.requested': 'specified',
  'audit_export.presigned': 'specified',
  'audit_export.downloaded': 'specified',
  'audit_export.deleted': 'specified',
} as const satisfies Record<string, AuditEventKind>;

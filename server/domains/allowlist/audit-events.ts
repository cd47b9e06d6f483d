import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'domain.added': { domain: string };
    'domain.removed': { domain: string };
  }
}

export const ALLOWLIST_AUDIT_EVENTS = {
  'domain.added': 'specified',
  'domain.removed': 'specified',
} as const satisfies Record<string, AuditEventKind>;

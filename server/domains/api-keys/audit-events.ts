import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'api_key.created': { key_id: string; name: string; key_prefix: string; scopes: string[] };
    'api_key.revoked': { key_id: string; key_prefix: string };
  }
}

export const API_KEY_AUDIT_EVENTS = {
  'api_key.created': 'specified',
  'api_key.revoked': 'specified',
} as const satisfies Record<string, AuditEventKind>;

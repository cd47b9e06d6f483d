import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'federation_trust.created': { trust_id: string; issuer: string; scopes: string[] };
    'federation_trust.deleted': { trust_id: string };
  }
}

export const FEDERATION_AUDIT_EVENTS = {
  'federation_trust.created': 'additional',
  'federation_trust.deleted': 'additional',
} as const satisfies Record<string, AuditEventKind>;

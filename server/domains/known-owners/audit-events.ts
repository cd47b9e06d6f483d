import type { AuditEventKind } from '../../contract/domain-parts.ts';
import type { OwnerStatus } from './types.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'known_owner.created': { known_owner_id: string; owner: string };
    'known_owner.updated': { known_owner_id: string; owner: string; status: OwnerStatus };
    'known_owner.deleted': { known_owner_id: string; owner: string; status: OwnerStatus };
  }
}

export const KNOWN_OWNER_AUDIT_EVENTS = {
  'known_owner.created': 'additional',
  'known_owner.updated': 'additional',
  'known_owner.deleted': 'additional',
} as const satisfies Record<string, AuditEventKind>;

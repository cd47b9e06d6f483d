import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'checkpoint_settings.updated': { public: boolean; webhook_config_id: string | null };
  }
}

export const CHECKPOINT_AUDIT_EVENTS = {
  'checkpoint_settings.updated': 'additional',
} as const satisfies Record<string, AuditEventKind>;

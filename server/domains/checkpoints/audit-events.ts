import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'checkpoint_settings.updated': { public: boolean; webhook_config_id: string | null };
    'checkpoint_destination.updated': DestinationDetail;
    'checkpoint_destination.deleted': DestinationDetail;
  }
}

/** Where the destination is, without its credential. */
type DestinationDetail =
  | { kind: 's3'; folder: string; bucket: string; lock_mode: string; lock_days: number }
  | { kind: 'git'; folder: string; webhook_config_id: string; branch: string | null };

export const CHECKPOINT_AUDIT_EVENTS = {
  'checkpoint_settings.updated': 'additional',
  'checkpoint_destination.updated': 'additional',
  'checkpoint_destination.deleted': 'additional',
} as const satisfies Record<string, AuditEventKind>;

import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'state_source.created': {
      source_id: string;
      kind: string;
      display_name: string;
      cloud_account_id: string | null;
    };
    'state_source.refreshed': {
      source_id: string;
      /** null if nothing was uploaded yet. */
      snapshot_id: string | null;
      refreshed: boolean;
      resource_count: number;
    };
    'state_source.deleted': { source_id: string };
    'state_source_glob.created': {
      glob_id: string;
      provider: string;
      bucket: string;
      prefix: string | null;
      child_count: number;
      truncated: boolean;
    };
    'state_source_glob.rescanned': { glob_id: string; added: number; total: number; truncated: boolean };
    'state_source_glob.deleted': { glob_id: string; child_count: number };
    'state_source_glob.children_refresh_triggered': { glob_id: string; queued: number };
    'state_source_glob.children_refresh_completed': {
      glob_id: string;
      refreshed: number;
      unchanged: number;
      failed: number;
    };
  }
}

export const STATE_SOURCE_AUDIT_EVENTS = {
  'state_source.created': 'specified',
  'state_source.refreshed': 'specified',
  'state_source.deleted': 'specified',
  'state_source_glob.created': 'specified',
  'state_source_glob.rescanned': 'specified',
  'state_source_glob.deleted': 'specified',
  'state_source_glob.children_refresh_triggered': 'specified',
  'state_source_glob.children_refresh_completed': 'specified',
} as const satisfies Record<string, AuditEventKind>;

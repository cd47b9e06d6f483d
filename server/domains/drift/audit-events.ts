import type { AuditEventKind } from '../../contract/domain-parts.ts';
import type { StoredIgnoreRule } from './types.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'drift_ignore_rule.created': {
      rule_id: string;
      drift_types: StoredIgnoreRule['drift_types'];
      expires_at: string | null;
    };
    'drift_ignore_rule.deleted': { rule_id: string };
  }
}

export const DRIFT_AUDIT_EVENTS = {
  'drift_ignore_rule.created': 'additional',
  'drift_ignore_rule.deleted': 'additional',
} as const satisfies Record<string, AuditEventKind>;

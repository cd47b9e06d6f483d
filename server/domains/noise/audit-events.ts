import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'plan_noise.settings_updated': { recurrence_threshold: number; window_days: number };
    'plan_noise.suppressed': {
      suppression_ids: string[];
      duration: '7d' | '30d' | '90d' | 'forever';
      is_false_positive: boolean;
    };
    'plan_noise.suppression_removed': { suppression_id: string };
  }
}

export const NOISE_AUDIT_EVENTS = {
  'plan_noise.settings_updated': 'additional',
  'plan_noise.suppressed': 'additional',
  'plan_noise.suppression_removed': 'additional',
} as const satisfies Record<string, AuditEventKind>;

import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'custom_rule.created': { rule_id: string; name: string; rule_type: 'noise' | 'risk' };
    'custom_rule.updated': { rule_id: string };
    'custom_rule.enabled': { rule_id: string };
    'custom_rule.disabled': { rule_id: string };
    'custom_rule.deleted': { rule_id: string };
    'builtin_rule.disabled': { builtin_rule_id: string; rule_type: 'noise' | 'risk' };
    'builtin_rule.enabled': { builtin_rule_id: string; rule_type: 'noise' | 'risk' };
    'policy.updated': { rule_count: number; version: number };
  }
}

export const RULE_AUDIT_EVENTS = {
  'custom_rule.created': 'additional',
  'custom_rule.updated': 'additional',
  'custom_rule.enabled': 'additional',
  'custom_rule.disabled': 'additional',
  'custom_rule.deleted': 'additional',
  'builtin_rule.disabled': 'additional',
  'builtin_rule.enabled': 'additional',
  'policy.updated': 'specified',
} as const satisfies Record<string, AuditEventKind>;

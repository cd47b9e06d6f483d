import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'llm_config.created': { provider: string };
    'llm_config.updated': { provider: string };
    'llm_config.deleted': { provider: string };
  }
}

export const LLM_AUDIT_EVENTS = {
  'llm_config.created': 'specified',
  'llm_config.updated': 'specified',
  'llm_config.deleted': 'specified',
} as const satisfies Record<string, AuditEventKind>;

import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'chat.installed': { team_id: string; team_name: string };
    'chat.uninstalled': { team_id: string; team_name: string };
  }
}

export const CHAT_AUDIT_EVENTS = {
  'chat.installed': 'specified',
  'chat.uninstalled': 'specified',
} as const satisfies Record<string, AuditEventKind>;

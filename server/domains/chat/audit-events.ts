import type { AuditEventKind } from '../../contract/domain-parts.ts';

/** What somebody did in Slack, and where. */
interface Place {
  team_id: string;
  /** Null if Slack does not name it. */
  channel_id: string | null;
}

declare module '../audit/types.ts' {
  interface AuditDetails {
    'chat.installed': { team_id: string; team_name: string };
    'chat.uninstalled': { team_id: string; team_name: string };
    'chat.scan_started': Place & { scan_run_id: string; cloud_account_id: string };
    'chat.drift_snoozed': Place & { cloud_account_ids: string[]; until: string };
    'chat.drift_acknowledged': Place & { cloud_account_ids: string[] };
  }
}

export const CHAT_AUDIT_EVENTS = {
  'chat.installed': 'specified',
  'chat.uninstalled': 'specified',
  'chat.scan_started': 'additional',
  'chat.drift_snoozed': 'additional',
  'chat.drift_acknowledged': 'additional',
} as const satisfies Record<string, AuditEventKind>;

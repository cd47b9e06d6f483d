import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'scm_installation.created': {
      id: string;
      installation_id: number;
      account_login: string;
      /** GitHub login of the person who confirmed the link. */
      confirmed_by: string;
    };
    'scm_installation.deleted': { id: string };
  }
}

export const INSTALLATION_AUDIT_EVENTS = {
  'scm_installation.created': 'specified',
  'scm_installation.deleted': 'specified',
} as const satisfies Record<string, AuditEventKind>;

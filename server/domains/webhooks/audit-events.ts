import type { AuditEventKind } from '../../contract/domain-parts.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'webhook_config.created': {
      config_id: string;
      provider: string;
      repo_path: string | null;
      provider_base_url: string;
      secret_prefix: string;
      /** null, like the next two, if no token was given. */
      api_token_prefix: string | null;
      api_token_status: string | null;
      api_token_expires: string | null;
    };
    'webhook_config.updated': { config_id: string; enabled: boolean };
    'webhook_config.token_updated': {
      config_id: string;
      token_cleared: boolean;
      api_token_prefix?: string;
      api_token_status?: string;
    };
    'webhook_config.secret_rotated': { config_id: string; secret_prefix: string };
    'webhook_config.deleted': { config_id: string };
  }
}

export const WEBHOOK_AUDIT_EVENTS = {
  'webhook_config.created': 'specified',
  'webhook_config.updated': 'specified',
  'webhook_config.token_updated': 'specified',
  'webhook_config.secret_rotated': 'specified',
  'webhook_config.deleted': 'specified',
} as const satisfies Record<string, AuditEventKind>;

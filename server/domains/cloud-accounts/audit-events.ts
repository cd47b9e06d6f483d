import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { AuditEventKind } from '../../contract/domain-parts.ts';
import type { CredentialType } from './types.ts';

declare module '../audit/types.ts' {
  interface AuditDetails {
    'cloud_account.created': {
      account_id: string;
      provider: CloudProvider;
      credential_type: CredentialType;
      external_account_id: string;
      display_name: string;
    };
    'cloud_account.updated': { account_id: string; credential_type: CredentialType; credentials_changed: boolean };
    'cloud_account.deleted': { account_id: string };
    'cloud_account.identity_mismatch_rejected': {
      provider: CloudProvider;
      credential_type: CredentialType;
      claimed_external_account: string;
      reason: string;
    };
  }
}

export const CLOUD_ACCOUNT_AUDIT_EVENTS = {
  'cloud_account.created': 'specified',
  'cloud_account.updated': 'additional',
  'cloud_account.deleted': 'additional',
  'cloud_account.identity_mismatch_rejected': 'specified',
} as const satisfies Record<string, AuditEventKind>;

import type { CloudAdapter, CloudCredentials, CloudProvider, CloudTarget } from '../../adapters/cloud/types.ts';

export type CredentialType = CloudCredentials['credential_type'];
type WithoutExternalId<Credentials> = Credentials extends CloudCredentials ? Omit<Credentials, 'external_id'> : never;

/** Credentials as they are stored. The external ID of `aws_role` belongs to the organization and is added when used. */
export type StoredCredentials = WithoutExternalId<CloudCredentials>;

/** The fields of credentials as a caller sent them, each in a valid form of its own. */
export type CredentialFields = Readonly<Partial<Record<CredentialField, string | undefined>>>;
export type CredentialField =
  | 'role_arn'
  | 'access_key_id'
  | 'secret_access_key'
  | 'session_token'
  | 'service_account_json'
  | 'audience'
  | 'service_account_email'
  | 'tenant_id'
  | 'client_id'
  | 'client_secret';

export type AccountStatus = 'active' | 'invalid' | 'unverified';

/** @see openapi.yaml, CloudAccount */
export interface CloudAccount {
  id: string;
  org_id: string;
  provider: CloudProvider;
  display_name: string;
  external_account_id: string;
  credential_type: CredentialType;
  regions: string[];
  enabled: boolean;
  status: AccountStatus;
  status_reason: string | null;
  identity: string | null;
  credential_hint: string | null;
  last_validated_at: Date | null;
  last_scan_id: string | null;
  last_scan_at: Date | null;
  resource_count: number;
  created_at: Date;
  created_by: { id: string; email: string } | null;
  updated_at: Date;
}

export interface AccountInput {
  provider: CloudProvider;
  display_name: string;
  external_account_id: string;
  regions?: string[] | undefined;
  credential_type: CredentialType;
  credentials: CredentialFields;
}

/** Omitted fields do not change. */
export interface AccountUpdate {
  display_name?: string | undefined;
  regions?: string[] | undefined;
  enabled?: boolean | undefined;
  credential_type?: CredentialType | undefined;
  credentials?: CredentialFields | undefined;
}

/** The account that credentials are claimed to belong to. */
export interface Claim {
  id: string;
  provider: CloudProvider;
  external_account_id: string;
  regions: readonly string[];
}

/** @see openapi.yaml, CloudAccountCheck */
export interface AccountCheck {
  valid: boolean;
  identity: string | null;
  external_account_id: string | null;
  permissions: readonly { name: string; granted: boolean; needed_for: string }[];
  checked_at: Date;
  error: string | null;
}

/** An account as scans and state sources open it. */
export interface OpenedAccount extends CloudTarget {
  enabled: boolean;
}

/** What administrators grant in each cloud; generated from the calls that the adapters declare. */
export interface CloudGrants {
  aws: { policy_document: Record<string, unknown> };
  gcp: { roles: readonly string[]; permissions: readonly string[]; apis: readonly string[] };
  azure: { role: string };
}

export type Clouds = {
  readonly [Provider in CloudProvider]: { adapter: CloudAdapter; grants: CloudGrants[Provider] };
};

/** The identity of this deployment at clouds; null = unset. */
export interface DeploymentIdentity {
  /** Issuer of its tokens: the public base URL of the API. */
  api_url: string | null;
  subject: string | null;
  /** Whether it has an RSA key, with which tokens for Azure are signed. */
  signs_rs256: boolean;
  aws_principal_arn: string | null;
  /** URL of a CloudFormation template in S3 that creates the role. */
  aws_template_url: string | null;
}

export type CloudSetup =
  | {
      provider: 'aws';
      aws: {
        principal_arn: string | null;
        external_id: string;
        oidc_issuer: string | null;
        oidc_subject: string | null;
        policy_document: Record<string, unknown>;
        cloudformation_url: string | null;
      };
    }
  | {
      provider: 'gcp';
      gcp: { issuer: string; subject: string; roles: string[]; permissions: string[]; apis: string[] };
    }
  | { provider: 'azure'; azure: { issuer: string; subject: string; audience: string; role: string } };

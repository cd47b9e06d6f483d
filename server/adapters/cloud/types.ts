import type { ListedResource } from '../../../engine/inventory/index.ts';

/**
 * What the service needs of a cloud: who a credential is, which parts of an account can be read, and their resources page
 * by page. One folder per cloud implements it; `recorded/` implements it from files.
 */
export type CloudProvider = 'aws' | 'gcp' | 'azure';

/** Credentials of a cloud account, as opened from their encrypted column. */
export type CloudCredentials =
  | { credential_type: 'aws_role'; role_arn: string; external_id: string }
  | { credential_type: 'aws_access_key'; access_key_id: string; secret_access_key: string; session_token?: string }
  | { credential_type: 'aws_web_identity'; role_arn: string }
  | { credential_type: 'gcp_service_account_key'; service_account_json: string }
  | { credential_type: 'gcp_workload_identity'; audience: string; service_account_email: string }
  | { credential_type: 'azure_client_secret'; tenant_id: string; client_id: string; client_secret: string }
  | { credential_type: 'azure_federated'; tenant_id: string; client_id: string };

export interface CloudTarget {
  provider: CloudProvider;
  /** 12-digit AWS account, Google Cloud project ID or Azure subscription ID. */
  external_account_id: string;
  credentials: CloudCredentials;
  /** Regions to read; empty means every region that is enabled in the account. */
  regions: readonly string[];
  /** Subject of the tokens that the service signs for this account. */
  token_subject: string;
}

/** One API call that an adapter makes. Policies, documentation and error messages are generated from these. */
export interface CloudCall {
  /** Such as `cloudcontrolapi`. */
  service: string;
  /** Such as `ListResources`. */
  operation: string;
  /** Permissions that the cloud checks for it, such as `cloudformation:ListResources`. */
  permissions: readonly string[];
  /** What is not known without it, in plain words. */
  needed_for: string;
}

export interface CloudIdentity {
  /** ARN, service account email, or application ID. */
  identity: string;
  external_account_id: string;
}

export interface PermissionCheck {
  name: string;
  granted: boolean;
  needed_for: string;
}

/** A part of an account that is read on its own, page by page, such as one resource type in one region. */
export interface ScanPart {
  /** Unique in the account and the same in every scan, such as `cloudcontrolapi/eu-west-1/AWS::SQS::Queue`. */
  key: string;
  service: string;
  /** Null for global services. */
  region: string | null;
  /** Null if the part contains resources of many types. */
  provider_type: string | null;
  /** True if its pages leave out what is in other regions than those of the target. */
  by_region?: boolean;
}

/** Why a part is not read, without asking the cloud. */
export interface UncheckedPart extends ScanPart {
  code: CloudFaultCode;
  message: string;
}

export interface ScanOutline {
  parts: readonly ScanPart[];
  unchecked: readonly UncheckedPart[];
}

/** A resource as a listing shows it. Secrets are already removed. */
export interface FoundResource extends Omit<ListedResource, 'properties'> {
  /** What the listing tells about the resource; null if it tells only that the resource exists. */
  properties: Readonly<Record<string, unknown>> | null;
}

export interface ScanPage {
  resources: readonly FoundResource[];
  /** Pass it to read the next page; null after the last page. It stays valid after a restart of the process. */
  next_cursor: string | null;
  /** What this page leaves out, although the request succeeded. */
  faults: readonly CloudFault[];
  /** True if the cursor was no longer valid, so that this page is the first page of the part again. */
  restarted?: boolean;
}

export type CloudFaultCode =
  | 'access_denied'
  | 'throttled'
  | 'timeout'
  | 'region_disabled'
  | 'unsupported_type'
  | 'truncated'
  | 'credential_error'
  | 'parse_error'
  | 'internal';

/** One thing that could not be read. `message` says what is missing and what to do, without text from the cloud. */
export interface CloudFault {
  code: CloudFaultCode;
  message: string;
  service: string | null;
  region: string | null;
  provider_type: string | null;
  /** The missing permission, where the cloud or the call tells it. */
  permission: string | null;
  retryable: boolean;
}

/** Thrown by every function of a session. After `throttled`, the adapter has already waited and retried. */
export class CloudError extends Error {
  readonly fault: CloudFault;
  /** How long the cloud asked us to wait before the next request, where it said so. */
  readonly retry_after_s: number | undefined;

  constructor(fault: CloudFault, options: ErrorOptions & { retry_after_s?: number | undefined } = {}) {
    super(fault.message, options);
    this.name = 'CloudError';
    this.fault = fault;
    this.retry_after_s = options.retry_after_s;
  }
}

/** One account, opened with one credential. Holds connections and short-lived tokens; `close` releases them. */
export interface CloudSession {
  /** Asks the cloud who the credential is. @throws CloudError `credential_error` if the cloud rejects it */
  identify(signal: AbortSignal): Promise<CloudIdentity>;
  /** Asks which declared permissions are granted, with harmless calls. */
  checkPermissions(signal: AbortSignal): Promise<readonly PermissionCheck[]>;
  /** The parts of the account, and what will not be read and why. @throws CloudError */
  outline(signal: AbortSignal): Promise<ScanOutline>;
  /** Reads one page of a part, the first if `cursor` is null. @throws CloudError */
  readPage(part: ScanPart, cursor: string | null, signal: AbortSignal): Promise<ScanPage>;
  /** Reads all properties of one resource, secrets removed; null if it does not exist. @throws CloudError */
  readResource?(
    resource: { provider_type: string; provider_resource_id: string; region: string | null },
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>> | null>;
  close(): void;
}

export interface CloudAdapter {
  readonly provider: CloudProvider;
  /** Every call that a session can make; a test fails if a session makes another one. */
  readonly calls: readonly CloudCall[];
  open(target: CloudTarget): CloudSession;
}

/** A token that the service signs for workload identity federation, valid for minutes. */
export type SignToken = (claims: {
  subject: string;
  audience: string;
  /** For a cloud that accepts only this algorithm. */
  algorithm?: 'RS256';
}) => Promise<string>;

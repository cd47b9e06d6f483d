import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { StateAccess, StateLocation } from '../../adapters/state-backend/types.ts';

export type StateSourceKind = StateLocation['kind'] | 'upload';

/** The keys of a location without its kind, as the caller entered them. */
export type StateConfig = Readonly<Record<string, string>>;

/** A stored source; its configuration is still encrypted. */
export interface StoredSource {
  id: string;
  org_id: string;
  cloud_account_id: string | null;
  kind: StateSourceKind;
  display_name: string;
  config_ct: Buffer;
  workspaces: string[];
  parent_glob_id: string | null;
  latest_snapshot_id: string | null;
  last_fetched_at: Date | null;
  last_fetch_error: string | null;
  missing_since: Date | null;
  created_at: Date;
}

export interface StateSource extends Omit<StoredSource, 'config_ct'> {
  config: StateConfig;
}

export interface StateSourceInput {
  kind: StateSourceKind;
  display_name: string;
  config: StateConfig;
  cloud_account_id?: string | null | undefined;
}

export interface SourceFilter {
  kind?: StateSourceKind | undefined;
  parent_glob_id?: string | undefined;
}

/** The stored copy of a state: its facts. The resources are an encrypted blob. */
export interface Snapshot {
  id: string;
  source_id: string;
  /** Lower-case hex of SHA-256 over the bytes of the state. */
  content_hash: string;
  blob_key: string;
  resource_count: number;
  /** Resources of the state that could not be read. */
  parse_failure_count: number;
  serial: number | null;
  lineage: string | null;
  terraform_version: string | null;
  fetched_at: Date;
}

/** The current snapshot of a source after a refresh; all null if nothing was uploaded yet. */
export interface RefreshResult extends Pick<Snapshot, 'resource_count' | 'parse_failure_count'> {
  content_hash: string | null;
  last_fetched_at: Date | null;
  /** Whether the content differs from the previous snapshot. */
  refreshed: boolean;
  snapshot_id: string | null;
}

export type Severity = 'info' | 'warning' | 'error';

/** Which bucket a glob lists. */
export interface GlobPlace {
  provider: CloudProvider;
  bucket: string;
  /** Empty for the whole bucket. */
  prefix: string;
  region: string | null;
  storage_account: string | null;
}

export interface Glob extends GlobPlace {
  id: string;
  org_id: string;
  cloud_account_id: string;
  display_name: string;
  /** Existing sources that it registered. */
  child_count: number;
  created_at: Date;
  last_rescan_at: Date | null;
  last_rescan_error: string | null;
  last_rescan_severity: Severity | null;
}

export interface GlobInput {
  provider: CloudProvider;
  bucket: string;
  cloud_account_id: string;
  display_name: string;
  prefix?: string | undefined;
  region?: string | undefined;
  storage_account?: string | undefined;
}

export interface CreatedGlob {
  glob: Glob;
  added: number;
  total_matches: number;
  truncated: boolean;
}

export interface GlobPreview {
  /** -1 means no limit. */
  plan_remaining: number;
  total_matches: number;
  would_add: number;
  would_exceed_plan: boolean;
  would_truncate: boolean;
}

export interface Rescan {
  added: number;
  total: number;
  truncated: boolean;
}

/** How the fetch of one source of a glob ended. */
export type ChildOutcome = 'refreshed' | 'unchanged' | 'failed';

/** A cloud account as the reading of states needs it. */
export interface OpenedAccount extends StateAccess {
  provider: CloudProvider;
  /** Disabled accounts are not used. */
  enabled: boolean;
}

/** Cloud accounts of an organization; passed in by the composition. */
export interface StateAccounts {
  /** Disabled ones included. @throws NotFound if the organization has no such account */
  openAccount(org_id: string, account_id: string): Promise<OpenedAccount>;
  /** Id of the organization's only account of this provider; undefined if there is none, or several. */
  findOnlyAccount(org_id: string, provider: CloudProvider): Promise<string | undefined>;
}

/**
 * Rejects a location that must not be called, or whose names no cloud would accept.
 *
 * @throws InvalidInput `url_not_allowed` or `invalid_request`
 */
export type AssertAllowed = (location: StateLocation) => void;

/** What reading the bytes of a state returns. */
export interface ReadState extends Omit<Snapshot, 'id' | 'source_id' | 'blob_key' | 'fetched_at'> {
  /** The resources without secrets, compressed. */
  resources: Uint8Array;
}

/**
 * Reads a state on a thread while its bytes arrive.
 *
 * @param key owner of the task; owners alternate
 * @throws errors of `body`; Error with the name `StateReadError` and a message that says what the bytes are, if they are
 *   not a readable state
 */
export type ReadStateBytes = (key: string, body: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<ReadState>;

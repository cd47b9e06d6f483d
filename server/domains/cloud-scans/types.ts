import type { CloudFault, CloudProvider, ScanPart } from '../../adapters/cloud/types.ts';
import type { CiContext, NewCloudRun } from '../scans/index.ts';

/** Fields that the caller did not send are undefined. */
type CiInput = { [Field in keyof CiContext]?: CiContext[Field] | undefined };

export interface ScanInput {
  cloud_account_id: string;
  filter_regions?: string[] | undefined;
  ci?: CiInput | undefined;
}

export interface BulkInput {
  account_ids?: string[] | undefined;
  filter_regions?: string[] | undefined;
}

/** A scan that belongs to a run of a schedule. */
export type ScheduledScan = Pick<NewCloudRun, 'cloud_account_id' | 'provider' | 'filter_regions' | 'scan_type'> & {
  schedule_id: string;
  firing_id: string;
};

export interface ScansStarted {
  count: number;
  scan_ids: string[];
}

/** What identifies a scan and its extent. */
export interface CloudRun {
  id: string;
  org_id: string;
  cloud_account_id: string;
  provider: CloudProvider;
  filter_regions: string[];
  /** What the scan reads, empty for all regions; null before its outline is known. */
  read_regions: string[] | null;
}

/** A scan while this process holds it: `attempts` is the fence, a later claim makes this one's writes void. */
export interface ScanClaim extends CloudRun {
  attempts: number;
  /** Attempts in a row that have read nothing, with this one. */
  idle_attempts: number;
}

export type PartFault = Pick<
  CloudFault,
  'code' | 'message' | 'service' | 'region' | 'provider_type' | 'permission' | 'retryable'
>;

/** A fault and how often it occurred. */
export interface CountedFault extends PartFault {
  count: number;
}

/** A part of a running scan, and how far it was read. */
export interface StoredPart extends ScanPart {
  by_region: boolean;
  /** Of the page that comes next; null for the first one. */
  cursor: string | null;
  status: 'pending' | 'done' | 'failed';
  page_count: number;
  resource_count: number;
  faults: CountedFault[];
}

import type { CloudFault, CloudProvider, ScanPart } from '../../adapters/cloud/types.ts';

/** A scan that writes to the inventory of one account. */
export interface InventoryScan {
  org_id: string;
  cloud_account_id: string;
  scan_id: string;
  provider: CloudProvider;
}

/** Why a part was not read completely. */
export type PartReason = Pick<CloudFault, 'code' | 'message' | 'permission' | 'retryable'>;

/** How a scan ended with one part of the account. */
export interface PartOutcome extends Pick<ScanPart, 'key' | 'service' | 'region' | 'provider_type' | 'by_region'> {
  /** `complete`: read to its end, and nothing was left out. `untried`: the scan ended before it read the part. */
  outcome: 'complete' | 'incomplete' | 'untried';
  resource_count: number;
  /** Null if and only if the part is complete. */
  reason: PartReason | null;
}

/** Which regions a scan read. */
export interface ScanExtent {
  /** Empty for all regions that are enabled in the account. */
  regions: readonly string[];
  /** The caller chose the regions, so that the scan says nothing about others. */
  is_filtered: boolean;
}

/** A row of `live_resources` as a scan writes it. */
export interface ResourceRow {
  id: string;
  /** SHA-256 of type, region and ID. */
  resource_key: Buffer;
  provider_type: string;
  provider_resource_id: string;
  normalized_type: string;
  risk_categories: readonly string[];
  region: string | null;
  name: string | null;
  tags: Readonly<Record<string, string>>;
  aliases: readonly string[];
  /** Encrypted properties; null if the stored ones are the same, or if the listing shows none. */
  listed_ct: Buffer | null;
  /** Keyed hash of the properties; null if the listing shows none. */
  listed_hash: Buffer | null;
}

/** What is stored of a resource that a page shows again. */
export interface KnownResource {
  id: string;
  resource_key: Buffer;
  listed_hash: Buffer | null;
}

/** A page that can be written without further computation. */
export interface PreparedPage {
  part_key: string;
  /** Without duplicates, in the order in which rows are locked. */
  rows: readonly ResourceRow[];
}

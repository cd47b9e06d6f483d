import type { JsonObject } from '../model/result.ts';

export type InventoryProvider = 'aws' | 'gcp' | 'azure';

/** A resource as one listing shows it. Secrets are already removed. */
export interface ListedResource {
  /** The cloud's own ID: ARN or primary identifier, full resource name, or ARM ID. */
  provider_resource_id: string;
  /** Such as `AWS::S3::Bucket`, `storage.googleapis.com/Bucket`, `microsoft.storage/storageaccounts`. */
  provider_type: string;
  /** Null for global resources. */
  region: string | null;
  name: string | null;
  tags: Readonly<Record<string, string>>;
  /** Other IDs of the same resource, such as its ARN, for matching with state. */
  aliases: readonly string[];
  /** Null if the listing only tells that the resource exists. */
  properties: JsonObject | null;
}

/** A resource of a cloud account, as an inventory shows it. */
export interface LiveResource extends ListedResource {
  provider: InventoryProvider;
  /** 12-digit AWS account, Google Cloud project ID or number, or Azure subscription ID; null if no file tells. */
  account_id: string | null;
  /**
   * Whether `properties` has every property that is set. Listings of some clouds show only a part; there, a missing
   * property says nothing.
   */
  is_complete: boolean;
}

/** What a document of an inventory file is: the output of a command, or a part of a recorded account. */
export type InventoryFormat =
  | 'aws_list_resources'
  | 'aws_get_resource'
  | 'aws_resource_explorer'
  | 'aws_tagged_resources'
  | 'aws_config_query'
  | 'gcp_asset_list'
  | 'gcp_asset_search'
  | 'azure_graph_query'
  | 'azure_resource_list'
  | 'azure_resource'
  | 'recorded_account'
  | 'recorded_page'
  | 'empty_list';

/** A type whose resources were listed to the end, so that one that is not in the inventory does not exist. */
export interface InventoryListing {
  provider: InventoryProvider;
  /** The account that was listed; null if no file tells. */
  account_id: string | null;
  /** Null: every type that the cloud's own index lists. */
  provider_type: string | null;
  scope: 'region' | 'all_regions' | 'unknown_region';
  /** Null unless the scope is `region`. */
  region: string | null;
  /**
   * `stated`: the file says what was listed. `assumed`: the file has resources of the type, but does not say whether the
   * command had a filter or a limit.
   */
  basis: 'stated' | 'assumed';
}

/** Something that was not read, or not to its end. Whatever is missing there may still exist. */
export interface NotChecked {
  provider: InventoryProvider;
  /** Null for all accounts of the inventory. */
  account_id: string | null;
  /**
   * `cut`: a listing without its end. `unreadable`: some entries could not be read. Others are the codes of a recorded
   * scan, such as `access_denied`; `unsupported_type` says what no scan reads.
   */
  code: string;
  /** Null for several or unknown types. */
  provider_type: string | null;
  /** Null for several or unknown regions. */
  region: string | null;
  reason: string;
  file: string;
}

export interface InventoryAccount {
  provider: InventoryProvider;
  /** 12-digit AWS account, Google Cloud project ID or number, or Azure subscription ID. */
  account_id: string;
  resource_count: number;
}

export interface InventoryRegion {
  provider: InventoryProvider;
  /** Null for global resources, and for those whose region is not known. */
  region: string | null;
  resource_count: number;
}

export interface InventoryType {
  provider: InventoryProvider;
  provider_type: string;
  resource_count: number;
  /** Resources with all of their properties. */
  complete_count: number;
}

/** What was read from one file. */
export interface InventoryFile {
  name: string;
  formats: InventoryFormat[];
  document_count: number;
  /** Before resources that are in several files are merged. */
  resource_count: number;
  /** Entries that are not resources, or have no ID or type. */
  unreadable_count: number;
}

/** The files together. The order of the files and of their documents does not matter. */
export interface Inventory {
  /** Each resource once, ordered by provider, type and ID. */
  resources: LiveResource[];
  listings: InventoryListing[];
  not_checked: NotChecked[];
  accounts: InventoryAccount[];
  regions: InventoryRegion[];
  types: InventoryType[];
  files: InventoryFile[];
  /** Contradictions between files, as sentences. */
  warnings: string[];
}

import type { AttributeDiff, Category, JsonObject, Reason, RiskLevel } from '../model/result.ts';

export type CloudProvider = 'aws' | 'gcp' | 'azure';

/** A resource of a cloud account, as an inventory shows it. Secrets are already removed. */
export interface LiveResource {
  /** Such as `AWS::S3::Bucket`, `storage.googleapis.com/Bucket`, `microsoft.storage/storageaccounts`. */
  provider_type: string;
  /** The cloud's own ID: ARN or primary identifier, full resource name, or ARM ID. */
  provider_resource_id: string;
  /** Other IDs of the same resource, such as its ARN. */
  aliases: readonly string[];
  /** Null for global resources. */
  region: string | null;
  name: string | null;
  tags: Readonly<Record<string, string>>;
  /** Null if the inventory only knows that the resource exists. */
  properties: JsonObject | null;
  /**
   * Whether `properties` has every property that is set. Listings of some clouds show only a part; there, a missing
   * property says nothing.
   */
  is_complete: boolean;
  /** ID of its row in the inventory of the service. */
  live_resource_id?: string;
}

/** A part of an account that is read on its own, such as one type in one region. */
export interface AccountPart {
  /** Null for global services. */
  region: string | null;
  /** Null if the part contains resources of many types. */
  provider_type: string | null;
  /** Nothing says whether this is all: what is not in the part is only potentially missing. */
  is_assumed?: boolean;
}

export interface UnreadPart extends AccountPart {
  /** Such as `access_denied`. `unsupported_type` without a type only describes what no scan of this cloud reads. */
  code: string;
  message: string;
}

/** The account that was scanned, and how much of it. */
export interface DriftAccount {
  provider: CloudProvider;
  /** 12-digit AWS account, Google Cloud project ID or Azure subscription ID. */
  external_account_id: string;
  /** Number of the Google Cloud project; names with it are then the same as names with the ID. */
  project_number?: string | null;
  /** The parts that were read to their end. */
  parts: readonly AccountPart[];
  /** The parts that were not, and why. */
  unread: readonly UnreadPart[];
}

export type DriftType = 'changed' | 'missing' | 'new';

/**
 * `confirmed`: seen in two reads, or the cloud answers such reads with what it has now. `potential`: seen once, in an
 * index that may lag behind.
 */
export type Certainty = 'confirmed' | 'potential';

/** Who created or last modified a resource. */
export interface Actor {
  /** A name, email address or ID, at most 200 characters. */
  name: string;
  action: 'created' | 'modified';
  /** RFC 3339; null if it is not recorded. */
  at: string | null;
  /** `cloud`: its own record. `tag`: a tag, which anybody can set. */
  source: 'cloud' | 'tag';
}

/** openapi.yaml, DriftItem, without what only the service knows: its IDs, age and suppression. */
export interface DriftItem {
  /** The same for the same difference in the same account, in every computation. */
  key: string;
  drift_type: DriftType;
  certainty: Certainty;
  /** Null for new resources. */
  resource_address: string | null;
  /** Terraform type; for new resources the one that would manage it. */
  resource_type: string | null;
  provider_type: string | null;
  provider_resource_id: string | null;
  live_resource_id: string | null;
  region: string | null;
  name: string | null;
  /** Those of the object in the cloud; empty for missing resources. */
  tags: LiveResource['tags'];
  /** The state that names the resource, as given to `addInstance`. */
  source: string | null;
  categories: Category[];
  risk: { level: RiskLevel; reasons: Reason[] };
  /** Only of `changed`; before = state, after = live. At most 100. */
  attributes: AttributeDiff[];
  attributes_total: number;
  /** RFC 3339. */
  first_detected_at: string;
  /** Only of `new`. */
  import_block: string | null;
  console_url: string | null;
  /** The rule that accepts the item; it then counts neither in the level nor in the status. */
  ignore_rule_id: string | null;
  /** The suppression of plan noise that accepts all differences of a changed item, with the same effect. */
  suppression_id: string | null;
  /** Null if the inventory does not know. */
  actor: Actor | null;
}

/** Why an attribute that the state holds was not compared. */
export type Uncompared =
  /** Only the provider sets it, such as an ARN. */
  | 'computed'
  /** It only tells the provider what to do, such as `force_destroy`; the cloud does not have it. */
  | 'provider_only'
  /** No rule says where the cloud keeps it. */
  | 'unmapped'
  /** One of its two values is secret. */
  | 'sensitive'
  /** The inventory does not show it. */
  | 'not_shown'
  /** Other resources of the states manage it. */
  | 'separate';

export type UncomparedCounts = Partial<Record<Uncompared, number>>;

/** Where a resource of a state ends. Each has exactly one outcome. */
export type Outcome = 'matched' | 'changed' | 'missing' | 'not_checked' | 'outside';

/** A resource of a state that is neither known to exist nor known to be missing. */
export interface NotChecked {
  address: string;
  type: string;
  source: string | null;
  code: 'unknown_type' | 'unread' | 'not_listed' | 'not_shown' | 'ambiguous' | 'no_identifier' | 'unproven_rule';
  /** One sentence. */
  reason: string;
}

/** Live resources that do not count, by reason. */
export interface Apart {
  code: 'service' | 'child' | 'unknown_type' | 'ambiguous' | 'unproven_rule';
  provider_type: string;
  reason: string;
  count: number;
  /** The first five IDs in order. */
  examples: string[];
}

/** How far the attributes of a matched or changed resource were compared. */
export interface Compared {
  address: string;
  type: string;
  compared: number;
  uncompared: UncomparedCounts;
  /** Names of attributes by reason, at most 20 for each; without `computed` and `provider_only`. */
  names: Partial<Record<Uncompared, string[]>>;
}

/** What a drift computation found. Everything in it is in a fixed order and without secrets. */
export interface DriftReport {
  account: { provider: CloudProvider; external_account_id: string };
  /** D75, without `failed`. */
  drift_status: 'in_sync' | 'drifted' | 'incomplete';
  /** D72. In units of Terraform resources: an object that several of them describe counts once for each. */
  changed_count: number;
  missing_count: number;
  extra_count: number;
  matched_count: number;
  total_iac: number;
  total_live: number;
  /** Items whose certainty is `potential`. */
  potential_count: number;
  /** Items that a rule or a suppression accepts. */
  ignored_count: number;
  /** State resources that were not checked, and those that belong to nothing that was scanned. */
  not_checked_count: number;
  outside_count: number;
  /** Objects that the inventory listed, and those of them that do not count. */
  listed_count: number;
  apart_count: number;
  /** D73 */
  coverage_pct: number;
  risk_level: RiskLevel;
  /** Reasons that raise the level above that of every item. */
  escalations: Reason[];
  narrative: string;
  /** D74 */
  items: DriftItem[];
  /** At most 1,000, by address. */
  not_checked: NotChecked[];
  apart: Apart[];
  unread: UnreadPart[];
  /** Objects that two states, or two resources of a state, claim: their ID and the addresses, at most 100. */
  claimed_twice: { provider_resource_id: string; addresses: string[] }[];
  comparison: {
    /** Attributes that were compared, and those that were not, by reason, over all matched resources. */
    compared: number;
    uncompared: UncomparedCounts;
    /** Matched resources of which no attribute could be compared, by type. */
    by_existence_only: { type: string; count: number }[];
    /** Resources with attributes that a mapping or an inventory could still show, by address; at most 1,000. */
    resources: Compared[];
  };
}

/** What a comparison of a cloud account with its states reads and returns. */
import type { MessagePort } from 'node:worker_threads';
import type { Actor, DriftAccount, DriftType, IgnoreRule } from '../../../engine/drift/index.ts';
import type { AttributeDiff, Category, Reason, RiskLevel } from '../../../engine/index.ts';
import type { OrgRules } from '../../../engine/rules/index.ts';

export type DriftStatus = 'in_sync' | 'drifted' | 'incomplete';

/** Something that a computation left out, with its reason. */
export interface DriftNote {
  code: string;
  message: string;
  count: number;
  /** At most 5. */
  examples: string[];
}

/** What a computation found, without its items. */
export interface DriftFacts {
  drift_status: DriftStatus;
  changed_count: number;
  extra_count: number;
  matched_count: number;
  missing_count: number;
  parse_failure_count: number;
  not_checked_count: number;
  excluded_count: number;
  ignored_count: number;
  total_iac: number;
  total_live: number;
  coverage_pct: number;
  risk_level: RiskLevel;
  notes: DriftNote[];
}

/**
 * What a computation found. Items and matches are JSON texts of arrays, so that PostgreSQL reads them and this process does
 * not.
 */
export interface ComputedDrift extends DriftFacts {
  /** SHA-256 of all items without their IDs. */
  content_hash: Uint8Array;
  item_count: number;
  /** Arrays of `DriftItemRow`, in the order of lists. */
  items: Iterable<string>;
  /** Arrays of `{ id, iac_resource_id }`: live resources whose match changed. */
  matches: Iterable<string>;
  /** The drift in prose, written by rules. */
  narrative: string;
}

/** What a thread returns: the texts are moved as bytes, because a million matches would otherwise be in memory three times. */
export interface PackedDrift extends Omit<ComputedDrift, 'items' | 'matches'> {
  items: Uint8Array<ArrayBuffer>[];
  matches: Uint8Array<ArrayBuffer>[];
}

/** The columns of an item, as the thread writes them; `stable_key` in hex. */
export interface DriftItemRow {
  position: number;
  id: string;
  stable_key: string;
  drift_type: DriftType;
  first_detected_at: string;
  resource_address: string | null;
  resource_type: string | null;
  provider_type: string | null;
  normalized_type: string;
  provider_resource_id: string | null;
  live_resource_id: string | null;
  region: string | null;
  name: string | null;
  tags: Readonly<Record<string, string>>;
  state_source_id: string | null;
  categories: Category[];
  certainty: 'confirmed' | 'potential';
  level: RiskLevel;
  reasons: Reason[];
  attributes: AttributeDiff[];
  attributes_total: number;
  suppressed: boolean;
  ignore_rule_id: string | null;
  import_block: string | null;
  console_url: string | null;
  suppression_id: string | null;
  actor: Actor | null;
}

/** A state that a computation reads. */
export interface DriftState {
  source_id: string;
  display_name: string;
  /** Resources that its copy could not represent. */
  parse_failure_count: number;
  /** Why the state itself could not be fetched now; its last copy is used if there is one. */
  problem: string | null;
  /** The resources of its last copy, as one JSON text a line compressed with Brotli; null if there is no copy. */
  read: (() => Promise<Uint8Array>) | null;
}

/** A live resource as a thread compares it; `properties` is JSON text. */
export interface DriftLive {
  id: string;
  provider_type: string;
  provider_resource_id: string;
  normalized_type: string;
  region: string | null;
  name: string | null;
  tags: Readonly<Record<string, string>>;
  aliases: readonly string[];
  iac_resource_id: string | null;
  /** Null if the inventory knows only that the resource exists. */
  properties: string | null;
}

/** Everything that a thread compares. */
export interface DriftInput {
  account: Pick<DriftAccount, 'provider' | 'external_account_id'>;
  states: readonly DriftState[];
  live: AsyncIterable<readonly DriftLive[]>;
  /** Which parts of the account were read to their end, and which were not. */
  ledger: Pick<DriftAccount, 'parts' | 'unread'>;
  ignore_rules: readonly IgnoreRule[];
  /** The organization's rules, of which those about noise apply, and its key for fingerprints of noise. */
  rules: OrgRules;
  noise_key: Uint8Array;
  /** The items of the account's previous snapshot. */
  previous: AsyncIterable<readonly PreviousKey[]>;
  now: Date;
}

/** What a task compares, without what arrives in parts. */
export interface DriftHead extends Omit<DriftInput, 'states' | 'live' | 'previous' | 'now'> {
  now: string;
}

/** The thread asks for each part through the port, so that only one is in memory here. */
export interface DriftTask {
  task: 'compute-drift';
  head: DriftHead;
  port: MessagePort;
}

/** A part of the input, in this order; `end` is the last one. */
export type DriftPart =
  | { kind: 'previous'; keys: readonly PreviousKey[] }
  | { kind: 'state'; state: Omit<DriftState, 'read'>; resources: Uint8Array | null }
  | { kind: 'live'; resources: readonly DriftLive[] }
  | { kind: 'end' };

/** An item of the previous snapshot. */
export interface PreviousKey {
  /** In hex. */
  stable_key: string;
  first_detected_at: string;
  /** Whether finding it again confirms it. */
  is_read_again: boolean;
}

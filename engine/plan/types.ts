/**
 * The members of `terraform show -json` (format major 0 and 1) which the engine reads, as they stand in the file.
 *
 * @see https://developer.hashicorp.com/terraform/internals/json-format
 */
import type { CheckFinding, JsonObject, JsonValue } from '../result.ts';

/** `true` = everything below; an object or array = the same tree, per member; `false`, `{}` or absent = nothing. */
export type Mask = JsonValue | undefined;

export interface RawChange {
  actions: string[];
  before?: JsonValue;
  after?: JsonValue;
  after_unknown?: Mask;
  before_sensitive?: Mask;
  after_sensitive?: Mask;
  replace_paths?: (string | number)[][];
  importing?: { id?: string; identity?: JsonObject; unknown?: boolean };
}

export interface RawResourceChange {
  address: string;
  previous_address?: string;
  module_address?: string;
  mode?: string;
  type: string;
  name: string;
  index?: string | number;
  deposed?: string;
  provider_name?: string;
  action_reason?: string;
  change: RawChange;
}

export interface RawCheck {
  status?: string;
  address?: JsonValue;
  instances?: JsonValue;
}

export interface RawRelevantAttribute {
  resource: string;
  attribute: (string | number)[];
}

/** What `configuration.provider_config` says of one provider in one module; what configures it is not kept. */
export interface RawProviderConfig {
  name?: string;
  full_name?: string;
  /** As in `required_providers`, terms joined with commas. */
  version_constraint?: string;
}

/** The small members of a plan, complete once the file has been read to its end. */
export interface PlanHeader {
  format_version: string | null;
  terraform_version: string | null;
  complete: boolean | null;
  errored: boolean | null;
  applyable: boolean | null;
  /** HCP Terraform's redacted JSON: values were withheld by its maker. */
  redacted: boolean;
  deferred_count: number;
  /** Addresses of deferred changes, at most 100 of them; raw. */
  deferred: string[];
  checks: { pass: number; fail: number; error: number; unknown: number };
  /** Checks that did not pass, failed ones first, at most 100; raw. */
  check_findings: CheckFinding[];
}

/** What a caller allows; the CLI sets none of them. */
export interface PlanLimits {
  /** Entries of `resource_changes`; openapi.yaml allows 20,000 over HTTP. */
  max_resource_changes?: number;
  /** Bytes of a single entry, 64 MiB unless given; what is skipped may be of any size. */
  max_entry_bytes?: number;
}

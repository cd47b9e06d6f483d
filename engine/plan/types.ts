/**
 * The members of `terraform show -json` (major format versions 0 and 1) that the engine reads, as written in the file.
 *
 * @see https://developer.hashicorp.com/terraform/internals/json-format
 */
import type { CheckFinding, JsonObject, JsonValue } from '../model/result.ts';

/** `true` marks everything below; an object or array marks its members; `false`, `{}` or absent marks nothing. */
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

/** An action that the apply runs. */
export interface RawInvocation {
  address: string;
  type: string;
  config_values?: JsonValue;
}

export interface RawRelevantAttribute {
  resource: string;
  attribute: (string | number)[];
}

/** An entry of `configuration.provider_config`: one provider in one module, without credentials. */
export interface RawProviderConfig {
  name?: string;
  full_name?: string;
  /** As in `required_providers`; terms are joined with commas. */
  version_constraint?: string;
  /** Constant arguments that say whose accounts, projects and domains it manages, as `[argument, value]`. */
  scope?: [string, string][];
}

/** The header of a plan. Complete after the end of the file. */
export interface PlanHeader {
  format_version: string | null;
  terraform_version: string | null;
  complete: boolean | null;
  errored: boolean | null;
  applyable: boolean | null;
  /** The plan is redacted JSON of HCP Terraform, which withholds values. */
  redacted: boolean;
  deferred_count: number;
  /** Addresses of deferred changes, at most 100; raw. */
  deferred: string[];
  checks: { pass: number; fail: number; error: number; unknown: number };
  /** Checks that did not pass, failed ones first, at most 100; raw. */
  check_findings: CheckFinding[];
}

/** Limits of a caller. The CLI sets none. */
export interface PlanLimits {
  /** Maximum number of entries in `resource_changes`; openapi.yaml allows 20,000 over HTTP. */
  max_resource_changes?: number;
  /** Maximum bytes of a single entry; defaults to 64 MiB. Skipped members may have any size. */
  max_entry_bytes?: number;
}

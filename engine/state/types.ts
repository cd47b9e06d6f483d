import type { JsonObject } from '../model/result.ts';

/** One object that a state records, without the values of its attributes. */
export interface StateInstance {
  /** With the index key, but without the deposed key: `module.db.aws_db_instance.main["a"]`. */
  address: string;
  module_address: string | null;
  mode: 'managed' | 'data';
  type: string;
  name: string;
  index: string | number | null;
  /** The key of an old object that Terraform still has to destroy; null for the current object. */
  deposed: string | null;
  tainted: boolean;
  /** `aws`, `gcp`, `azure`, else the provider's short name, as in a change of a plan. */
  provider: string;
  /** Source address without the registry host: `hashicorp/aws`. */
  provider_name: string;
  /** Version of the provider's schema for the attributes; null if the state does not say. */
  schema_version: number | null;
  /** Addresses of the resources that it depends on, without index keys. */
  dependencies: readonly string[];
  /** Number of marks with which the state says that a value is sensitive. */
  sensitive_count: number;
}

/**
 * The values of one instance, with `(sensitive)` in place of each secret: of marked values, secret names and formats, and
 * copies of those in the same instance. `StateReader.redact` also removes copies of secrets of other instances.
 */
export interface StateValues {
  /** Attributes that identify the object for its cloud, such as `id` and `arn`, unchanged. Never a marked value. */
  identifiers: Readonly<Record<string, string>>;
  attributes: JsonObject;
  /** The identity that newer providers record; null if there is none. */
  identity: JsonObject | null;
}

/** Receives the instances of a state in the order of the file. */
export interface StateSink {
  /**
   * @param readValues parses the values and removes the secrets from them, which takes most of the time. Call it at most
   *   once, before returning
   */
  instance(instance: StateInstance, readValues: () => StateValues): void;
}

/** Something in a state that could not be read. The reason never quotes a value. */
export interface StateFailure {
  /** The address of the instance or resource, or its place in the file. */
  address: string;
  reason: string;
}

/** The header of a state and what was counted in it. Complete after the end of the file. */
export interface StateSummary {
  /** `state`: a state file; `show`: the output of `terraform show -json`. */
  format: 'state' | 'show';
  /** `4` for a state file; `format_version` of the other format. */
  format_version: string;
  terraform_version: string | null;
  /** Null in the output of `terraform show -json`, as is the lineage. */
  serial: number | null;
  lineage: string | null;
  /** All instances that were read: managed, data and deposed ones. */
  instance_count: number;
  managed_count: number;
  data_count: number;
  deposed_count: number;
  tainted_count: number;
  /** Modules with an instance, without the root module. */
  module_count: number;
  output_count: number;
  /** Values that the state marks as sensitive, in instances and outputs. */
  sensitive_count: number;
  /** Instances by provider and by type, without deposed ones, most first. */
  by_provider: StateCount[];
  by_type: StateCount[];
  /** Instances and resources that could not be read. They are in no other count. */
  parse_failure_count: number;
  /** The first 100 of them. */
  parse_failures: StateFailure[];
}

export interface StateCount {
  name: string;
  managed: number;
  data: number;
}

export interface StateLimits {
  /** Maximum bytes of a single instance; defaults to 16 MiB. A larger one is a failure; skipped members may have any size. */
  max_entry_bytes?: number;
}

/** A scenario: changes to known resources, and their labels from the perspective of an on-call engineer. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Values = { [key: string]: Json };
export type Level = 'none' | 'low' | 'medium' | 'high' | 'critical';

/** A resource with the attributes of its provider. `$` in a string is replaced with the resource's name. */
export interface Template {
  values: Values;
  /** Attributes that are unknown until the resource exists. */
  computed: string[];
  /** Attributes that the provider marks as sensitive. */
  sensitive?: string[];
}

/** An entry of `resource_changes` in the format of `terraform show -json`. */
export interface Entry {
  address: string;
  module_address?: string;
  mode: 'managed' | 'data';
  type: string;
  name: string;
  index?: string | number;
  provider_name: string;
  previous_address?: string;
  deposed?: string;
  change: {
    actions: string[];
    before: Values | null;
    after: Values | null;
    after_unknown: Values;
    before_sensitive: Json;
    after_sensitive: Json;
    replace_paths?: string[][];
    importing?: { id: string };
  };
  action_reason?: string;
}

export type Cloud = 'aws' | 'google' | 'azurerm';

export interface Scenario {
  file: string;
  expected: Level;
  /** Accepted levels and ranges, separated by commas; omitted if only `expected` is accepted. */
  acceptable?: string;
  why: string;
  changes: Entry[];
  /** Number of routine changes per cloud. */
  beside?: [Cloud, number];
  keys?: Record<string, string>;
  noise?: Record<string, 'benign' | 'novel'>;
  secrets?: string[];
  /** Additional members of the plan, such as `complete` or `resource_drift`. */
  more?: { [member: string]: unknown };
}

/** What a scenario says: some changes on known resources, and what a person on call thinks of them. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Values = { [key: string]: Json };
export type Level = 'none' | 'low' | 'medium' | 'high' | 'critical';

/** A resource as its provider shows it. A `$` in a text stands for the resource's name. */
export interface Template {
  values: Values;
  /** Attributes that are unknown until the resource exists. */
  computed: string[];
  /** Attributes that the provider marks as sensitive. */
  sensitive?: string[];
}

/** An entry of `resource_changes` as `terraform show -json` writes it. */
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
  /** Levels and ranges joined by commas; left out when nothing but `expected` will do. */
  acceptable?: string;
  why: string;
  changes: Entry[];
  /** How many routine changes of a cloud stand around the others. */
  beside?: [Cloud, number];
  keys?: Record<string, string>;
  noise?: Record<string, 'benign' | 'novel'>;
  secrets?: string[];
  /** Further members of the plan, such as `complete` or `resource_drift`. */
  more?: { [member: string]: unknown };
}

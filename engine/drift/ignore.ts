import type { RiskLevel } from '../model/result.ts';
import { matchesWildcard } from '../risk/attributes/identity/wildcard.ts';
import type { DriftType } from './types.ts';

/** Drift that an organization accepts. Every condition that is not null must match; `*` and `?` are wildcards. */
export interface IgnoreRule {
  id: string;
  /** Empty for all. */
  drift_types: readonly DriftType[];
  /** Pattern of the Terraform type or of the cloud's type. */
  resource_type: string | null;
  address: string | null;
  provider_resource_id: string | null;
  /** Pattern of paths; a changed item matches if all its paths do, and no other item matches. */
  attribute: string | null;
  tag_key: string | null;
  /** Null for any value. */
  tag_value: string | null;
}

/** What rules read of an item. */
export interface IgnorableItem {
  drift_type: DriftType;
  resource_type: string | null;
  provider_type: string | null;
  resource_address: string | null;
  provider_resource_id: string | null;
  tags: Readonly<Record<string, string>>;
  /** Paths of all differences of a changed item. */
  paths: readonly string[];
  level: RiskLevel;
}

export type IgnoreDecision = 'no_match' | 'ignored' | 'protected';

/**
 * Whether a rule ignores an item. A critical item is `protected`: only a rule that names its address or its ID without
 * wildcards ignores it, so that a broad rule cannot hide a resource that becomes public.
 */
export function decideIgnore(rule: IgnoreRule, item: IgnorableItem): IgnoreDecision {
  if (!matchesRule(rule, item)) return 'no_match';
  return item.level !== 'critical' || namesExactly(rule) ? 'ignored' : 'protected';
}

/** The first rule that ignores the item. */
export function findIgnoreRule(rules: readonly IgnoreRule[], item: IgnorableItem): IgnoreRule | undefined {
  return rules.find((rule) => decideIgnore(rule, item) === 'ignored');
}

function matchesRule(rule: IgnoreRule, item: IgnorableItem): boolean {
  const { drift_types, resource_type, address, provider_resource_id } = rule;
  return (
    (drift_types.length === 0 || drift_types.includes(item.drift_type)) &&
    (resource_type === null ||
      matches(resource_type, item.resource_type) ||
      matches(resource_type, item.provider_type)) &&
    (address === null || matches(address, item.resource_address)) &&
    (provider_resource_id === null || matches(provider_resource_id, item.provider_resource_id)) &&
    matchesAttributes(rule.attribute, item) &&
    matchesTag(rule, item.tags)
  );
}

function matchesAttributes(attribute: string | null, { drift_type, paths }: IgnorableItem): boolean {
  if (attribute === null) return true;
  return drift_type === 'changed' && paths.length > 0 && paths.every((path) => matchesWildcard(attribute, path));
}

function matchesTag({ tag_key, tag_value }: IgnoreRule, tags: IgnorableItem['tags']): boolean {
  if (tag_key === null) return true;
  const value = Object.hasOwn(tags, tag_key) ? tags[tag_key] : undefined;
  return value !== undefined && (tag_value === null || matchesWildcard(tag_value, value));
}

function matches(pattern: string, text: string | null): boolean {
  return text !== null && matchesWildcard(pattern, text);
}

function namesExactly({ address, provider_resource_id }: IgnoreRule): boolean {
  return [address, provider_resource_id].some((pattern) => pattern !== null && !/[*?]/.test(pattern));
}

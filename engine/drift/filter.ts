/** Shows a part of a report: the items that match. */
import { compareLevels, maxLevel } from '../model/levels.ts';
import type { RiskLevel } from '../model/result.ts';
import { matchesWildcard } from '../risk/attributes/identity/wildcard.ts';
import type { DriftItem, DriftReport, DriftType } from './types.ts';

/** Every condition that is given must match; `*` and `?` are wildcards. */
export interface DriftFilter {
  /** Patterns of the Terraform type or of the cloud's type, one of which must match; empty for all. */
  types: readonly string[];
  /** Patterns of the address or of the ID in the cloud, one of which must match; empty for all. */
  addresses: readonly string[];
  min_level: RiskLevel;
}

/** @returns the report with these items and their counts and level; what was not checked stays */
export function filterDrift(report: DriftReport, filter: DriftFilter): DriftReport {
  const items = report.items.filter((item) => matches(item, filter));
  if (items.length === report.items.length) return report;
  const open = items.filter(({ ignore_rule_id }) => ignore_rule_id === null);
  const count = (type: DriftType) => items.filter(({ drift_type }) => drift_type === type).length;
  return {
    ...report,
    items,
    changed_count: count('changed'),
    missing_count: count('missing'),
    extra_count: count('new'),
    potential_count: items.filter(({ certainty }) => certainty === 'potential').length,
    ignored_count: items.length - open.length,
    risk_level: maxLevel('none', ...open.map(({ risk }) => risk.level)),
    escalations: [],
  };
}

function matches(item: DriftItem, { types, addresses, min_level }: DriftFilter): boolean {
  return (
    compareLevels(item.risk.level, min_level) >= 0 &&
    matchesAny(types, [item.resource_type, item.provider_type]) &&
    matchesAny(addresses, [item.resource_address, item.provider_resource_id])
  );
}

function matchesAny(patterns: readonly string[], texts: readonly (string | null)[]): boolean {
  if (patterns.length === 0) return true;
  return patterns.some((pattern) => texts.some((text) => text !== null && matchesWildcard(pattern, text)));
}

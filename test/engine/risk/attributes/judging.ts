import { normalizeChange } from '../../../../engine/changes/normalize.ts';
import type { ResourceChange } from '../../../../engine/changes/types.ts';
import { isAtLeast } from '../../../../engine/model/levels.ts';
import type { JsonObject, RiskLevel } from '../../../../engine/model/result.ts';
import type { Mask } from '../../../../engine/plan/types.ts';
import { findAttributeReasons } from '../../../../engine/risk/attributes/index.ts';
import { NO_OWNERSHIP } from '../../../../engine/risk/destinations/index.ts';
import { NO_LISTS } from '../../../../engine/risk/ordering/lists.ts';
import { NO_NEIGHBORS } from '../../../../engine/risk/relations/neighbors.ts';
import { NO_POWERS } from '../../../../engine/risk/relations/powers.ts';
import { NO_SELECTORS } from '../../../../engine/risk/relations/tags.ts';
import type { PlanFacts } from '../../../../engine/risk/types.ts';

const ACTIONS = {
  create: ['create'],
  update: ['update'],
  replace: ['delete', 'create'],
  delete: ['delete'],
} as const;

export interface Sides {
  before?: JsonObject;
  after?: JsonObject;
  unknown?: Mask;
  sensitive?: Mask;
  facts?: Partial<PlanFacts>;
}

/** Builds a normalized change of one resource. */
export function buildChange(action: keyof typeof ACTIONS, type: string, sides: Sides): ResourceChange {
  return normalizeChange({
    address: `${type}.it`,
    type,
    name: 'it',
    mode: 'managed',
    provider_name: `registry.terraform.io/hashicorp/${type.split('_')[0]}`,
    change: {
      actions: [...ACTIONS[action]],
      before: sides.before ?? null,
      after: sides.after ?? null,
      after_unknown: sides.unknown ?? {},
      before_sensitive: sides.sensitive ?? {},
      after_sensitive: sides.sensitive ?? {},
    },
  });
}

/** Evaluates the attribute rules and returns the level of each rule id. */
export function judge(action: keyof typeof ACTIONS, type: string, sides: Sides): Record<string, RiskLevel> {
  const { reasons } = findings(action, type, sides);
  return Object.fromEntries(reasons.map(({ rule_id, level }) => [rule_id, level]));
}

export function findings(action: keyof typeof ACTIONS, type: string, sides: Sides) {
  const none = new Set<string>();
  const facts = {
    accounts: none,
    destroyed: none,
    created: none,
    owned: NO_OWNERSHIP,
    ordered: NO_LISTS,
    neighbors: NO_NEIGHBORS,
    powers: NO_POWERS,
    selectors: NO_SELECTORS,
    publishes: false,
    unguarded: false,
    ...sides.facts,
  };
  const change = buildChange(action, type, sides);
  const found = findAttributeReasons(change, facts);
  return { change, ...found, weakens_high: isAtLeast(found.weakening?.level ?? 'none', 'high') };
}

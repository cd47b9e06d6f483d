import { compareLevels, maxLevel } from '../model/levels.ts';
import type { Category, RiskLevel } from '../model/result.ts';
import { LISTED_CATEGORIES } from './categories.ts';
import { BASE_MESSAGES, KIND_MESSAGES } from './data/base-messages.ts';
import type { Kind } from './types.ts';

/** Rows of the base matrix. A replace that keeps the old object is `forget`; no-op, read and move have no row. */
export type BaseAction = 'create' | 'update' | 'replace' | 'delete' | 'forget' | 'import' | 'unknown';

export interface BaseRule {
  /** `R-ACT-<ACTION>-<CATEGORY>`. */
  rule_id: string;
  level: RiskLevel;
  message: string;
}

type Row = Record<Category, RiskLevel>;

const ALL_LOW: Row = { other: 'low', network: 'low', iam: 'low', security: 'low', encryption: 'low', stateful: 'low' };

/** Levels by action and category. For `stateful` types with a kind, KIND_LEVELS applies instead. */
const LEVELS: Record<Exclude<BaseAction, 'unknown'>, Row> = {
  create: { ...ALL_LOW, iam: 'medium' },
  update: { other: 'low', network: 'medium', iam: 'medium', security: 'medium', encryption: 'medium', stateful: 'low' },
  replace: { other: 'medium', network: 'high', iam: 'high', security: 'high', encryption: 'high', stateful: 'medium' },
  delete: { other: 'medium', network: 'high', iam: 'high', security: 'high', encryption: 'high', stateful: 'medium' },
  forget: { other: 'low', network: 'low', iam: 'medium', security: 'medium', encryption: 'medium', stateful: 'medium' },
  import: ALL_LOW,
};

const KIND_LEVELS: Record<Kind, { update: RiskLevel; replace: RiskLevel; delete: RiskLevel }> = {
  key: { update: 'medium', replace: 'critical', delete: 'critical' },
  container: { update: 'low', replace: 'critical', delete: 'critical' },
  data: { update: 'medium', replace: 'critical', delete: 'critical' },
  rebuildable: { update: 'medium', replace: 'high', delete: 'high' },
  part: { update: 'low', replace: 'medium', delete: 'medium' },
};

/** The properties of a type that determine its base level. The kind applies to stateful types and key material. */
export interface BaseTraits {
  categories: readonly Category[];
  kind: Kind | null;
  holds_secrets: boolean;
}

/** Returns the base rule of an action: the highest level over the categories, ties by LISTED_CATEGORIES order. */
export function baseRule(action: BaseAction, traits: BaseTraits): BaseRule {
  const { categories, kind } = traits;
  let category: Category = 'other';
  let level = findLevel(action, category, null);
  for (const candidate of LISTED_CATEGORIES) {
    if (!categories.includes(candidate)) continue;
    const candidateLevel = findLevel(action, candidate, kind);
    if (category !== 'other' && compareLevels(candidateLevel, level) <= 0) continue;
    category = candidate;
    level = candidateLevel;
  }
  return {
    rule_id: `R-ACT-${action}-${category}`.toUpperCase(),
    level,
    message: findMessage(action, category, traits),
  };
}

function findLevel(action: BaseAction, category: Category, kind: Kind | null): RiskLevel {
  if (action === 'unknown') return maxLevel('medium', findLevel('update', category, kind));
  const row = LEVELS[action];
  if (kind === null || (category !== 'stateful' && kind !== 'key')) return row[category];
  if (action !== 'update' && action !== 'replace' && action !== 'delete') return row[category];
  return category === 'stateful' || category === 'encryption' ? KIND_LEVELS[kind][action] : row[category];
}

function findMessage(action: BaseAction, category: Category, { kind, holds_secrets }: BaseTraits): string {
  const byKind = kind !== null && (category === 'stateful' || category === 'encryption');
  if (!byKind || action === 'forget' || action === 'import' || action === 'unknown') {
    return BASE_MESSAGES[action][category];
  }
  return KIND_MESSAGES[holds_secrets && kind !== 'key' ? 'secret' : kind][action];
}

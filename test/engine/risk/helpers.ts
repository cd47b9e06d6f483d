import { normalizeChange } from '../../../engine/changes/normalize.ts';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import type { ChangeNoise, JsonObject, Reason } from '../../../engine/model/result.ts';
import type { PlanHeader, RawResourceChange } from '../../../engine/plan/types.ts';
import { NO_OWNERSHIP } from '../../../engine/risk/destinations/index.ts';
import { createPlanFacts } from '../../../engine/risk/facts.ts';
import { judge } from '../../../engine/risk/judge.ts';
import { NO_LISTS } from '../../../engine/risk/ordering/lists.ts';
import { createOverall } from '../../../engine/risk/overall.ts';
import { NO_NEIGHBORS } from '../../../engine/risk/relations/neighbors.ts';
import { NO_POWERS } from '../../../engine/risk/relations/powers.ts';
import { NO_SELECTORS } from '../../../engine/risk/relations/tags.ts';
import type { Judgement, PlanFacts } from '../../../engine/risk/types.ts';

type Sides = [before: JsonObject | null, after: JsonObject | null];
type Extra = Partial<RawResourceChange> & Partial<RawResourceChange['change']>;

let made = 0;

/** Builds a normalized change. Actions are written `create`, `delete,create` or `no-op`. */
export function makeChange(
  type: string,
  actions: string,
  [before, after]: Sides = [{}, {}],
  extra: Extra = {},
): ResourceChange {
  const { after_unknown, before_sensitive, after_sensitive, replace_paths, importing, ...entry } = extra;
  const change: RawResourceChange['change'] = { actions: actions.split(','), before, after };
  if (after_unknown !== undefined) change.after_unknown = after_unknown;
  if (before_sensitive !== undefined) change.before_sensitive = before_sensitive;
  if (after_sensitive !== undefined) change.after_sensitive = after_sensitive;
  if (replace_paths !== undefined) change.replace_paths = replace_paths;
  if (importing !== undefined) change.importing = importing;
  const name = `r${made++}`;
  return normalizeChange({ address: `${type}.${name}`, mode: 'managed', type, name, ...entry, change });
}

export const NOVEL: Readonly<ChangeNoise> = {
  classification: 'novel',
  severity: null,
  fingerprints: [],
  matched_rule_id: null,
  matched_custom_rule_id: null,
  suppression_id: null,
  overridden: false,
};

export const NO_FACTS: PlanFacts = {
  accounts: new Set(),
  destroyed: new Set(),
  created: new Set(),
  owned: NO_OWNERSHIP,
  ordered: NO_LISTS,
  neighbors: NO_NEIGHBORS,
  powers: NO_POWERS,
  selectors: NO_SELECTORS,
  publishes: false,
  unguarded: false,
};

export function judgeAlone(change: ResourceChange, noise: ChangeNoise = { ...NOVEL }): Judgement {
  return judge(change, NO_FACTS, noise);
}

export const COMPLETE_PLAN: PlanHeader = {
  format_version: '1.2',
  terraform_version: '1.11.4',
  complete: true,
  errored: false,
  applyable: true,
  redacted: false,
  deferred_count: 0,
  deferred: [],
  check_findings: [],
  checks: { pass: 0, fail: 0, error: 0, unknown: 0 },
};

/** Evaluates a whole plan: each change with the facts of all changes. */
export function judgePlan(changes: ResourceChange[], header: Partial<PlanHeader> = {}) {
  const facts = createPlanFacts();
  const overall = createOverall();
  for (const change of changes) facts.observe(change);
  const judgements = changes.map((change) => judge(change, facts.facts, { ...NOVEL }));
  changes.forEach((change, index) => {
    overall.observe(change, judgements[index]!);
  });
  return { judgements, ...overall.result({ ...COMPLETE_PLAN, ...header }) };
}

export function ruleIds(reasons: readonly Reason[]): string[] {
  return reasons.map((reason) => reason.rule_id);
}

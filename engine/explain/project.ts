import type { Change, PlanAnalysis, Reason, Summary } from '../model/result.ts';
import { NAMED_RULES } from '../risk/attributes/named-rules.ts';
import { cutMiddle, quoteData } from './data-text.ts';
import { listInsidePaths, pickValues, shortPath } from './shown-values.ts';
import type { SendValues, ShownValue } from './types.ts';

/** Maximum length of the JSON sent to a model. */
export const MAX_CHARS = 24_000;
/** Reserved for everything except the listed changes. */
const RESERVED_CHARS = 7_000;
const MAX_CHANGES = 60;
const MAX_PATHS = 20;
const MAX_GROUPS = 40;
export const MAX_NAME = 300;
const MAX_TYPE = 80;

const TERRAFORM_WORD = /^[a-z_]{1,60}$/;

export interface ShownChange {
  address: string;
  moved_from?: string;
  type: string;
  action: string;
  level: string;
  rules: { rule: string; level: string; effect?: string; path?: string }[];
  changed: string[];
  changed_in_all: number;
  values?: ShownValue[];
  replaced_because_of?: string[];
  cause?: string;
  leftover?: true;
  noise?: string;
  undoes_change_made_outside_code?: { kind: string; paths: string[] };
}

export interface Projection {
  values_shown: 'some' | 'none';
  level: string;
  counts: Record<string, number>;
  levels: Record<string, number>;
  blocked: boolean;
  errored: boolean;
  partial: boolean;
  deferred: number;
  noise: { known: number; suppressed: number };
  drift: { resources: number; bearing_on_this_plan: number };
  outputs_changed: number;
  escalations: { rule: string; level: string; because?: string }[];
  /** Descriptions of the rules in `changes`. */
  rules: Record<string, string>;
  changes: ShownChange[];
  other_changes: { type: string; action: string; level: string; count: number }[];
  not_listed: number;
}

/**
 * Builds the data about an analysis for a model, from an explicit list of fields: counts, levels, rule descriptions,
 * and names of at most 60 changes, riskiest first. It contains text from the plan only as names.
 */
export function project(analysis: PlanAnalysis, send_values: SendValues): Projection {
  const { summary, risk } = analysis;
  const changes = pickChanges(analysis.changes, send_values);
  const rest = analysis.changes.slice(changes.length);
  const groups = groupByAction(rest);
  const grouped = groups.reduce((sum, { count }) => sum + count, 0);
  return {
    values_shown: send_values === 'redacted' ? 'some' : 'none',
    level: analysis.risk_level,
    counts: toCounts(summary),
    levels: { ...summary.by_risk },
    blocked: risk.blocked,
    errored: summary.plan_errored === true,
    partial: summary.plan_complete === false,
    deferred: summary.deferred,
    noise: { known: analysis.plan_noise.known_benign, suppressed: analysis.plan_noise.suppressed },
    drift: { resources: summary.drift_detected, bearing_on_this_plan: analysis.resource_drift.length },
    outputs_changed: analysis.output_changes.length,
    escalations: risk.escalations.map(({ rule_id, level, message, kind }) => ({
      rule: rule_id.slice(0, MAX_TYPE),
      level,
      ...(kind === 'blast' ? { because: message } : {}),
    })),
    rules: describeRules(analysis.changes.slice(0, changes.length)),
    changes,
    other_changes: groups,
    not_listed: analysis.changes_total - changes.length - grouped,
  };
}

function pickChanges(all: readonly Change[], send_values: SendValues): ShownChange[] {
  const shown: ShownChange[] = [];
  let left = MAX_CHARS - RESERVED_CHARS;
  for (const change of all.slice(0, MAX_CHANGES)) {
    const next = projectChange(change, send_values);
    left -= quoteData(next).length + 1;
    if (left < 0) break;
    shown.push(next);
  }
  return shown;
}

function projectChange(change: Change, send_values: SendValues): ShownChange {
  const { risk, reverts_drift, action_reason, noise } = change;
  const paths = change.attributes
    .flatMap((diff) => [diff.path, ...listInsidePaths(diff)])
    .filter((path) => path !== '');
  const values = send_values === 'redacted' ? pickValues(change).map(({ shown }) => shown) : [];
  const cause = action_reason !== null && TERRAFORM_WORD.test(action_reason) ? action_reason : undefined;
  return {
    address: cutMiddle(change.address, MAX_NAME),
    ...(change.previous_address === null ? {} : { moved_from: cutMiddle(change.previous_address, MAX_NAME) }),
    type: cutMiddle(change.type, MAX_TYPE),
    action: change.action_label,
    level: risk.level,
    rules: risk.reasons.slice(0, MAX_PATHS).map(toShownRule),
    changed: paths.slice(0, MAX_PATHS).map(shortPath),
    changed_in_all: change.attributes_total,
    ...(values.length > 0 ? { values } : {}),
    ...(change.replace_paths.length > 0
      ? { replaced_because_of: change.replace_paths.slice(0, MAX_PATHS).map(shortPath) }
      : {}),
    ...(cause === undefined ? {} : { cause }),
    ...(change.deposed === null ? {} : { leftover: true as const }),
    ...(noise.classification === 'novel' ? {} : { noise: noise.classification }),
    ...(reverts_drift
      ? { undoes_change_made_outside_code: { kind: reverts_drift.kind, paths: reverts_drift.paths.map(shortPath) } }
      : {}),
  };
}

/** Replaces the ids of custom and policy rules, because people write their names and reasons. */
function toShownRule({ rule_id, kind, effect, level, path }: Reason): ShownChange['rules'][number] {
  const rule = kind === 'custom' || kind === 'policy' ? `ORG-${kind.toUpperCase()}` : rule_id.slice(0, MAX_TYPE);
  return {
    rule,
    level,
    ...(effect === 'raise' ? {} : { effect }),
    ...(path === null ? {} : { path: shortPath(path) }),
  };
}

/** Descriptions of rules, without text from the plan: titles of the catalog, and messages of base and noise rules. */
function describeRules(changes: readonly Change[]): Record<string, string> {
  const meanings = new Map<string, string>();
  for (const { rule_id, kind, message, short_message = message } of changes.flatMap(({ risk }) => risk.reasons)) {
    if (meanings.has(rule_id)) continue;
    const own = kind === 'base' || kind === 'noise' ? short_message : undefined;
    const description = NAMED_RULES[rule_id]?.title ?? own;
    if (description !== undefined && meanings.size < MAX_GROUPS) meanings.set(rule_id, description);
  }
  return Object.fromEntries(meanings);
}

function toCounts(summary: Summary): Record<string, number> {
  const { total, create, update, replace, forget, move, no_op, destructive } = summary;
  return {
    total,
    create,
    update,
    replace,
    delete: summary.delete,
    forget,
    import: summary.import,
    move,
    unchanged: no_op,
    destroying: destructive,
  };
}

function groupByAction(rest: readonly Change[]): Projection['other_changes'] {
  const groups = new Map<string, Projection['other_changes'][number]>();
  for (const { type, action, risk } of rest) {
    const key = JSON.stringify([type, action, risk.level]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { type: cutMiddle(type, MAX_TYPE), action, level: risk.level, count: 1 });
    else known.count += 1;
  }
  return [...groups.values()].slice(0, MAX_GROUPS);
}

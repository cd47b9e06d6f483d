/**
 * Drift as a language model explains it. A difference is shown as the change that made it, so that prompts, the checks of
 * an answer and raised levels are those of plans.
 */
import type { AttributeDiff, Category, Change, Explanation, PlanAnalysis, Reason, RiskLevel } from '../model/result.ts';
import { buildPrompt } from './prompt.ts';
import { DRIFT_VERSION } from './prompts/index.ts';
import { applyProposals } from './raise.ts';
import { readAnswer } from './read.ts';
import type { Dropped, PlanFacts, Prompt, SendValues, Unusable } from './types.ts';

/** A difference between a cloud and a state. */
interface ExplainedItem {
  id: string;
  drift_type: 'changed' | 'missing' | 'new';
  resource_address: string | null;
  resource_type: string | null;
  provider_type: string | null;
  provider_resource_id: string | null;
  categories: readonly Category[];
  level: RiskLevel;
  reasons: readonly Reason[];
  attributes: readonly AttributeDiff[];
  attributes_total: number;
}

/** Drift that counts, without what the organization accepts. */
export interface ExplainedDrift {
  risk_level: RiskLevel;
  /** What the rules wrote. */
  narrative: string;
  is_incomplete: boolean;
  matched_count: number;
  /** Numbers of all items that count. */
  counts: Record<ExplainedItem['drift_type'], number>;
  by_risk: Record<RiskLevel, number>;
  /** The highest levels first; at most 200. */
  items: readonly ExplainedItem[];
}

/** A narrative with accepted sentences of a model. */
export interface DriftExplanation {
  /** At most 6,000 characters. */
  narrative: string;
  /** That of the rules, or one step higher. */
  risk_level: RiskLevel;
  dropped: Dropped[];
}

/** @throws RangeError for a prompt version that this release does not have */
export function buildDriftPrompt(
  drift: ExplainedDrift,
  options: { send_values: SendValues; prompt_version?: string },
): Prompt & { known: PlanFacts } {
  return buildPrompt(toAnalysis(drift), { prompt_version: DRIFT_VERSION, ...options });
}

/** Reads an answer to `buildDriftPrompt`, checked sentence by sentence as for a plan. */
export function readDriftAnswer(text: string, drift: ExplainedDrift, known: PlanFacts): DriftExplanation | Unusable {
  const analysis = toAnalysis(drift);
  const reading = readAnswer(text, analysis, known);
  if ('unusable' in reading) return reading;
  const { risk_level, risk } = applyProposals(analysis, reading.proposals, reading.overall);
  const raised = reading.overall?.reason ?? reading.proposals[0]?.reason ?? risk.escalations[0]?.message ?? '';
  const is_raised = risk_level !== drift.risk_level;
  return {
    narrative: compose(drift, reading, is_raised ? { level: risk_level, reason: raised } : null),
    risk_level,
    dropped: reading.dropped,
  };
}

const MAX_LENGTH = 6_000;
const EXPLAINED =
  'Levels, counts and reasons come from rules; a language model wrote the explanation, which was checked against the comparison.';

/** Drops the checks, and then the text of the rules after its first paragraph, if the whole is too long. */
function compose(
  drift: ExplainedDrift,
  { what_will_happen, why_it_matters, what_to_check }: Explanation,
  raised: { level: RiskLevel; reason: string } | null,
): string {
  const [verdict = '', ...rest] = restate(drift, raised?.level ?? drift.risk_level).split('\n\n');
  const why = raised === null ? '' : `The language model raised the level: ${raised.reason}`;
  const checks = what_to_check.map(({ text }) => `- ${text}`).join('\n');
  const explanation = [why, what_will_happen, why_it_matters];
  const versions = [
    [verdict, ...explanation, checks === '' ? '' : `What to check:\n${checks}`, ...rest, EXPLAINED],
    [verdict, ...explanation, ...rest, EXPLAINED],
    [verdict, ...explanation, EXPLAINED],
  ].map((parts) => parts.filter((part) => part !== '').join('\n\n'));
  return versions.find((text) => text.length <= MAX_LENGTH) ?? (versions.at(-1) as string).slice(0, MAX_LENGTH);
}

/** The text of the rules with the level that now applies. */
function restate({ narrative, risk_level }: ExplainedDrift, level: RiskLevel): string {
  const stated = formatLevel(risk_level);
  return narrative.startsWith(stated) ? `${formatLevel(level)}${narrative.slice(stated.length)}` : narrative;
}

/** How a narrative begins. */
function formatLevel(level: RiskLevel): string {
  return `**Risk: ${level.toUpperCase()}.**`;
}

const ACTIONS = { changed: 'update', missing: 'delete', new: 'create' } as const;
const NOVEL = {
  classification: 'novel',
  severity: null,
  fingerprints: [],
  matched_rule_id: null,
  matched_custom_rule_id: null,
  suppression_id: null,
  overridden: false,
} as const;
const CHECKS = { pass: 0, fail: 0, error: 0, unknown: 0 };

function toChange(item: ExplainedItem): Change {
  const { drift_type, resource_type, provider_type, level, reasons, attributes } = item;
  const action = ACTIONS[drift_type];
  const type = resource_type ?? provider_type ?? '';
  const address = item.resource_address ?? `${type} ${item.provider_resource_id ?? ''}`.trim();
  return {
    ...{ id: item.id, address, type, name: '', mode: 'managed', index: null, provider: '', provider_name: '' },
    ...{ previous_address: null, module_address: null, deposed: null, action_reason: null, importing: null },
    ...{ action, actions: [action], action_label: action, replace_paths: [], categories: [...item.categories] },
    risk: { level, deterministic_level: level, raised_by: null, guarded: false, reasons: [...reasons] },
    attributes: [...attributes],
    attributes_total: item.attributes_total,
    attributes_truncated: item.attributes_total > attributes.length,
    noise: { ...NOVEL, fingerprints: [] },
    reverts_drift: null,
    live_resource_id: null,
  };
}

function toAnalysis(drift: ExplainedDrift): PlanAnalysis {
  const { risk_level, counts, by_risk, items, is_incomplete, matched_count } = drift;
  const total = counts.changed + counts.missing + counts.new;
  return {
    schema_version: 1,
    risk_level,
    risk: {
      ...{ deterministic_level: risk_level, llm_level: null, escalations: [], policy_version: 0, engine_version: '' },
      ...{ blocked: false, block_reasons: [] },
    },
    ...{ narrative: '', narrative_status: 'fallback', skip_reason: null },
    changes: items.map(toChange),
    changes_total: total,
    changes_truncated: total > items.length,
    summary: {
      ...{ total, create: counts.new, update: counts.changed, delete: counts.missing, destructive: counts.missing },
      ...{ replace: 0, read: 0, no_op: matched_count, forget: 0, import: 0, move: 0, deferred: 0, drift_detected: 0 },
      ...{ by_risk, by_category: {}, by_provider: {}, headline: '', terraform_version: null, format_version: null },
      ...{ plan_complete: !is_incomplete, plan_errored: null, plan_applyable: null, checks: CHECKS },
    },
    ...{ output_changes: [], resource_drift: [], checks: [] },
    plan_noise: {
      known_benign: 0,
      novel: total,
      suppressed: 0,
      total,
      addresses: { known_benign: [], suppressed: [] },
    },
    not_evaluated: { resources: [], resources_total: 0, unknown_attributes: 0, values_withheld: false },
  };
}

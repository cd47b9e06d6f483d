import { formatActionCounts, isDestroyed, partitionChanges } from '../counts.ts';
import type { Category, Change, OutputChange, PlanAnalysis, Reason, RiskLevel } from '../result.ts';
import { type Cause, collectCauses, describeChangedPaths } from './causes.ts';
import {
  describeDriftCauses,
  describeReversalCause,
  describeReversals,
  driftSentence,
  type ReversalText,
} from './drift.ts';
import { type Evidence, findEvidence } from './evidence.ts';
import { isCosmetic } from './path-rank.ts';
import { collectProofs } from './proofs.ts';
import { collectGaps, failedCheckLines, type Gaps } from './unevaluated.ts';

/** A sentence that explains a level, and the values that decide. */
export interface ShownReason {
  text: string;
  evidence: Evidence | null;
}

/**
 * One change as any rendering shows it: reasons first, then causes, then what it undoes. Texts are raw: each renderer makes
 * them inert in its own way.
 */
export interface Row {
  /** `Change.id`; a drifted resource and its planned change have the same. */
  id: string;
  action: string;
  level: RiskLevel;
  address: string;
  type: string;
  categories: readonly Category[];
  is_destroyed: boolean;
  /** What bears on security first, tags last; at most three. */
  reasons: ShownReason[];
  causes: Cause[];
  /** Set where it undoes what someone did outside of the code. */
  reversal: Cause | null;
}

export interface NamedCount {
  count: number;
  names: string[];
}

/** What there is to say about a plan, in the order of weight; the same for the terminal and for a comment. */
export interface View {
  level: RiskLevel;
  /** A rule of the policy forbids the plan, whatever its level. */
  blocked: boolean;
  /** `1 to delete`, `2 to replace`. */
  destructive: string[];
  /** `4 to update`, `3 to create`. */
  constructive: string[];
  /** What must not be overlooked: escalations, blocks, failed checks, and what the plan leaves unjudged. */
  warnings: string[];
  /** What was done by hand and is undone, of every level: someone had a reason for it. */
  reversals: ReversalText[];
  /** What is of level medium and above, or destroys or replaces something; riskiest first. */
  review: Row[];
  /** The rest without noise. */
  others: Row[];
  /** Deletes and replaces which the analysis counts but does not list. */
  destroyed_unlisted: number;
  /** Other changes that it does not list. */
  unlisted: number;
  /** Changes that mean nothing, and are not among the rows above. */
  noise: NamedCount & { suppressed: number; proofs: ReadonlyMap<string, string> };
  total: number;
  gaps: Gaps;
  /** What changed outside of the code: a sentence without its end, empty when nothing did; then what bears on this plan. */
  drift: { sentence: string; rows: Row[] };
  outputs: NamedCount;
}

const MAX_REASONS = 3;
const MAX_REVERSAL_PATHS = 3;

/** @param analysis finished and redacted */
export function createView(analysis: PlanAnalysis): View {
  const { summary, changes } = analysis;
  const { destructive, others: constructive } = formatActionCounts(summary);
  const { review, others, noise, noise_unlisted, destroyed_unlisted, unlisted } = partitionChanges(analysis);
  return {
    level: analysis.risk_level,
    blocked: analysis.risk.blocked,
    destructive,
    constructive,
    warnings: collectWarnings(analysis),
    reversals: describeReversals(changes, MAX_REVERSAL_PATHS),
    review: review.map((change) => buildRow(change, collectCauses(change))),
    others: others.map(buildMinorRow),
    destroyed_unlisted,
    unlisted,
    noise: {
      count: noise.length + noise_unlisted,
      suppressed: noise.filter((change) => change.noise.suppression_id !== null).length,
      names: noise.map(({ address }) => address),
      proofs: collectProofs(noise),
    },
    total: summary.total,
    gaps: collectGaps(analysis),
    drift: { sentence: driftSentence(analysis), rows: buildDriftRows(analysis) },
    outputs: countOutputs(analysis.output_changes),
  };
}

function buildRow(change: Change, causes: Cause[], reasons = pickReasons(change, change.risk.reasons)): Row {
  const { id, action, address, type, categories, risk } = change;
  return {
    id,
    action,
    address,
    type,
    categories,
    is_destroyed: isDestroyed(change),
    level: risk.level,
    reasons,
    causes,
    reversal: describeReversalCause(change),
  };
}

/** An address is planned and drifted under one id. */
function buildDriftRows({ changes, resource_drift }: PlanAnalysis): Row[] {
  const planned = new Map(changes.map((change) => [change.id, change]));
  return resource_drift.map((drifted) => buildRow(drifted, describeDriftCauses(drifted, planned.get(drifted.id)), []));
}

/** What every action of its kind does is no news below medium. */
function buildMinorRow(change: Change): Row {
  const own = change.risk.reasons.filter(({ kind }) => kind !== 'base');
  return buildRow(change, [...collectCauses(change), ...describeChangedPaths(change)], pickReasons(change, own));
}

/** A base sentence says nothing beside a reason of the change's own, be it one that lowers the level. */
function pickReasons(change: Change, reasons: readonly Reason[]): ShownReason[] {
  const lowering = reasons.filter(({ effect }) => effect === 'cap');
  const raising = reasons.filter(({ kind, effect }) => kind !== 'base' && effect !== 'cap');
  const weightier = raising.length > 0 && reasons[0]?.kind !== 'base';
  const selected = weightier || lowering.length > 0 ? [...raising, ...lowering] : reasons;
  const shown = new Map<string, ShownReason>();
  for (const reason of selected.toSorted((a, b) => reasonRank(a) - reasonRank(b))) {
    const text = extractSentence(reason);
    if (!shown.has(text)) shown.set(text, { text, evidence: findEvidence(reason, change) });
  }
  return [...shown.values()].slice(0, MAX_REASONS);
}

/** Reasons come highest level first; those about tags go behind all others. */
function reasonRank({ path }: Reason): number {
  return path !== null && isCosmetic(path) ? 1 : 0;
}

/** Of a base reason the first sentence: the rest tells order and cause, which a row shows by itself. */
function extractSentence({ kind, message }: Reason): string {
  if (kind !== 'base') return message;
  const end = message.indexOf('. ');
  return end === -1 ? message : message.slice(0, end + 1);
}

function collectWarnings({ risk, summary, checks }: PlanAnalysis): string[] {
  const messages = [...risk.block_reasons, ...risk.escalations].map(({ message }) => message);
  messages.push(...failedCheckLines({ checks, summary }));
  if (summary.plan_errored === true) messages.push('The plan has errors: what comes after the first was not judged.');
  const partial = summary.deferred > 0 || (summary.plan_complete === false && summary.plan_errored !== true);
  if (partial) messages.push('The plan is partial (targeted or deferred): what it leaves out was not judged.');
  return [...new Set(messages)];
}

function countOutputs(outputs: OutputChange[]): NamedCount {
  const changed = outputs.filter(({ action }) => action !== 'no-op');
  return { count: changed.length, names: changed.map(({ name }) => name) };
}

/** How the result came about, line by line. */
export function describeOrigin({ risk, narrative_status, summary }: PlanAnalysis): string[] {
  const version = summary.terraform_version ?? 'of an unknown version';
  const writer = narrative_status === 'ready' ? 'a language model' : 'rules, without a language model';
  return [
    `Engine ${risk.engine_version}, policy ${risk.policy_version}; plan made by Terraform or OpenTofu ${version}.`,
    `Levels come from rules; the text was written by ${writer}.`,
    'Of the values of the plan only those are shown that decide a level or force a replacement; sensitive ones never are.',
  ];
}

/** `600 aws_instance, 250 aws_subnet`: what the rows are that a rendering has no room for, the most frequent first. */
export function countTypes(rows: readonly { type: string }[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { type } of rows) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

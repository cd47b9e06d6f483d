import { formatActionCounts, isDestroyed, partitionChanges } from '../model/counts.ts';
import type { Category, Change, OutputChange, PlanAnalysis, Reason, RiskLevel } from '../model/result.ts';
import { type Cause, collectCauses, describeChangedPaths } from './causes.ts';
import { describeCheckLevel, describeConcerns, type ShownConcern } from './concerns.ts';
import {
  describeDriftCauses,
  describeReversalCause,
  describeReversals,
  driftSentence,
  type ReversalText,
} from './drift.ts';
import { type Evidence, findEvidence } from './evidence.ts';
import { describeLive, describeLiveCauses, type LiveText } from './live.ts';
import { isCosmetic } from './path-rank.ts';
import { collectProofs } from './proofs.ts';
import { collectGaps, describeOmissions, failedCheckLines, type Gaps } from './unevaluated.ts';

/** A sentence that explains a level, with the values that decide it. */
export interface ShownReason {
  text: string;
  evidence: Evidence | null;
}

/**
 * One change in display order: reasons, causes, then the out-of-band change that it undoes. Texts are raw; each
 * renderer escapes them.
 */
export interface Row {
  /** `Change.id`; a drifted resource and its planned change share the same id. */
  id: string;
  action: string;
  level: RiskLevel;
  address: string;
  type: string;
  categories: readonly Category[];
  is_destroyed: boolean;
  /** At most three: security-relevant ones first, tags last. */
  reasons: ShownReason[];
  causes: Cause[];
  /** Set if the change undoes an out-of-band change. */
  reversal: Cause | null;
}

export interface NamedCount {
  count: number;
  names: string[];
}

/** The content of a rendered analysis, most important first; shared by terminal output and comments. */
export interface View {
  level: RiskLevel;
  /** A policy rule blocks the plan, whatever its level. */
  blocked: boolean;
  /** `1 to delete`, `2 to replace`. */
  destructive: string[];
  /** `4 to update`, `3 to create`. */
  constructive: string[];
  /** Escalations, blocks, failed checks, and parts of the plan that were not evaluated. */
  warnings: string[];
  /** Concerns of a language model, apart from what rules found. */
  concerns: ShownConcern[];
  /** Out-of-band changes that the plan undoes, of any level, because someone made them for a reason. */
  reversals: ReversalText[];
  /** What scans found about the resources of changes of any level: gone, or public. */
  live: LiveText[];
  /** Changes of level medium or above, and all deletes and replaces; riskiest first. */
  review: Row[];
  /** The remaining changes without noise. */
  others: Row[];
  /** Deletes and replaces that the analysis counts but does not list. */
  destroyed_unlisted: number;
  /** Other changes that the analysis counts but does not list. */
  unlisted: number;
  /** Noise that is not listed in the rows above. */
  noise: NamedCount & { suppressed: number; proofs: ReadonlyMap<string, string> };
  total: number;
  gaps: Gaps;
  /** Out-of-band changes: a sentence without its period, empty without drift, and the ones that affect this plan. */
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
    warnings: [...collectWarnings(analysis), ...describeCheckLevel(analysis)],
    concerns: describeConcerns(analysis),
    reversals: describeReversals(changes, MAX_REVERSAL_PATHS),
    live: describeLive(changes),
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
    causes: [...causes, ...describeLiveCauses(change)],
    reversal: describeReversalCause(change),
  };
}

/** Matches drifted resources with planned changes by id. */
function buildDriftRows({ changes, resource_drift }: PlanAnalysis): Row[] {
  const planned = new Map(changes.map((change) => [change.id, change]));
  return resource_drift.map((drifted) => buildRow(drifted, describeDriftCauses(drifted, planned.get(drifted.id)), []));
}

/** Below medium, base reasons are omitted: they apply to every action of the same kind. */
function buildMinorRow(change: Change): Row {
  const own = change.risk.reasons.filter(({ kind }) => kind !== 'base');
  return buildRow(change, [...collectCauses(change), ...describeChangedPaths(change)], pickReasons(change, own));
}

/** Omits base reasons if the change has specific reasons, including ones that lower the level. */
function pickReasons(change: Change, reasons: readonly Reason[]): ShownReason[] {
  const lowering = reasons.filter(({ effect }) => effect === 'cap');
  const raising = reasons.filter(({ kind, effect }) => kind !== 'base' && effect !== 'cap');
  const weightier = raising.length > 0 && reasons[0]?.kind !== 'base';
  const selected = weightier || lowering.length > 0 ? [...raising, ...lowering] : reasons;
  // The row shows the order and the cause itself.
  const shown = new Map<string, ShownReason>();
  for (const reason of selected.toSorted((a, b) => reasonRank(a) - reasonRank(b))) {
    const text = reason.short_message ?? reason.message;
    if (!shown.has(text)) shown.set(text, { text, evidence: findEvidence(reason, change) });
  }
  return [...shown.values()].slice(0, MAX_REASONS);
}

/** Reasons are sorted by level; this moves reasons about tags to the end. */
function reasonRank({ path }: Reason): number {
  return path !== null && isCosmetic(path) ? 1 : 0;
}

function collectWarnings({ risk, summary, checks }: PlanAnalysis): string[] {
  const reasons = [...risk.block_reasons, ...risk.escalations].map(({ message }) => message);
  const messages = [...reasons, ...failedCheckLines({ checks, summary })];
  return [...new Set([...messages, ...describeOmissions({ summary, risk })])];
}

function countOutputs(outputs: OutputChange[]): NamedCount {
  const changed = outputs.filter(({ action }) => action !== 'no-op');
  return { count: changed.length, names: changed.map(({ name }) => name) };
}

/** How the result was produced, one line per fact. */
export function describeOrigin({ risk, narrative_status, summary, concerns }: PlanAnalysis): string[] {
  const version = summary.terraform_version ?? 'of an unknown version';
  const authorship =
    narrative_status === 'ready'
      ? `Rules set the levels; a language model wrote the explanation${concerns === undefined ? '' : ' and the concerns'}.`
      : 'Rules set the levels and wrote the text, without a language model.';
  return [
    `Engine ${risk.engine_version}, policy ${risk.policy_version}; plan created by Terraform or OpenTofu ${version}.`,
    authorship,
    'Only values that decide a level or force a replacement are shown; sensitive values are never shown.',
  ];
}

/** Number of rows per resource type, most frequent first, to summarize rows that do not fit. */
export function countTypes(rows: readonly { type: string }[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { type } of rows) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

import type { Category, Change, OutputChange, PlanAnalysis, Reason, RiskLevel, Summary } from '../result.ts';
import { isAtLeast } from '../risk/levels.ts';
import { type Cause, causesOf, touchesOf } from './causes.ts';
import { driftCausesOf, driftSentence, type Undoing, undoingCauseOf, undoingsOf } from './drift.ts';
import { proofsOf } from './proofs.ts';

/** One change as any rendering shows it. Texts are raw: each renderer makes them inert in its own way. */
export interface Row {
  /** `Change.id`; a drifted resource and its planned change have the same. */
  id: string;
  action: string;
  level: RiskLevel;
  address: string;
  type: string;
  categories: readonly Category[];
  /** Set where it undoes what someone did outside of the code. */
  undoes: Cause | null;
  causes: Cause[];
  /** The sentences that explain the level, the weightiest first, at most three. */
  reasons: string[];
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
  /** What must not be overlooked: escalations, blocks, and what the plan leaves unjudged. */
  warnings: string[];
  /** What was done by hand and is undone, of every level: someone had a reason for it. */
  undoings: Undoing[];
  /** Every delete and replace, whatever its level. */
  destroyed: Row[];
  /** Deletes and replaces which the analysis counts but does not list. */
  destroyed_unlisted: number;
  /** Other changes of level medium and above. */
  important: Row[];
  /** Other changes below medium. */
  minor: Row[];
  /** Changes that are neither destroyed nor listed above, because the analysis was cut. */
  unlisted: number;
  noise: NamedCount & { suppressed: number; proofs: ReadonlyMap<string, string> };
  total: number;
  /** What changed outside of the code: a sentence without its end, empty when nothing did; then what bears on this plan. */
  drift: { sentence: string; rows: Row[] };
  outputs: NamedCount;
}

const MAX_REASONS = 3;
const MAX_UNDONE_PATHS = 3;

/** @param analysis finished and redacted */
export function createView(analysis: PlanAnalysis): View {
  const { summary, plan_noise, changes } = analysis;
  const destroyed = changes.filter(isDestroyed);
  const shown = changes.filter((change) => !isDestroyed(change) && !isFolded(change));
  const important = shown.filter(({ risk }) => isAtLeast(risk.level, 'medium'));
  const minor = shown.filter(({ risk }) => !isAtLeast(risk.level, 'medium'));
  const destroyed_unlisted = Math.max(0, summary.delete + summary.replace - destroyed.length);
  return {
    level: analysis.risk_level,
    blocked: analysis.risk.blocked,
    destructive: countsOf([
      [summary.delete, 'to delete'],
      [summary.replace, 'to replace'],
    ]),
    constructive: countsOf(constructiveCounts(summary)),
    warnings: warningsOf(analysis),
    undoings: undoingsOf(changes, MAX_UNDONE_PATHS),
    destroyed: destroyed.map((change) => rowOf(change, causesOf(change))),
    destroyed_unlisted,
    important: important.map((change) => rowOf(change, causesOf(change))),
    minor: minor.map(minorRow),
    unlisted: Math.max(0, analysis.changes_total - changes.length - destroyed_unlisted),
    noise: {
      count: plan_noise.known_benign,
      suppressed: plan_noise.suppressed,
      names: plan_noise.addresses.known_benign,
      proofs: proofsOf(changes),
    },
    total: summary.total,
    drift: { sentence: driftSentence(analysis), rows: driftRowsOf(analysis) },
    outputs: outputsOf(analysis.output_changes),
  };
}

/** Noise that still matters is shown with the rest. */
export function isFolded({ noise, risk, reverts_drift }: Change): boolean {
  if (reverts_drift) return false;
  return noise.classification !== 'novel' && !noise.overridden && !isAtLeast(risk.level, 'medium');
}

function isDestroyed({ action }: Change): boolean {
  return action === 'delete' || action === 'replace';
}

function rowOf(change: Change, causes: Cause[], reasons = reasonsOf(change.risk)): Row {
  const { id, action, address, type, categories, risk } = change;
  return { id, action, address, type, categories, undoes: undoingCauseOf(change), causes, level: risk.level, reasons };
}

/** An address is planned and drifted under one id. */
function driftRowsOf({ changes, resource_drift }: PlanAnalysis): Row[] {
  const planned = new Map(changes.map((change) => [change.id, change]));
  return resource_drift.map((drifted) => rowOf(drifted, driftCausesOf(drifted, planned.get(drifted.id)), []));
}

/** What every action of its kind does is no news below medium. */
function minorRow(change: Change): Row {
  const own = change.risk.reasons.filter(({ kind }) => kind !== 'base');
  return rowOf(change, [...causesOf(change), ...touchesOf(change)], reasonsOf({ reasons: own }));
}

/** A base sentence says nothing beside a reason of the change's own, be it one that lowers the level. */
function reasonsOf({ reasons }: Pick<Change['risk'], 'reasons'>): string[] {
  const lowering = reasons.filter(({ effect }) => effect === 'cap');
  const raising = reasons.filter(({ kind, effect }) => kind !== 'base' && effect !== 'cap');
  const weightier = raising.length > 0 && reasons[0]?.kind !== 'base';
  const told = weightier || lowering.length > 0 ? [...lowering, ...raising] : reasons;
  return [...new Set(told.map(sentenceOf))].slice(0, MAX_REASONS);
}

/** Of a base reason the first sentence: the rest tells order and cause, which a row shows by itself. */
function sentenceOf({ kind, message }: Reason): string {
  if (kind !== 'base') return message;
  const end = message.indexOf('. ');
  return end === -1 ? message : message.slice(0, end + 1);
}

function constructiveCounts(summary: Summary): [number, string][] {
  const { create, update, replace, forget, move } = summary;
  const known = create + update + replace + summary.delete + forget + summary.import + move;
  return [
    [update, 'to update'],
    [create, 'to create'],
    [forget, 'to forget'],
    [summary.import, 'to import'],
    [move, 'to move'],
    [summary.total - known, 'of an unknown kind'],
  ];
}

function countsOf(counts: [number, string][]): string[] {
  return counts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
}

function warningsOf({ risk, summary }: PlanAnalysis): string[] {
  const messages = [...risk.block_reasons, ...risk.escalations].map(({ message }) => message);
  const { error, fail } = summary.checks;
  if (fail + error > 0) messages.push(`${plural(fail + error, 'check')} of the configuration did not pass.`);
  if (summary.plan_errored === true) messages.push('The plan has errors: what comes after the first was not judged.');
  const partial = summary.deferred > 0 || (summary.plan_complete === false && summary.plan_errored !== true);
  if (partial) messages.push('The plan is partial (targeted or deferred): what it leaves out was not judged.');
  return [...new Set(messages)];
}

function outputsOf(outputs: OutputChange[]): NamedCount {
  const changed = outputs.filter(({ action }) => action !== 'no-op');
  return { count: changed.length, names: changed.map(({ name }) => name) };
}

/** How the result came about, line by line. */
export function madeOf({ risk, narrative_status, summary }: PlanAnalysis): string[] {
  const version = summary.terraform_version ?? 'of an unknown version';
  const writer = narrative_status === 'ready' ? 'a language model' : 'rules, without a language model';
  return [
    `Engine ${risk.engine_version}, policy ${risk.policy_version}; plan made by Terraform or OpenTofu ${version}.`,
    `Levels come from rules; the text was written by ${writer}.`,
    'Values of the plan are not shown, apart from those that a reason names.',
  ];
}

/** `1 change`, `2 changes`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `600 aws_instance, 250 aws_subnet`: what the rows are that a rendering has no room for, the most frequent first. */
export function typesOf(rows: readonly { type: string }[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { type } of rows) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

import { explanationOf } from '../narrative.ts';
import { name, names, sentence, undoingLine } from '../render/cells.ts';
import { moreUndoings } from '../render/drift.ts';
import { listNotEvaluated } from '../render/not-evaluated.ts';
import { createView, madeOf, type View } from '../render/view.ts';
import type { PlanAnalysis } from '../result.ts';
import { isAtLeast } from '../risk/levels.ts';
import { noiseBlock } from './noise.ts';
import { type Block, type Item, type Piece, RANKS, type Rank } from './pack.ts';
import { quietLines } from './quiet.ts';
import { DESTROYED, importantPiece, rowPiece, tableBlock, tallyOf } from './rows.ts';
import { deltaOf, snapshotOf } from './snapshot.ts';
import type { Dialect, NoiseHistory } from './types.ts';
import { isQuiet, type JudgedPlan } from './weights.ts';

export interface SectionOptions {
  dialect: Dialect;
  history: NoiseHistory;
  /** How many rows the open table shows of what is destroyed, and of what else matters; the others are folded. */
  top: number;
  /** Whether it is said when, and by which call, this came about. */
  dated: boolean;
}

const MAX_UNDOINGS = 3;
const MAX_APPEARED = 5;
const MAX_MADE = 20;
const DEFERRED = {
  organization_rules: 'Judged by the rules of your organization. Only the explanation of a model is missing:',
  builtin_rules: 'Judged by built-in rules alone, because the rules of your organization could not be read:',
} as const;

/** What is told of one plan, in the order of the page; its heading is not among it. */
export function sectionOf(plan: JudgedPlan, { dialect, history, top, dated }: SectionOptions): Item[] {
  const { analysis } = plan.outcome;
  const view = createView(analysis);
  const explained = analysis.narrative_status === 'ready';
  const words = quietLines(explained ? explanationOf(analysis) : analysis.narrative, dialect);
  const table = openTable(view, top);
  const folds = [
    ...rest(view, top),
    ...driftFold(view),
    ...noiseBlock(analysis, dated ? history : new Map()),
    ...(explained || isQuiet(plan) ? [] : fold('In words', words, RANKS.words)),
  ];
  const lead = [...warnings(plan, view), ...(explained ? lines([words], RANKS.explanation, 'explanation') : []), table];
  const facts = [...undoings(view), ...(dated ? delta(plan) : []), ...notEvaluated(analysis), ...outputs(view)];
  const { destroyed_unlisted, unlisted } = view;
  const tally = tallyOf([...lead, ...facts, ...folds], { destroyed_unlisted, unlisted, link: linkOf(plan, dated) });
  return [...lead, tally, ...facts, ...folds];
}

/** A new version of a task definition is a replace too: one that matters little does not stand before an open firewall. */
function openTable({ destroyed, important }: View, top: number): Block {
  const shown = destroyed.slice(0, top);
  const heavy = shown.filter(({ level }) => isAtLeast(level, 'medium'));
  const light = shown.slice(heavy.length);
  return tableBlock([
    ...heavy.map((row) => rowPiece(row, RANKS.destroyed, DESTROYED)),
    ...important.slice(0, top).map(importantPiece),
    ...light.map((row) => rowPiece(row, RANKS.destroyed, DESTROYED)),
  ]);
}

function rest({ destroyed, important, minor }: View, top: number): Block[] {
  const more = destroyed.slice(top);
  const others = [
    ...important.slice(top).map(importantPiece),
    ...minor.map((row) => rowPiece(row, RANKS.update, 'of lower level')),
  ];
  return [
    ...(more.length === 0
      ? []
      : [
          tableBlock(
            more.map((row) => rowPiece(row, RANKS.destroyed, DESTROYED)),
            `More ${DESTROYED} (${more.length})`,
          ),
        ]),
    ...(others.length === 0 ? [] : [tableBlock(others, `Other changes (${others.length})`)]),
  ];
}

function warnings({ outcome }: JudgedPlan, view: View): Block[] {
  const told = view.warnings.map(sentence).filter((text) => text !== '');
  const texts = told.map((text) => `> **${text}**`);
  if (outcome.state === 'deferred')
    texts.push(`> ${DEFERRED[outcome.by]} ${sentence(outcome.note)}${due(outcome.due_at)}`);
  return lines(texts, RANKS.judged, 'warnings');
}

function due(at: Date | null): string {
  return at === null ? '' : ` The rest follows at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
}

/** Whoever changed something by hand had a reason, whatever the level. */
function undoings({ undoings: all }: View): Block[] {
  const shown = all.slice(0, MAX_UNDOINGS).map(undoingLine);
  if (all.length > MAX_UNDOINGS) shown.push(moreUndoings(all.length - MAX_UNDOINGS));
  return lines(shown, RANKS.undoing, 'undone by this apply');
}

function delta({ previous, outcome }: JudgedPlan): Block[] {
  const found = previous === null ? null : deltaOf(previous, snapshotOf(outcome.analysis));
  if (found === null) return [];
  const { text, appeared } = found;
  const added = appeared.length === 0 ? '' : `; new: ${names(appeared, appeared.length, MAX_APPEARED)}`;
  return lines([`**Since the push before:** ${text}${added}`], RANKS.delta, 'comparison');
}

function notEvaluated(analysis: PlanAnalysis): Block[] {
  const parts = listNotEvaluated(analysis);
  return parts.length === 0
    ? []
    : lines([`**Not evaluated:** ${parts.join('; ')}`], RANKS.not_evaluated, 'not evaluated');
}

function outputs({ outputs: { count, names: changed } }: View): Block[] {
  if (count === 0) return [];
  return lines([`**Outputs:** ${count} changed: ${names(changed, count)}`], RANKS.update, 'line about outputs');
}

function driftFold({ drift }: View): Block[] {
  if (drift.sentence === '') return [];
  if (drift.rows.length === 0) return lines([`**Drift:** ${drift.sentence}.`], RANKS.drift, 'line about drift');
  const pieces = drift.rows.map((row) => rowPiece(row, RANKS.drift, 'drifted resources'));
  return [tableBlock(pieces, `Drift: ${drift.sentence}`)];
}

function fold(title: string, text: string, rank: Rank): Block[] {
  const open = `<details><summary>${title}</summary>\n\n`;
  return lines([text], rank, 'summary').map((block) => ({ ...block, open, close: '\n\n</details>' }));
}

/** How the results came about: once for all plans, each line once. */
export function madeFold(plans: readonly JudgedPlan[], dated: boolean): Block[] {
  const told = new Set(plans.flatMap((plan) => madeLines(plan, dated)));
  const text = [...told].slice(0, MAX_MADE).map((line) => `- ${line}`);
  return fold('How this was made', text.join('\n'), RANKS.judged);
}

function madeLines({ outcome }: JudgedPlan, dated: boolean): string[] {
  const { skip_reason } = outcome.analysis;
  const told = madeOf(outcome.analysis).map(sentence);
  if (skip_reason !== null) told.push(`No language model was asked: ${sentence(skip_reason.replaceAll('_', ' '))}.`);
  if (outcome.state === 'deferred') return told;
  if (outcome.model !== null) told.push(`Model: ${name(outcome.model)}.`);
  if (dated && outcome.trace_ids.length > 0) told.push(`Traces: ${names(outcome.trace_ids)}.`);
  return told;
}

/** A link to the whole result, as Markdown. */
export function linkOf({ url }: { url: string | null }, dated: boolean): string {
  if (url === null || !/^https?:\/\/[^\s()<>[\]\\]{1,500}$/.test(url)) return '';
  return dated ? `[full result](${url})` : 'full result';
}

/** Paragraphs, each of which is shown as a whole or not at all. */
export function lines(texts: string[], rank: Rank, kind: string): Block[] {
  const pieces = texts.filter((text) => text !== '').map((text): Piece => ({ rank, kind, write: () => text }));
  return pieces.map((piece) => ({ open: '', close: '', pieces: [piece] }));
}

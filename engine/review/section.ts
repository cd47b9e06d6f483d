import { capitalize } from '../lib/capitalize.ts';
import { formatExplanation, listChecks, writeWithoutChecks } from '../narrative/narrative.ts';
import { formatConcern, formatGap, formatLive, formatReversal, name, names, sentence } from '../render/cells.ts';
import { CHECKS_TITLE } from '../render/checks.ts';
import { CONCERNS_NOTE, CONCERNS_TITLE } from '../render/concerns.ts';
import { formatMoreReversals } from '../render/drift.ts';
import { WITHHELD } from '../render/unevaluated.ts';
import { createView, describeOrigin, type Row, type View } from '../render/view.ts';
import { escapeQuickActions } from './escape-quick-actions.ts';
import { noiseBlock } from './noise.ts';
import { type Block, type Item, type Piece, RANKS, type Rank } from './pack.ts';
import { buildTally, reviewPiece, rowPiece, tableBlock } from './rows.ts';
import { compareSnapshots, toSnapshot } from './snapshot.ts';
import type { Dialect, NoiseHistory, ReviewedPlan } from './types.ts';
import { BY_BUILTIN_RULES } from './verdict.ts';
import { hasNothingToReport, type JudgedPlan } from './weights.ts';

export interface SectionOptions {
  dialect: Dialect;
  history: NoiseHistory;
  /** Rows of destroyed resources, and of other changes, in the open table; the rest are collapsed. */
  top: number;
  /** Whether this is the first or only module. */
  is_first: boolean;
  /** Whether to include links, traces and other details of this run. */
  dated: boolean;
}

const MAX_REVERSALS = 3;
const MAX_LIVE = 3;
const MAX_APPEARED = 5;
const MAX_ORIGIN_LINES = 20;
const MAX_GAPS = 5;
const DEFERRED = {
  organization_rules: 'Analyzed with the rules of your organization. Only the language model’s explanation is missing:',
  builtin_rules: `${capitalize(BY_BUILTIN_RULES)}, because the rules of your organization could not be read:`,
} as const;

/** The content about one plan in page order, without its heading. */
export function buildSection(plan: JudgedPlan, options: SectionOptions): Item[] {
  const { dialect, history, top, dated } = options;
  const { analysis } = plan.outcome;
  const view = createView(analysis);
  const folds = [
    ...rest(view, top),
    ...driftFold(view),
    ...noiseBlock(analysis, dated ? history : new Map()),
    ...(analysis.narrative_status === 'ready' || hasNothingToReport(plan)
      ? []
      : fold('Summary', escapeQuickActions(writeWithoutChecks(analysis), dialect), RANKS.narrative)),
  ];
  const lead = [
    ...warnings(plan, view),
    ...beforeApproving(plan, options),
    ...explanation(analysis, dialect),
    ...concerns(view, dialect),
    tableBlock(view.review.filter(isOpenRow(top)).map(reviewPiece)),
  ];
  const link = resultLink(plan, dated);
  const facts = [
    ...reversalBlocks(view),
    ...liveBlocks(view, link),
    ...(dated ? delta(plan) : []),
    ...notEvaluated(view),
    ...outputs(view),
  ];
  const { destroyed_unlisted, unlisted } = view;
  const tally = buildTally([...lead, ...facts, ...folds], {
    destroyed_unlisted,
    unlisted,
    link,
  });
  return [...lead, tally, ...facts, ...folds];
}

/** The checklist, including items of a model; never omitted for the first module. */
function beforeApproving({ outcome: { analysis } }: JudgedPlan, { dialect, is_first }: SectionOptions): Block[] {
  const rank = is_first ? RANKS.checks : RANKS.update;
  const pieces = listChecks(analysis).map((item, index): Piece => {
    return { rank, kind: 'to check', weight: -index, write: () => escapeQuickActions(`- ${item}`, dialect) };
  });
  return [{ open: `**${CHECKS_TITLE}**\n\n`, close: '', pieces }];
}

function explanation(analysis: JudgedPlan['outcome']['analysis'], dialect: Dialect): Block[] {
  if (analysis.explanation === undefined) return [];
  const text = escapeQuickActions(formatExplanation(analysis.explanation, analysis), dialect);
  return lines([text], RANKS.explanation, 'explanation');
}

/** Below the explanation and above the table of what rules found. */
function concerns(view: View, dialect: Dialect): Block[] {
  const pieces = view.concerns.map((concern, index): Piece => {
    const write = () => escapeQuickActions(`- ${formatConcern(concern)}`, dialect);
    return { rank: RANKS.explanation, kind: 'concerns of the language model', weight: -index, write };
  });
  return [{ open: `**${CONCERNS_TITLE}.** ${CONCERNS_NOTE}\n\n`, close: '', pieces }];
}

/** Counts destroyed and other rows separately, so that neither displaces the other. */
function isOpenRow(top: number): (row: Row) => boolean {
  const shown = { destroyed: 0, other: 0 };
  return ({ is_destroyed }) => {
    const kind = is_destroyed ? 'destroyed' : 'other';
    shown[kind] += 1;
    return shown[kind] <= top;
  };
}

function rest({ review, others }: View, top: number): Block[] {
  const isOpen = isOpenRow(top);
  const pieces = [
    ...review.filter((row) => !isOpen(row)).map(reviewPiece),
    ...others.map((row) => rowPiece(row, RANKS.update, 'of lower level')),
  ];
  return pieces.length === 0 ? [] : [tableBlock(pieces, `Other changes (${pieces.length})`)];
}

function warnings({ outcome }: JudgedPlan, view: View): Block[] {
  const messages = view.warnings.map(sentence).filter((text) => text !== '');
  const texts = messages.map((text) => `> **${text}**`);
  if (outcome.state === 'deferred')
    texts.push(`> ${DEFERRED[outcome.by]} ${sentence(outcome.note)}${formatDue(outcome.due_at)}`);
  return lines(texts, RANKS.judged, 'warnings');
}

function formatDue(at: Date | null): string {
  return at === null
    ? ''
    : ` The full analysis is scheduled for ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
}

/** Shown at any level: someone made the out-of-band change for a reason. */
function reversalBlocks({ reversals: all }: View): Block[] {
  const shown = all.slice(0, MAX_REVERSALS).map(formatReversal);
  if (all.length > MAX_REVERSALS) shown.push(formatMoreReversals(all.length - MAX_REVERSALS));
  return lines(shown, RANKS.reversal, 'undone by this apply');
}

/** What scans found about resources of the plan, on one line. */
function liveBlocks({ live }: View, link: string): Block[] {
  if (live.length === 0) return [];
  const shown = live.slice(0, MAX_LIVE).map(formatLive);
  const more = live.length - shown.length;
  const line = `**In the cloud:** ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return lines([link === '' ? line : `${line} · ${link}`], RANKS.reversal, 'line about the cloud');
}

function delta({ previous, outcome }: JudgedPlan): Block[] {
  const found = previous === null ? null : compareSnapshots(previous, toSnapshot(outcome.analysis));
  if (found === null) return [];
  const { text, appeared } = found;
  const added = appeared.length === 0 ? '' : `; new: ${names(appeared, appeared.length, MAX_APPEARED)}`;
  return lines([`**Since the previous push:** ${text}${added}`], RANKS.delta, 'comparison');
}

function notEvaluated({ gaps }: View): Block[] {
  const { listed, total, sentence: counts, values_withheld } = gaps;
  const shown = listed.slice(0, MAX_GAPS).map((gap) => `- ${formatGap(gap)}`);
  const more = total - shown.length;
  const list = [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
  return lines(
    [total > 0 ? `**Not evaluated:** ${counts}\n${list}` : '', values_withheld ? `**Not evaluated:** ${WITHHELD}` : ''],
    RANKS.not_evaluated,
    'note about unevaluated changes',
  );
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

/** How the results were produced, for all plans together, without duplicate lines. */
export function originFold(plans: readonly JudgedPlan[], dated: boolean): Block[] {
  const unique = new Set(plans.flatMap((plan) => originLines(plan, dated)));
  const text = [...unique].slice(0, MAX_ORIGIN_LINES).map((line) => `- ${line}`);
  return fold('About this review', text.join('\n'), RANKS.judged);
}

function originLines({ outcome }: JudgedPlan, dated: boolean): string[] {
  const { skip_reason } = outcome.analysis;
  const details = describeOrigin(outcome.analysis).map(sentence);
  if (skip_reason !== null) details.push(`No language model was used: ${sentence(skip_reason.replaceAll('_', ' '))}.`);
  if (outcome.state === 'deferred') return details;
  if (outcome.model !== null) details.push(`Model: ${name(outcome.model)}.`);
  if (dated && outcome.trace_ids.length > 0) details.push(`Traces: ${names(outcome.trace_ids)}.`);
  return details;
}

/** Markdown link to the full result; empty if there is none. */
function resultLink({ url }: Pick<ReviewedPlan, 'url'>, dated: boolean): string {
  return formatLink('full result', url, dated);
}

/** Links to the result and the CI run, if all plans share the same one. */
export function formatLinks(plans: readonly Pick<ReviewedPlan, 'url' | 'run_url'>[], dated: boolean): string[] {
  const one = (urls: readonly (string | null)[]) => (new Set(urls).size === 1 ? (urls[0] ?? null) : null);
  const links = [
    formatLink('full result', one(plans.map(({ url }) => url)), dated),
    formatLink('CI run', one(plans.map(({ run_url }) => run_url)), dated),
  ];
  return links.filter((link) => link !== '');
}

function formatLink(text: string, url: string | null, dated: boolean): string {
  if (url === null || !/^https?:\/\/[^\s()<>[\]\\]{1,500}$/.test(url)) return '';
  return dated ? `[${text}](${url})` : text;
}

/** Paragraphs, each shown completely or not at all. */
export function lines(texts: string[], rank: Rank, kind: string): Block[] {
  const pieces = texts.filter((text) => text !== '').map((text): Piece => ({ rank, kind, write: () => text }));
  return pieces.map((piece) => ({ open: '', close: '', pieces: [piece] }));
}

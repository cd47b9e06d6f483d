import { countByLevel, formatActionCounts, plural } from '../model/counts.ts';
import { compareLevels } from '../model/levels.ts';
import type { Change, PlanAnalysis, Reason, Summary } from '../model/result.ts';
import { isModelClassified } from '../noise/unknown.ts';
import { evidenceLine, formatGap } from '../render/cells.ts';
import { buildChecks, CHECKS_TITLE } from '../render/checks.ts';
import { describeReversals, driftSentence, formatMoreReversals } from '../render/drift.ts';
import { findEvidence } from '../render/evidence.ts';
import { codeSpan, escapeInvisible, prose } from '../render/inert.ts';
import { collectGaps, failedCheckLines, PLAN_ERRORED, PLAN_PARTIAL, WITHHELD } from '../render/unevaluated.ts';
import { countTypes } from '../render/view.ts';

export interface NarrativeInput {
  analysis: Omit<PlanAnalysis, 'narrative'>;
  /** Why no language model explained the plan, as part of a sentence; undefined if none was requested. */
  reason?: string;
}

const MAX_LENGTH = 6000;
const MAX_SHOWN = 5;
const MAX_REASONS = 3;
const MAX_NAME = 300;
const MAX_REVERSALS = 3;
const MAX_PATH = 120;
const MAX_TYPES = 3;
const MAX_GAPS = 5;
const IMPORTANT = 'Most important:';
const EXPLAINED =
  'Levels, counts and reasons come from rules; a language model wrote the explanation, which was checked against the plan.';

/** The part written by a language model, as inert Markdown. */
export interface Explanation {
  /** Paragraphs; the last may be a list under `CHECKS_TITLE`. */
  narrative: string;
  /** Each appended to the line of its change. */
  notes: readonly { address: string; note: string }[];
}

/**
 * The narrative written by rules: what will happen, why it matters, what to check before approving, and caveats.
 *
 * @returns Markdown of paragraphs, lists, bold and code, at most 6,000 characters; deterministic. Names from the plan
 *   are inert code spans.
 * @see openapi.yaml, AnalyzeResult.narrative
 */
export function deterministicNarrative({ analysis, reason }: NarrativeInput): string {
  const closing = closingLine(reason);
  return fitLength((shown) => write(analysis, { shown, closing, explanation: null }));
}

/**
 * Adds the reason why no language model explained the plan.
 *
 * @param narrative result of `deterministicNarrative` without a reason
 * @param reason part of a sentence
 */
export function unexplainedNarrative(narrative: string, reason: string): string {
  const plain = closingLine();
  if (!narrative.endsWith(plain)) return narrative;
  const text = `${narrative.slice(0, -plain.length)}${closingLine(reason)}`;
  return text.length <= MAX_LENGTH ? text : narrative;
}

function closingLine(reason?: string): string {
  return `This summary was written by rules, without a language model${reason ? `: ${prose(reason)}` : ''}.`;
}

/**
 * The narrative with a model's explanation. All facts remain: level, counts, important changes, escalations, blocks,
 * reversals, noise and caveats, and the checks that the explanation does not already contain.
 *
 * @param analysis with the deterministic narrative; its levels may have been raised since
 */
export function explainedNarrative(analysis: PlanAnalysis, explanation: Explanation): string {
  return fitLength((shown) => write(analysis, { shown, closing: EXPLAINED, explanation }));
}

/**
 * Reads the checklist from a narrative: Markdown items, those of rules first, then those of a language model. Empty if
 * there is none.
 */
export function readChecks(narrative: string): string[] {
  const list = narrative.split('\n\n').find((paragraph) => paragraph.startsWith(`${CHECKS_TITLE}\n- `));
  return list === undefined
    ? []
    : list
        .split('\n')
        .slice(1)
        .map((item) => item.slice(2));
}

/** Removes the checklist from a text of paragraphs. */
export function withoutChecks(text: string): string {
  return text
    .split('\n\n')
    .filter((paragraph) => !paragraph.startsWith(CHECKS_TITLE))
    .join('\n\n');
}

/**
 * The parts that a language model added to the facts: its paragraphs, its notes on changes and the checklist.
 *
 * @param analysis with a narrative from `explainedNarrative`
 */
export function extractExplanation(analysis: PlanAnalysis): string {
  const facts = explainedNarrative(analysis, { narrative: '', notes: [] });
  const known = new Set(facts.split('\n'));
  const paragraphs = analysis.narrative.split('\n\n').map((paragraph) => {
    if (!paragraph.startsWith(IMPORTANT)) return known.has(paragraph) ? '' : paragraph;
    const noted = paragraph
      .split('\n')
      .slice(1)
      .flatMap((line) => noteIn(line, facts));
    return noted.join('\n');
  });
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

/** Turns the line of a change with a note into the address and the note. */
function noteIn(line: string, facts: string): string[] {
  const fact = facts.split('\n').find((known) => known !== '' && line.startsWith(`${known} `));
  const end = fact?.indexOf(': ') ?? -1;
  return fact === undefined || end === -1 ? [] : [`${fact.slice(0, end)}: ${line.slice(fact.length + 1)}`];
}

/** Shortens a long text: first lists fewer changes, then drops the longest paragraphs. */
function fitLength(writeWith: (shown: number) => string[]): string {
  for (let shown = MAX_SHOWN; shown > 0; shown -= 1) {
    const text = writeWith(shown).join('\n\n');
    if (text.length <= MAX_LENGTH) return text;
  }
  const paragraphs = writeWith(0);
  while (paragraphs.join('\n\n').length > MAX_LENGTH) {
    const lengths = paragraphs.map(({ length }) => length);
    paragraphs.splice(lengths.indexOf(Math.max(...lengths)), 1);
  }
  return paragraphs.join('\n\n');
}

interface NarrativeOptions {
  shown: number;
  closing: string;
  explanation: Explanation | null;
}

function write(analysis: NarrativeInput['analysis'], { shown, closing, explanation }: NarrativeOptions): string[] {
  const { summary, risk, changes } = analysis;
  const explanationParts = explanation?.narrative.split('\n\n') ?? [];
  const paragraphs = [
    `**Risk: ${analysis.risk_level.toUpperCase()}.** ${formatCounts(summary)}`,
    ...reasonLines(risk.block_reasons),
    ...failedCheckLines(analysis).map((line) => prose(shorten(line))),
    mostImportant(analysis, shown, explanation?.notes ?? []),
    ...reasonLines(risk.escalations),
    ...formatReversals(changes, Math.min(shown, MAX_REVERSALS)),
    ...explanationParts.filter((paragraph) => !paragraph.startsWith(CHECKS_TITLE)),
    checkList(analysis, explanationParts.find((paragraph) => paragraph.startsWith(CHECKS_TITLE)) ?? ''),
    noiseLine(analysis),
    gapList(analysis, shown),
    driftLine(analysis),
    ...caveats(summary),
    analysis.not_evaluated?.values_withheld ? WITHHELD : '',
    closing,
  ];
  return paragraphs.filter((paragraph) => paragraph !== '');
}

function reasonLines(reasons: readonly Reason[]): string[] {
  const lines = reasons.slice(0, MAX_REASONS).map(({ message }) => prose(shorten(message)));
  const more = reasons.length - lines.length;
  return more > 0
    ? [...lines, `There ${more === 1 ? 'is' : 'are'} ${plural(more, 'more reason')} of this kind.`]
    : lines;
}

/** Puts items of rules first and omits those whose resources the given list already names. */
function checkList(analysis: NarrativeInput['analysis'], given: string): string {
  const named = (address: string) => given.includes(codeSpan(address));
  const own = buildChecks(analysis).filter(({ addresses }) => addresses.length === 0 || !addresses.every(named));
  const items = [...own.map(({ text }) => `- ${text}`), ...given.split('\n').slice(1)];
  return items.length === 0 ? '' : `${CHECKS_TITLE}\n${items.join('\n')}`;
}

function formatCounts(summary: Summary): string {
  if (summary.total === 0) return 'No changes.';
  const { destructive, others } = formatActionCounts(summary);
  return `${plural(summary.total, 'change')}: ${[...destructive, ...others].join(', ')}.`;
}

function mostImportant(analysis: NarrativeInput['analysis'], shown: number, notes: Explanation['notes']): string {
  const { changes, summary } = analysis;
  const { high, low } = countByLevel(summary);
  const important = changes.filter(({ risk }) => compareLevels(risk.level, 'medium') >= 0);
  if (high === 0) return describeTypes(changes, summary.total);
  const lines = important.slice(0, shown).map((change) => changeLine(change, notes));
  const more = high - lines.length;
  if (more > 0) lines.push(`- and ${more} more of level medium or above`);
  const list = lines.length > 1 || more === 0 ? `${IMPORTANT}\n${lines.join('\n')}` : countLine(high);
  return low > 0 ? `${list}\n\n${othersLine(low)}` : list;
}

function countLine(count: number): string {
  return count === 1 ? '1 change is of level medium or above.' : `${count} changes are of level medium or above.`;
}

function othersLine(count: number): string {
  return count === 1
    ? 'The other change is of level low or none.'
    : `The other ${count} changes are of level low or none.`;
}

/** Resource types that change, for plans without a change of level medium or above. */
function describeTypes(changes: readonly Change[], total: number): string {
  if (total === 0) return '';
  const shown = countTypes(changes).slice(0, MAX_TYPES);
  const more = total - shown.reduce((sum, [, count]) => sum + count, 0);
  const kinds = shown.map(([type, count]) => `${count} ${codeSpan(shorten(type, MAX_PATH))}`);
  if (more > 0) kinds.push(plural(more, 'other change'));
  return `No change is of level medium or above: ${kinds.join(', ')}.`;
}

function changeLine(change: Change, notes: Explanation['notes']): string {
  const { address, action_label, risk } = change;
  const ours = risk.reasons.find(({ kind }) => kind !== 'llm');
  const raised = risk.raised_by === 'llm' ? risk.reasons.find(({ kind }) => kind === 'llm') : undefined;
  const why = [ours, raised].flatMap((reason) => (reason === undefined ? [] : [prose(shorten(reason.message))]));
  const evidence = ours === undefined ? null : findEvidence(ours, change);
  const values = evidence === null ? '' : `(${evidenceLine(evidence)})`;
  const note = notes.find((candidate) => candidate.address === address)?.note ?? '';
  return `- ${codeSpan(shorten(address))}: ${action_label}, ${risk.level}. ${[...why, values, note].filter((part) => part !== '').join(' ')}`.trimEnd();
}

/** Shown at any level: someone made the out-of-band change for a reason. */
function formatReversals(changes: Change[], shown: number): string[] {
  const reversals = describeReversals(changes, shown);
  const lines = reversals.slice(0, shown).map(({ sentence, address, paths, more }) => {
    const named = paths.map((path) => codeSpan(shorten(path, MAX_PATH))).join(', ');
    const all = more > 0 && named !== '' ? `${named} and ${more} more` : named;
    return `${sentence}: ${codeSpan(shorten(address))}${all === '' ? '' : ` (${all})`}.`;
  });
  const rest = reversals.length - lines.length;
  return rest > 0 ? [...lines, formatMoreReversals(rest)] : lines;
}

/** At most `max` characters, counted after escaping invisible ones. */
function shorten(text: string, max = MAX_NAME): string {
  const shown = escapeInvisible(text);
  return shown.length <= max ? shown : `${shown.slice(0, max - 1)}…`;
}

function noiseLine({ plan_noise, summary, changes }: NarrativeInput['analysis']): string {
  const { known_benign, suppressed } = plan_noise;
  const model_count = changes.filter(
    ({ noise, attributes }) => noise.classification === 'likely_benign' && attributes.some(isModelClassified),
  ).length;
  const known = known_benign - model_count;
  const all = plural(summary.total, 'change');
  const hidden = suppressed > 0 ? `, ${suppressed} of them suppressed` : '';
  const lines = [
    known > 0 ? `${known} of ${all} ${known === 1 ? 'is' : 'are'} known plan noise and can be ignored${hidden}.` : '',
    model_count > 0
      ? `${model_count} of ${all} ${model_count === 1 ? 'is' : 'are'} likely benign according to a language model; no rule covers this.`
      : '',
  ];
  return lines.filter((line) => line !== '').join(' ');
}

function gapList(analysis: NarrativeInput['analysis'], shown: number): string {
  const { listed, total, sentence } = collectGaps(analysis);
  const unknown = analysis.not_evaluated?.unknown_attributes ?? 0;
  if (total === 0)
    return unknown === 0 ? '' : `Unknown until apply: ${plural(unknown, 'attribute')} that no rule reads.`;
  const lines = listed.slice(0, Math.min(shown, MAX_GAPS)).map((gap) => `- ${formatGap(gap)}`);
  const more = total - lines.length;
  return [`Not evaluated: ${sentence}.`, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function driftLine(analysis: NarrativeInput['analysis']): string {
  const sentence = driftSentence(analysis);
  return sentence === '' ? '' : `${sentence}.`;
}

function caveats(summary: Summary): string[] {
  const partial = summary.deferred > 0 || (summary.plan_complete === false && summary.plan_errored !== true);
  return [summary.plan_errored === true ? PLAN_ERRORED : '', partial ? PLAN_PARTIAL : ''];
}

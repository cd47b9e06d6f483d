import { countByLevel, formatActionCounts, plural } from '../model/counts.ts';
import { isAtLeast } from '../model/levels.ts';
import type { Change, Explanation, PlanAnalysis, Reason, Summary } from '../model/result.ts';
import { isModelClassified } from '../noise/unknown.ts';
import { evidenceLine, formatGap } from '../render/cells.ts';
import { buildChecks, CHECKS_TITLE } from '../render/checks.ts';
import { describeReversals, driftSentence, formatMoreReversals } from '../render/drift.ts';
import { findEvidence } from '../render/evidence.ts';
import { codeSpan, escapeInvisible, prose } from '../render/inert.ts';
import { describeLive } from '../render/live.ts';
import { collectGaps, describeOmissions, failedCheckLines, WITHHELD } from '../render/unevaluated.ts';
import { countTypes } from '../render/view.ts';

/** An analysis before its narrative is written. */
export type WithoutNarrative = Omit<PlanAnalysis, 'narrative'>;

const MAX_LENGTH = 6000;
const MAX_SHOWN = 5;
const MAX_REASONS = 3;
const MAX_NAME = 300;
const MAX_REVERSALS = 3;
const MAX_LIVE = 3;
const MAX_PATH = 120;
const MAX_TYPES = 3;
const MAX_GAPS = 5;
const IMPORTANT = 'Most important:';
const EXPLAINED =
  'Levels, counts and reasons come from rules; a language model wrote the explanation, which was checked against the plan.';

/**
 * The narrative of an analysis: what will happen, why it matters, what to check before approving, and caveats. Rules
 * state all facts; if a language model explained the plan, its explanation is added to them.
 *
 * @returns Markdown of paragraphs, lists, bold and code, at most 6,000 characters; deterministic. Names from the plan
 *   are inert code spans.
 * @see openapi.yaml, AnalyzeResult.narrative
 */
export function writeNarrative(analysis: WithoutNarrative): string {
  return fitLength((shown) => write(analysis, shown, checkList(analysis)));
}

/** The narrative without its checklist, for a page that shows the checklist separately. */
export function writeWithoutChecks(analysis: WithoutNarrative): string {
  return fitLength((shown) => write(analysis, shown, ''));
}

/** The items of the checklist, as Markdown: those of rules first, without those that the model covers. */
export function listChecks(analysis: WithoutNarrative): string[] {
  const given = analysis.explanation?.what_to_check ?? [];
  const named = new Set(given.flatMap(({ addresses }) => addresses));
  const own = buildChecks(analysis).filter(
    ({ addresses }) => addresses.length === 0 || !addresses.every((address) => named.has(address)),
  );
  return [...own, ...given].map(({ text }) => text);
}

/** What a language model added to the facts except the checklist: its notes on important changes and its paragraphs. */
export function formatExplanation(
  { what_will_happen, why_it_matters, notes }: Explanation,
  analysis: WithoutNarrative,
): string {
  const noted = listImportant(analysis, MAX_SHOWN).flatMap(({ address }) => {
    const found = notes.find((candidate) => candidate.address === address);
    return found === undefined ? [] : [`- ${codeSpan(shorten(address))}: ${found.note}`];
  });
  return [noted.join('\n'), what_will_happen, why_it_matters].filter((part) => part !== '').join('\n\n');
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

function write(analysis: WithoutNarrative, shown: number, checks: string): string[] {
  const { summary, risk, changes, explanation } = analysis;
  const paragraphs = [
    `**Risk: ${analysis.risk_level.toUpperCase()}.** ${formatCounts(summary)}`,
    ...reasonLines(risk.block_reasons),
    ...failedCheckLines(analysis).map((line) => prose(shorten(line))),
    mostImportant(analysis, shown),
    ...reasonLines(risk.escalations),
    ...formatReversals(changes, Math.min(shown, MAX_REVERSALS)),
    liveLine(changes, Math.min(shown, MAX_LIVE)),
    explanation?.what_will_happen ?? '',
    explanation?.why_it_matters ?? '',
    checks,
    noiseLine(analysis),
    gapList(analysis, shown),
    driftLine(analysis),
    ...describeOmissions(analysis),
    analysis.not_evaluated?.values_withheld ? WITHHELD : '',
    closingLine(analysis),
  ];
  return paragraphs.filter((paragraph) => paragraph !== '');
}

function closingLine({ narrative_status, fallback_reason }: WithoutNarrative): string {
  if (narrative_status === 'ready') return EXPLAINED;
  const why = fallback_reason === undefined ? '' : `: ${prose(fallback_reason)}`;
  return `This summary was written by rules, without a language model${why}.`;
}

function reasonLines(reasons: readonly Reason[]): string[] {
  const lines = reasons.slice(0, MAX_REASONS).map(({ message }) => prose(shorten(message)));
  const more = reasons.length - lines.length;
  return more > 0
    ? [...lines, `There ${more === 1 ? 'is' : 'are'} ${plural(more, 'more reason')} of this kind.`]
    : lines;
}

function checkList(analysis: WithoutNarrative): string {
  const items = listChecks(analysis);
  return items.length === 0 ? '' : [CHECKS_TITLE, ...items.map((text) => `- ${text}`)].join('\n');
}

function formatCounts(summary: Summary): string {
  if (summary.total === 0) return 'No changes.';
  const { destructive, others } = formatActionCounts(summary);
  return `${plural(summary.total, 'change')}: ${[...destructive, ...others].join(', ')}.`;
}

function mostImportant(analysis: WithoutNarrative, shown: number): string {
  const { changes, summary, explanation } = analysis;
  const { high, low } = countByLevel(summary);
  if (high === 0) return describeTypes(changes, summary.total);
  const lines = listImportant(analysis, shown).map((change) => changeLine(change, explanation?.notes ?? []));
  const more = high - lines.length;
  if (more > 0) lines.push(`- and ${more} more of level medium or above`);
  const list = lines.length > 1 || more === 0 ? `${IMPORTANT}\n${lines.join('\n')}` : countLine(high);
  return low > 0 ? `${list}\n\n${othersLine(low)}` : list;
}

/** The first changes of level medium or above. */
function listImportant({ changes }: WithoutNarrative, max: number): Change[] {
  return changes.filter(({ risk }) => isAtLeast(risk.level, 'medium')).slice(0, max);
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

/** What scans found about resources of the plan, at any level. */
function liveLine(changes: Change[], shown: number): string {
  const found = describeLive(changes);
  const parts = found.slice(0, shown).map(({ clause, address }) => `${codeSpan(shorten(address))} ${prose(clause)}`);
  if (parts.length === 0) return '';
  const more = found.length - parts.length;
  return `In the cloud: ${parts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** At most `max` characters, counted after escaping invisible ones. */
function shorten(text: string, max = MAX_NAME): string {
  const shown = escapeInvisible(text);
  return shown.length <= max ? shown : `${shown.slice(0, max - 1)}…`;
}

function noiseLine({ plan_noise, summary, changes }: WithoutNarrative): string {
  const { known_benign, suppressed } = plan_noise;
  const model_count = changes.filter(
    ({ type, noise, attributes }) =>
      noise.classification === 'likely_benign' && attributes.some((diff) => isModelClassified(diff, type)),
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

function gapList(analysis: WithoutNarrative, shown: number): string {
  const { listed, total, sentence } = collectGaps(analysis);
  const unknown = analysis.not_evaluated?.unknown_attributes ?? 0;
  if (total === 0)
    return unknown === 0 ? '' : `Unknown until apply: ${plural(unknown, 'attribute')} that no rule reads.`;
  const lines = listed.slice(0, Math.min(shown, MAX_GAPS)).map((gap) => `- ${formatGap(gap)}`);
  const more = total - lines.length;
  return [`Not evaluated: ${sentence}.`, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function driftLine(analysis: WithoutNarrative): string {
  const sentence = driftSentence(analysis);
  return sentence === '' ? '' : `${sentence}.`;
}

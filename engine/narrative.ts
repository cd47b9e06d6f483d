import { CHECKS_TITLE, checksOf } from './narrative-checks.ts';
import { standsOnWord } from './noise/unknown.ts';
import { driftSentence, moreUndoings, undoingsOf } from './render/drift.ts';
import { codeSpan, prose, visible } from './render/inert.ts';
import type { Change, PlanAnalysis, Reason, Summary } from './result.ts';
import { compareLevels } from './risk/levels.ts';

export interface NarrativeInput {
  analysis: Omit<PlanAnalysis, 'narrative'>;
  /** Attributes of managed changes that are unknown until apply, and the rendered paths among them that a rule watches. */
  unknown: { count: number; watched: string[] };
  /** The maker of the plan's JSON withheld its values (HCP Terraform's redacted form). */
  redacted?: boolean;
  /** Why no language model wrote the text, as a part of a sentence; none when none was asked. */
  reason?: string;
}

const MAX_LENGTH = 6000;
const MAX_SHOWN = 5;
const MAX_REASONS = 3;
const MAX_NAME = 300;
const MAX_UNDOINGS = 3;
const MAX_PATH = 120;
const MAX_TYPES = 3;
const UNKNOWN = 'Unknown until apply: ';
const IMPORTANT = 'Most important:';
const EXPLAINED =
  'Levels, counts and reasons come from rules; a language model wrote the explanation, which was checked against the plan.';
const WITHHELD = 'The values of this plan were withheld where it was made: rules that need them could not be applied.';

/** What only the analyser knew, as lines. */
interface Remembered {
  unknown: string;
  withheld: string;
}

/** A language model's part of the text: Markdown that can do nothing. */
export interface Explanation {
  /** Paragraphs; the last may be a list under `CHECKS_TITLE`. */
  narrative: string;
  /** Each behind the line of its change. */
  notes: readonly { address: string; note: string }[];
}

/**
 * The narrative that rules alone can write: what will happen, why it matters, what to check before approving, and what the
 * reader must not overlook.
 *
 * @returns Markdown of paragraphs, lists, bold and code, at most 6,000 characters; the same analysis gives the same
 *   text. Names from the plan stand in code spans and can do nothing.
 * @see openapi.yaml, AnalyzeResult.narrative
 */
export function deterministicNarrative({ analysis, unknown, redacted, reason }: NarrativeInput): string {
  const remembered = { unknown: unknownLine(unknown), withheld: redacted === true ? WITHHELD : '' };
  const closing = closingLine(reason);
  return fitLength((shown) => write(analysis, { shown, remembered, closing, explanation: null }));
}

/**
 * The same text, which now tells why no language model explained it.
 *
 * @param narrative as `deterministicNarrative` wrote it without a reason
 * @param reason a part of a sentence
 */
export function unexplainedNarrative(narrative: string, reason: string): string {
  const plain = closingLine();
  if (!narrative.endsWith(plain)) return narrative;
  const told = `${narrative.slice(0, -plain.length)}${closingLine(reason)}`;
  return told.length <= MAX_LENGTH ? told : narrative;
}

function closingLine(reason?: string): string {
  return `This summary was written by rules, without a language model${reason ? `: ${prose(reason)}` : ''}.`;
}

/**
 * The narrative with a model's explanation in it. Every line of fact stays: level, counts, changes that matter, escalations,
 * blocks, what is undone, noise and caveats; of the checks, those that the explanation does not name itself.
 *
 * @param analysis with the text that rules wrote as its narrative; its levels may have been raised since
 */
export function explainedNarrative(analysis: PlanAnalysis, explanation: Explanation): string {
  const remembered = rememberedOf(analysis.narrative);
  return fitLength((shown) => write(analysis, { shown, remembered, closing: EXPLAINED, explanation }));
}

/** What the text alone still knows of the plan's blind spots: lines as they stand in it, empty where there are none. */
export function rememberedOf(narrative: string): Remembered {
  const lines = narrative.split('\n\n');
  return {
    unknown: lines.find((line) => line.startsWith(UNKNOWN)) ?? '',
    withheld: lines.includes(WITHHELD) ? WITHHELD : '',
  };
}

/**
 * What a language model added to the lines of fact: its paragraphs, its notes on single changes and the list of checks.
 *
 * @param analysis with a narrative that `explainedNarrative` wrote
 */
export function explanationOf(analysis: PlanAnalysis): string {
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

/** A line of fact with a note behind it becomes the address and the note. */
function noteIn(line: string, facts: string): string[] {
  const fact = facts.split('\n').find((known) => known !== '' && line.startsWith(`${known} `));
  const end = fact?.indexOf(': ') ?? -1;
  return fact === undefined || end === -1 ? [] : [`${fact.slice(0, end)}: ${line.slice(fact.length + 1)}`];
}

/** Fewer changes where the text is too long, and then without its longest paragraphs; the first and the last are short. */
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

interface Parts {
  shown: number;
  remembered: Remembered;
  closing: string;
  explanation: Explanation | null;
}

function write(analysis: NarrativeInput['analysis'], { shown, remembered, closing, explanation }: Parts): string[] {
  const { summary, risk, changes } = analysis;
  const said = explanation?.narrative.split('\n\n') ?? [];
  const paragraphs = [
    `**Risk: ${analysis.risk_level.toUpperCase()}.** ${countsOf(summary)}`,
    ...reasonLines(risk.block_reasons),
    mostImportant(analysis, shown, explanation?.notes ?? []),
    ...reasonLines(risk.escalations),
    ...undoingLines(changes, Math.min(shown, MAX_UNDOINGS)),
    ...said.filter((paragraph) => !paragraph.startsWith(CHECKS_TITLE)),
    checkList(analysis, said.find((paragraph) => paragraph.startsWith(CHECKS_TITLE)) ?? ''),
    noiseLine(analysis),
    remembered.unknown,
    driftLine(analysis),
    ...caveats(summary),
    remembered.withheld,
    closing,
  ];
  return paragraphs.filter((paragraph) => paragraph !== '');
}

function reasonLines(reasons: readonly Reason[]): string[] {
  const lines = reasons.slice(0, MAX_REASONS).map(({ message }) => prose(short(message)));
  const more = reasons.length - lines.length;
  return more > 0
    ? [...lines, `There ${more === 1 ? 'is' : 'are'} ${plural(more, 'more reason')} of this kind.`]
    : lines;
}

/** What rules ask stands first; an item of theirs whose resources the given list names already is left out. */
function checkList(analysis: NarrativeInput['analysis'], given: string): string {
  const named = (address: string) => given.includes(codeSpan(address));
  const own = checksOf(analysis).filter(({ addresses }) => addresses.length === 0 || !addresses.every(named));
  const items = [...own.map(({ text }) => `- ${text}`), ...given.split('\n').slice(1)];
  return items.length === 0 ? '' : `${CHECKS_TITLE}\n${items.join('\n')}`;
}

function countsOf(summary: Summary): string {
  if (summary.total === 0) return 'No changes.';
  const { create, update, replace, forget, move } = summary;
  const known = create + update + replace + summary.delete + forget + summary.import + move;
  const parts = [
    part(create, 'to create'),
    part(update, 'to update'),
    part(replace, 'to replace'),
    part(summary.delete, 'to delete'),
    part(forget, 'to forget'),
    part(summary.import, 'to import'),
    part(move, 'to move'),
    part(summary.total - known, 'of an unknown kind'),
  ].filter((text) => text !== '');
  return `${plural(summary.total, 'change')}: ${parts.join(', ')}.`;
}

function part(count: number, text: string): string {
  return count > 0 ? `${count} ${text}` : '';
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function mostImportant(analysis: NarrativeInput['analysis'], shown: number, notes: Explanation['notes']): string {
  const { changes, summary } = analysis;
  const important = changes.filter(({ risk }) => compareLevels(risk.level, 'medium') >= 0);
  if (important.length === 0) return kindsOf(changes);
  const lines = important.slice(0, shown).map((change) => changeLine(change, notes));
  if (lines.length === 0) return '';
  const { medium, high, critical } = summary.by_risk;
  const more = Math.max(important.length, medium + high + critical) - lines.length;
  if (more > 0) lines.push(`- and ${more} more of level medium or above`);
  const rest = summary.total - lines.length - Math.max(more, 0);
  return `${IMPORTANT}\n${lines.join('\n')}${rest > 0 ? `\n\n${othersLine(rest)}` : ''}`;
}

function othersLine(count: number): string {
  return count === 1
    ? 'The other change is of level low or none.'
    : `The other ${count} changes are of level low or none.`;
}

/** Where nothing stands out: what kinds of resources change. */
function kindsOf(changes: readonly Change[]): string {
  if (changes.length === 0) return '';
  const counts = new Map<string, number>();
  for (const { type } of changes) counts.set(type, (counts.get(type) ?? 0) + 1);
  const shown = [...counts].slice(0, MAX_TYPES).map(([type, count]) => `${count} ${codeSpan(short(type, MAX_PATH))}`);
  const more = counts.size > shown.length ? ` and ${plural(counts.size - shown.length, 'more type')}` : '';
  return `Nothing is of level medium or above: ${shown.join(', ')}${more}.`;
}

function changeLine({ address, action_label, risk }: Change, notes: Explanation['notes']): string {
  const ours = risk.reasons.find(({ kind }) => kind !== 'llm');
  const raised = risk.raised_by === 'llm' ? risk.reasons.find(({ kind }) => kind === 'llm') : undefined;
  const why = [ours, raised].flatMap((reason) => (reason === undefined ? [] : [prose(short(reason.message))]));
  const note = notes.find((candidate) => candidate.address === address)?.note ?? '';
  return `- ${codeSpan(short(address))}: ${action_label}, ${risk.level}. ${[...why, note].join(' ')}`.trimEnd();
}

/** Told whatever the level: whoever changed it by hand had a reason. */
function undoingLines(changes: Change[], shown: number): string[] {
  const undoings = undoingsOf(changes, shown);
  const lines = undoings.slice(0, shown).map(({ sentence, address, paths, more }) => {
    const named = paths.map((path) => codeSpan(short(path, MAX_PATH))).join(', ');
    const all = more > 0 && named !== '' ? `${named} and ${more} more` : named;
    return `${sentence}: ${codeSpan(short(address))}${all === '' ? '' : ` (${all})`}.`;
  });
  const rest = undoings.length - lines.length;
  return rest > 0 ? [...lines, moreUndoings(rest)] : lines;
}

/** At most 300 characters, counted after invisible ones were made visible. */
function short(text: string, most = MAX_NAME): string {
  const shown = visible(text);
  return shown.length <= most ? shown : `${shown.slice(0, most - 1)}…`;
}

function noiseLine({ plan_noise, summary, changes }: NarrativeInput['analysis']): string {
  const { known_benign, suppressed } = plan_noise;
  const said = changes.filter(
    ({ noise, attributes }) => noise.classification === 'likely_benign' && attributes.some(standsOnWord),
  ).length;
  const known = known_benign - said;
  const all = plural(summary.total, 'change');
  const hidden = suppressed > 0 ? `, ${suppressed} of them suppressed` : '';
  const lines = [
    known > 0 ? `${known} of ${all} ${known === 1 ? 'is' : 'are'} known plan noise and can be ignored${hidden}.` : '',
    said > 0
      ? `${said} of ${all} ${said === 1 ? 'is' : 'are'} likely benign, says a language model; no rule knows that.`
      : '',
  ];
  return lines.filter((line) => line !== '').join(' ');
}

function unknownLine({ count, watched }: NarrativeInput['unknown']): string {
  if (count === 0) return '';
  const paths = watched.slice(0, 3).map((path) => codeSpan(short(path)));
  const among = paths.length === 0 ? '' : `, among them ${paths.join(', ')}`;
  return `${UNKNOWN}${plural(count, 'attribute')}${among}.`;
}

function driftLine(analysis: NarrativeInput['analysis']): string {
  const sentence = driftSentence(analysis);
  return sentence === '' ? '' : `${sentence}.`;
}

function caveats(summary: Summary): string[] {
  const partial = summary.deferred > 0 || (summary.plan_complete === false && summary.plan_errored !== true);
  return [
    summary.plan_errored === true
      ? 'This plan has errors: it holds only what was planned before the first of them, the rest was not judged.'
      : '',
    partial ? 'This plan is partial (targeted or deferred): what it leaves out was not judged.' : '',
  ];
}

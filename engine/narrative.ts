import { driftSentence, moreUndoings, undoingsOf } from './render/drift.ts';
import { codeSpan, prose, visible } from './render/inert.ts';
import type { Change, PlanAnalysis, Summary } from './result.ts';
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
const MAX_NAME = 300;
const MAX_UNDOINGS = 3;
const MAX_PATH = 120;

/**
 * The narrative that rules alone can write: the level, the changes that matter, and what the reader must not overlook.
 *
 * @returns Markdown of paragraphs, one list, bold and code, at most 6,000 characters; the same analysis gives the same
 *   text. Names from the plan stand in code spans and can do nothing.
 * @see openapi.yaml, AnalyzeResult.narrative
 */
export function deterministicNarrative(input: NarrativeInput): string {
  for (let shown = MAX_SHOWN; shown > 0; shown -= 1) {
    const text = write(input, shown);
    if (text.length <= MAX_LENGTH) return text;
  }
  return write(input, 0).slice(0, MAX_LENGTH);
}

function write(input: NarrativeInput, shown: number): string {
  const { analysis } = input;
  const { summary } = analysis;
  const paragraphs = [
    `**Risk: ${analysis.risk_level.toUpperCase()}.** ${countsOf(summary)}`,
    mostImportant(analysis.changes, shown),
    ...undoingLines(analysis.changes, Math.min(shown, MAX_UNDOINGS)),
    ...analysis.risk.block_reasons.map((reason) => prose(short(reason.message))),
    ...analysis.risk.escalations.map((reason) => prose(short(reason.message))),
    noiseLine(analysis),
    unknownLine(input.unknown),
    driftLine(analysis),
    ...caveats(summary, input.redacted === true),
    `This summary was written by rules, without a language model${input.reason ? `: ${prose(input.reason)}` : ''}.`,
  ];
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
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

function mostImportant(changes: Change[], shown: number): string {
  const important = changes.filter(({ risk }) => compareLevels(risk.level, 'medium') >= 0);
  const lines = important.slice(0, shown).map(changeLine);
  return lines.length === 0 ? '' : `Most important:\n${lines.join('\n')}`;
}

function changeLine({ address, action_label, risk }: Change): string {
  const message = risk.reasons[0]?.message ?? '';
  return `- ${codeSpan(short(address))}: ${action_label}, ${risk.level}. ${prose(short(message))}`.trimEnd();
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

function noiseLine({ plan_noise, summary }: NarrativeInput['analysis']): string {
  const { known_benign, suppressed } = plan_noise;
  if (known_benign === 0) return '';
  const of = `${known_benign} of ${plural(summary.total, 'change')}`;
  const verb = known_benign === 1 ? 'is' : 'are';
  return `${of} ${verb} known plan noise and can be ignored${suppressed > 0 ? `, ${suppressed} of them suppressed` : ''}.`;
}

function unknownLine({ count, watched }: NarrativeInput['unknown']): string {
  if (count === 0) return '';
  const paths = watched.slice(0, 3).map((path) => codeSpan(short(path)));
  const among = paths.length === 0 ? '' : `, among them ${paths.join(', ')}`;
  return `Unknown until apply: ${plural(count, 'attribute')}${among}.`;
}

function driftLine(analysis: NarrativeInput['analysis']): string {
  const sentence = driftSentence(analysis);
  return sentence === '' ? '' : `${sentence}.`;
}

function caveats(summary: Summary, redacted: boolean): string[] {
  const partial = summary.deferred > 0 || (summary.plan_complete === false && summary.plan_errored !== true);
  return [
    summary.plan_errored === true
      ? 'This plan has errors: it holds only what was planned before the first of them, the rest was not judged.'
      : '',
    partial ? 'This plan is partial (targeted or deferred): what it leaves out was not judged.' : '',
    redacted
      ? 'The values of this plan were withheld where it was made: rules that need them could not be applied.'
      : '',
  ];
}

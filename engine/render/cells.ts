import { capitalize } from '../lib/capitalize.ts';
import type { Cause } from './causes.ts';
import type { ShownConcern } from './concerns.ts';
import type { ReversalText } from './drift.ts';
import type { Difference, Evidence } from './evidence.ts';
import { codeCell, codeSpan, escapeInvisible, prose } from './inert.ts';
import { LEVEL_MARKS } from './levels.ts';
import type { LiveText } from './live.ts';
import type { Gap } from './unevaluated.ts';
import type { ShownValue } from './values.ts';
import { countTypes, type Row, type ShownReason } from './view.ts';

export const TABLE_HEAD = '| Risk | Change | Why |\n|---|---|---|';

const MAX_NAME = 300;
const MAX_TYPE = 60;
const MAX_TYPES = 3;
/** Actions in bold, so that they stand out among updates. */
const EMPHASIZED_ACTIONS = new Set(['delete', 'replace']);

/** One change as a table row under `TABLE_HEAD`. */
export function tableRow({ action, address, level, reversal: undoes, causes, reasons }: Row): string {
  const why = [...reasons.map(formatReason), formatCauses(causes), formatReversalCause(undoes)];
  const text = why.filter((part) => part !== '').join('<br>');
  const shown = EMPHASIZED_ACTIONS.has(action) ? `**${action}**` : action;
  return `| ${levelCell(level)} | ${shown}<br>${cell(address)} | ${text} |`;
}

/** `🔴 **Critical**` with a non-breaking space. */
export function levelCell(level: Row['level']): string {
  const { symbol, name: label } = LEVEL_MARKS[level];
  return `${symbol}\u00a0${level === 'none' ? label : `**${label}**`}`;
}

/** Old and new values as one line of Markdown: `path`: `"a"` → `"b"`; `path`: … */
export function evidenceLine(evidence: Evidence): string {
  return formatDifferences(evidence, name).join('; ');
}

/** The same for a table cell, one difference per line. */
export function evidenceCell(evidence: Evidence): string {
  return formatDifferences(evidence, cell)
    .map((line) => `↳ ${line}`)
    .join('<br>');
}

function formatDifferences({ differences, more }: Evidence, code: typeof cell): string[] {
  const lines = differences.map((difference) => formatDifference(difference, code));
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function formatDifference({ path, within, before, after }: Difference, code: typeof cell): string {
  const location = within === null || within === '' ? code(path) : `${code(path)} › ${code(within)}`;
  return `${location}: ${formatValue(before, code)} → ${formatValue(after, code)}`;
}

function formatValue({ code: text, note: words }: ShownValue, code: typeof cell): string {
  return [text === null ? '' : code(text), words].filter((part) => part !== '').join(' ');
}

/** An out-of-band change that the plan undoes, as a Markdown sentence. */
export function formatReversal({ sentence: summary, address, paths, more }: ReversalText): string {
  const named = paths.map(name).join(', ');
  const all = more > 0 ? `${named} and ${more} more` : named;
  return `**${summary}:** ${name(address)}${named === '' ? '' : ` (${all})`}.`;
}

/** What scans found about a resource, as a part of a line of Markdown. */
export function formatLive({ clause, address }: LiveText): string {
  return `${name(address)} ${sentence(clause)}`;
}

/** A concern of a language model as a line of Markdown: category, level, address, sentence, and the cited value. */
export function formatConcern({ level, category, address, text, difference }: ShownConcern): string {
  const { symbol, name: label } = LEVEL_MARKS[level];
  const kind = `${symbol}\u00a0**${category}, ${label.toLowerCase()}:**`;
  return `${kind} ${name(address)}. ${sentence(text)} (${formatDifference(difference, name)})`;
}

/** A part of the plan that was not evaluated, as a line of Markdown. */
export function formatGap({ name: what, paths, more, why }: Gap): string {
  const named = names(paths, paths.length + more);
  return `${name(what)}: ${named === '' ? why : `${named} ${why}`}`;
}

/** A name from the plan as a code span for a line of Markdown. */
export function name(text: string): string {
  return codeSpan(cut(text));
}

/** A name from the plan as a code span for a table cell. */
export function cell(text: string): string {
  return codeCell(cut(text));
}

/** Raw text as inert Markdown, shortened to 300 characters. */
export function sentence(text: string): string {
  return prose(cut(text));
}

/** At most `max` names, then the number of remaining ones. */
export function names(all: readonly string[], count = all.length, max = 5): string {
  const shown = all.slice(0, max);
  const more = count - shown.length;
  return shown.map(name).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The same for a table cell. */
export function cells(all: readonly string[], count: number, max: number): string {
  const more = count - Math.min(max, all.length);
  return all.slice(0, max).map(cell).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** `600 aws_instance, 250 aws_subnet`, the most frequent first. */
export function listTypes(rows: readonly { type: string }[]): string {
  const types = countTypes(rows);
  const shown = types.slice(0, MAX_TYPES).map(([type, count]) => `${count} ${codeSpan(cut(type, MAX_TYPE))}`);
  return shown.join(', ') + (types.length > MAX_TYPES ? ', …' : '');
}

/** Removes the middle of a long text: both ends of an address identify it. */
function cut(text: string, length = MAX_NAME): string {
  const shown = escapeInvisible(text);
  if (shown.length <= length) return shown;
  const half = Math.floor((length - 1) / 2);
  return escapeInvisible(`${shown.slice(0, half)}…${shown.slice(-half)}`);
}

function formatReason({ text, evidence }: ShownReason): string {
  return evidence === null ? sentence(text) : `${sentence(text)}<br>${evidenceCell(evidence)}`;
}

function formatReversalCause(undoes: Cause | null): string {
  if (undoes === null) return '';
  const shown = undoes.names.map(cell);
  return `**${capitalize(undoes.text)}**${shown.length > 0 ? `: ${shown.join(', ')}` : ''}`;
}

/** All causes on one line, with the values below it. */
function formatCauses(causes: readonly Cause[]): string {
  const line = capitalize(causes.map(formatCause).join('; '));
  const evidence = causes.flatMap((cause) => (cause.evidence ? [evidenceCell(cause.evidence)] : []));
  return [line, ...evidence].filter((part) => part !== '').join('<br>');
}

function formatCause({ text, names: named }: Cause): string {
  const shown = named.map(cell);
  return [prose(text), ...(shown.length > 0 ? [shown.join(', ')] : [])].join(' ');
}

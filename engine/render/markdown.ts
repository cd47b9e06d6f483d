import type { PlanAnalysis } from '../result.ts';
import { type Budget, createBudget, takeAll } from './budget.ts';
import type { Cause } from './causes.ts';
import { moreUndoings, type Undoing } from './drift.ts';
import { codeCell, codeSpan, prose, visible } from './inert.ts';
import { createView, type NamedCount, plural, type Row, typesOf, type View } from './view.ts';

export interface MarkdownOptions {
  /** How many changes each table lists at most; changes that destroy something are limited by room alone. */
  top: number;
}

/** GitHub refuses a comment beyond 65,536 characters; this is below every reading of that limit, on GitLab too. */
const MAX_BYTES = 60_000;
/** For the lines that count what was cut, and the tags around the folds. */
const RESERVED_BYTES = 6_000;
/** What is destroyed comes first, but leaves room for an opened firewall. */
const DESTROYED_BYTES = 30_000;
const MAX_UNDOINGS = 3;
const MAX_NAME = 300;
const MAX_TYPE = 60;
const HEAD = '| Action | Resource | Risk | Why |\n|---|---|---|---|';

/**
 * An analysis as a comment on a pull request: the verdict, what is destroyed or replaced and why, what else matters, and
 * folded below it the rest. GitHub-flavoured Markdown that GitLab reads too.
 *
 * Names of the plan can do nothing in it: no HTML, links, images, mentions, references or quick actions.
 *
 * @returns at most 60,000 UTF-8 bytes; a change that destroys something is listed or counted, never dropped unseen
 */
export function renderMarkdown(analysis: PlanAnalysis, { top }: MarkdownOptions): string {
  const view = createView(analysis);
  const budget = createBudget(MAX_BYTES - RESERVED_BYTES);
  const written = analysis.narrative_status === 'ready';
  const warnings = view.warnings.map((text) => `> **${prose(cut(text))}**`);
  const head = takeAll(budget, [
    verdict(view),
    ...warnings,
    ...undoingLines(view),
    ...(written ? [analysis.narrative] : []),
  ]);
  const sections = [
    ...head,
    destroyedTable(view, budget),
    table('Look at', view.important, top, budget),
    ...closing(view, budget),
    fold(`Other changes (${view.minor.length})`, table('', view.minor, top, budget)),
    driftFold(view, top, budget),
    fold(`Known noise (${view.noise.count})`, nameList(view.noise, budget, view.noise.proofs)),
    written ? '' : fold('In words', takeAll(budget, [analysis.narrative]).join()),
    fold('How this was made', view.made.map((line) => `- ${prose(cut(line))}`).join('\n')),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function verdict({ level, destructive, constructive, total, noise }: View): string {
  const title = `### Plan review: **${level === 'none' ? 'no risk' : `${level} risk`}**`;
  if (total === 0) return `${title}\n\nNo changes to resources.`;
  const parts = [
    destructive.length > 0 ? `**${destructive.join(', ')}**` : '',
    constructive.join(', '),
    noise.count > 0 ? `${noise.count} of ${plural(total, 'change')} known noise` : '',
  ];
  return `${title}\n\n${parts.filter((text) => text !== '').join(' · ')}`;
}

/** Whoever changed something by hand had a reason: it is told above everything else, whatever its level. */
function undoingLines({ undoings }: View): string[] {
  const lines = undoings.slice(0, MAX_UNDOINGS).map((undoing) => `> ${sayUndoing(undoing)}`);
  const more = undoings.length - MAX_UNDOINGS;
  return more > 0 ? [...lines, `> ${moreUndoings(more)}`] : lines;
}

function sayUndoing({ sentence, address, paths, more }: Undoing): string {
  const named = paths.map((path) => codeSpan(cut(path))).join(', ');
  const all = more > 0 ? `${named} and ${more} more` : named;
  return `**${sentence}:** ${codeSpan(cut(address))}${named === '' ? '' : ` (${all})`}.`;
}

function destroyedTable({ destroyed, destroyed_unlisted }: View, budget: Budget): string {
  const count = destroyed.length + destroyed_unlisted;
  if (count === 0) return '';
  const rows = takeAll(budget.share(DESTROYED_BYTES), destroyed.map(rowOf));
  const rest = destroyed.slice(rows.length);
  const lines = [];
  if (rest.length > 0) lines.push(`**+ ${rest.length} more destroyed or replaced:** ${listTypes(rest)}`);
  if (destroyed_unlisted > 0)
    lines.push(`**+ ${destroyed_unlisted} more destroyed or replaced** that the result does not list`);
  return [`**Destroyed or replaced (${count})**`, [HEAD, ...rows].join('\n'), ...lines].join('\n\n');
}

function table(title: string, all: Row[], top: number, budget: Budget): string {
  if (all.length === 0) return '';
  const rows = takeAll(budget, all.slice(0, top).map(rowOf));
  const rest = all.slice(rows.length);
  const parts = [
    title === '' ? '' : `**${title} (${all.length})**`,
    rows.length > 0 ? [HEAD, ...rows].join('\n') : '',
    rest.length > 0 ? `+ ${rest.length} more: ${listTypes(rest)}`.replace('+', '\\+') : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function rowOf({ action, address, level, undoes, causes, reasons }: Row): string {
  const why = [sayUndoes(undoes), causes.map(sayCause).join('; '), ...reasons.map((reason) => prose(cut(reason)))];
  const text = why.filter((part) => part !== '').join('<br>');
  return `| ${action} | ${codeCell(cut(address))} | ${level} | ${text} |`;
}

function sayUndoes(undoes: Cause | null): string {
  if (undoes === null) return '';
  const shown = undoes.names.map((name) => codeCell(cut(name)));
  return `**${undoes.text}**${shown.length > 0 ? `: ${shown.join(', ')}` : ''}`;
}

function sayCause({ text, names }: Cause): string {
  const shown = names.map((name) => codeCell(cut(name)));
  return [prose(text), ...(shown.length > 0 ? [shown.join(', ')] : [])].join(' ');
}

function closing({ noise, drift, outputs, unlisted, total }: View, budget: Budget): string[] {
  const lines = [
    unlisted > 0 ? `${plural(unlisted, 'more change')} of lower risk.` : '',
    noise.count > 0 ? noiseLine(noise, total) : '',
    drift.sentence === '' ? '' : `Drift: ${drift.sentence}.`,
    outputs.count > 0 ? `Outputs: ${outputs.count} changed: ${listNames(outputs)}` : '',
  ];
  return takeAll(
    budget,
    lines.filter((line) => line !== ''),
  );
}

function driftFold({ drift }: View, top: number, budget: Budget): string {
  if (drift.rows.length === 0) return '';
  const body = `The plan does not tell who changed what.\n\n${table('', drift.rows, top, budget)}`;
  return fold(`Changed outside of IaC (${drift.rows.length})`, body);
}

function noiseLine({ count, suppressed }: View['noise'], total: number): string {
  const verb = count === 1 ? 'is' : 'are';
  const of = suppressed > 0 ? `, ${suppressed} of them suppressed` : '';
  return `${count} of ${plural(total, 'change')} ${verb} known plan noise and can be ignored${of}.`;
}

function listNames({ count, names }: NamedCount): string {
  const shown = names.slice(0, 5).map((name) => codeSpan(cut(name)));
  const more = count - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function listTypes(rows: Row[]): string {
  const types = typesOf(rows);
  const shown = types.slice(0, 5).map(([type, count]) => `${count} ${codeSpan(cut(type, MAX_TYPE))}`);
  return shown.join(', ') + (types.length > 5 ? ', …' : '');
}

function nameList({ count, names }: NamedCount, budget: Budget, notes?: ReadonlyMap<string, string>): string {
  const lines = takeAll(
    budget,
    names.map((name) => `- ${codeSpan(cut(name))}${noteOf(notes?.get(name))}`),
  );
  const more = count - lines.length;
  return [...lines, ...(more > 0 && count > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function noteOf(note: string | undefined): string {
  return note === undefined ? '' : `: ${note}`;
}

/** Blank lines around the body: without them it would be taken for HTML. */
function fold(title: string, body: string): string {
  return body === '' ? '' : `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** The middle left out of what is too long: both ends of an address say what it is. */
function cut(text: string, length = MAX_NAME): string {
  const shown = visible(text);
  if (shown.length <= length) return shown;
  const half = Math.floor((length - 1) / 2);
  return `${shown.slice(0, half)}…${shown.slice(-half)}`;
}

import { capitalize } from '../lib/capitalize.ts';
import { plural } from '../model/counts.ts';
import type { PlanAnalysis } from '../model/result.ts';
import type { Cause } from './causes.ts';
import { buildChecks, CHECKS_TITLE } from './checks.ts';
import { CONCERNS_NOTE, CONCERNS_TITLE } from './concerns.ts';
import { formatMoreReversals, type ReversalText } from './drift.ts';
import type { Difference, Evidence } from './evidence.ts';
import { escapeInvisible } from './inert.ts';
import { LEVEL_MARKS } from './levels.ts';
import { createPaint, type Paint, wrap } from './terminal.ts';
import { type Gap, WITHHELD } from './unevaluated.ts';
import type { ShownValue } from './values.ts';
import { countTypes, createView, type NamedCount, type Row, type View } from './view.ts';

export interface TextOptions {
  /** Color the output with SGR codes. */
  color: boolean;
  /** Number of changes that each section lists; the rest is counted. */
  top: number;
  /** Terminal width in columns, limited to 80–120. */
  width?: number;
}

interface Page {
  lines: string[];
  paint: Paint;
  width: number;
  top: number;
}

const SIGNS: Record<string, string> = {
  delete: '-',
  replace: '±',
  update: '~',
  create: '+',
  forget: '.',
  import: '<',
  move: '>',
};
/** Indent of the address and its details: the width of sign, action and level. */
const INDENT = ' '.repeat(26);
const MAX_REVERSALS = 3;
const MAX_LIVE = 3;
const MAX_GAPS = 5;
/** Minimum number of destructive changes to list, whatever `top` is. */
const MIN_DESTROYED = 50;

/**
 * Renders an analysis for a terminal: the verdict, what to check before approving, the changes by level with their
 * reasons, and noise in one line. Levels are marked with names and exclamation marks, and optionally with colors.
 *
 * @returns lines of 80 to 120 columns with a newline at the end; control characters in names are escaped
 */
export function renderText(analysis: PlanAnalysis, { color, top, width = 100 }: TextOptions): string {
  const view = createView(analysis);
  const page: Page = { lines: [], paint: createPaint(color), width: Math.min(120, Math.max(80, width)), top };
  writeVerdict(page, color, view);
  writeChecks(page, analysis);
  writeConcerns(page, view);
  writeReview(page, view);
  writeRows(page, 'Other changes', view.others);
  writeGaps(page, view);
  writeDrift(page, view);
  writeRest(page, view);
  return `${page.lines.join('\n')}\n`;
}

/** `BLOCKED  HIGH RISK`: the reason for the exit code, on the first line. */
export function formatVerdict({ level, blocked }: Pick<View, 'level' | 'blocked'>, color: boolean): string {
  const paint = createPaint(color);
  const risk = paint(level, level === 'none' ? 'NO RISK' : `${level.toUpperCase()} RISK`);
  return blocked ? `${paint('critical', 'BLOCKED')}  ${risk}` : risk;
}

function writeVerdict(page: Page, color: boolean, view: View): void {
  const { destructive, constructive, total, warnings, reversals: undoings, live } = view;
  const { lines, paint } = page;
  const counts = [...destructive.map((text) => paint('bold', text)), ...constructive].join(', ');
  const verdict = formatVerdict(view, color);
  lines.push(`${verdict}  ${total === 0 ? 'No changes to resources.' : `${plural(total, 'change')}: ${counts}`}`);
  for (const warning of warnings) writeWrapped(page, '  ! ', warning);
  for (const reversal of undoings.slice(0, MAX_REVERSALS)) writeWrapped(page, '  ! ', formatReversal(reversal));
  const more = undoings.length - MAX_REVERSALS;
  if (more > 0) writeWrapped(page, '  ! ', formatMoreReversals(more));
  for (const { clause, address } of live.slice(0, MAX_LIVE)) writeWrapped(page, '  ! ', `${address}: ${clause}.`);
  if (live.length > MAX_LIVE) writeWrapped(page, '  ! ', `and ${live.length - MAX_LIVE} more findings of scans.`);
}

function formatReversal({ sentence, address, paths, more }: ReversalText): string {
  const named = more > 0 ? `${paths.join(', ')} and ${more} more` : paths.join(', ');
  return `${sentence}: ${address}${named === '' ? '' : ` (${named})`}.`;
}

function writeChecks(page: Page, analysis: PlanAnalysis): void {
  const checks = buildChecks(analysis, (address) => address);
  if (checks.length === 0) return;
  page.lines.push('', page.paint('bold', CHECKS_TITLE));
  for (const { text } of checks) writeWrapped(page, '  - ', text);
}

function writeConcerns(page: Page, { concerns }: View): void {
  if (concerns.length === 0) return;
  page.lines.push('', page.paint('bold', `${CONCERNS_TITLE} (${concerns.length})`));
  writeWrapped(page, '  ', CONCERNS_NOTE, 'dim');
  for (const { level, category, address, text, difference } of concerns) {
    writeWrapped(page, '  - ', `${category}, ${level}: ${address}`);
    writeWrapped(page, '      ', text);
    writeWrapped(page, '      ', formatDifference(difference));
  }
}

/** Lists at least `MIN_DESTROYED` destructive changes, whatever `top` is. */
function writeReview(page: Page, { review, destroyed_unlisted }: View): void {
  const count = review.length + destroyed_unlisted;
  if (count === 0) return;
  let destroyed = 0;
  const shown = review.filter((row, index) => {
    if (row.is_destroyed) destroyed += 1;
    return index < page.top || (row.is_destroyed && destroyed <= MIN_DESTROYED);
  });
  page.lines.push('', page.paint('bold', `Needs review (${count})`));
  for (const row of shown) writeRow(page, row);
  writeMore(
    page,
    review.filter((row) => !shown.includes(row)),
  );
  if (destroyed_unlisted > 0)
    writeWrapped(page, '  ', `… and ${destroyed_unlisted} more destroyed or replaced, not listed in the result`);
}

function writeMore(page: Page, rest: Row[]): void {
  if (rest.length > 0) writeWrapped(page, '  ', `… and ${rest.length} more: ${listTypes(rest)}`);
}

function writeRows(page: Page, title: string, rows: Row[]): void {
  if (rows.length === 0) return;
  page.lines.push('', page.paint('bold', `${title} (${rows.length})`));
  for (const row of rows.slice(0, page.top)) writeRow(page, row);
  writeMore(page, rows.slice(page.top));
}

function writeRow(page: Page, { action, level, address, reversal: undoes, causes, reasons }: Row): void {
  const { lines, paint, width } = page;
  const [first = '', ...more] = wrap(escapeInvisible(address), width - INDENT.length);
  const sign = SIGNS[action] ?? '?';
  const mark = paint(level, `${LEVEL_MARKS[level].ascii} ${level.padEnd(8)}`);
  lines.push(`  ${sign} ${action.padEnd(8)} ${mark} ${paint('bold', first)}`);
  for (const line of more) lines.push(INDENT + paint('bold', line));
  for (const { text, evidence } of reasons) {
    writeWrapped(page, INDENT, text);
    writeEvidence(page, evidence);
  }
  if (causes.length > 0) writeWrapped(page, INDENT, capitalize(causes.map(formatCause).join('; ')), 'dim');
  for (const { evidence = null } of causes) writeEvidence(page, evidence);
  if (undoes !== null) writeWrapped(page, INDENT, formatNames(capitalize(undoes.text), undoes.names));
}

function writeEvidence(page: Page, evidence: Evidence | null): void {
  if (evidence === null) return;
  for (const difference of evidence.differences) writeWrapped(page, `${INDENT}  `, formatDifference(difference));
  if (evidence.more > 0) writeWrapped(page, `${INDENT}  `, `and ${evidence.more} more`);
}

/** `path > within: old -> new` */
export function formatDifference({ path, within, before, after }: Difference): string {
  const location = within === null || within === '' ? path : `${path} > ${within}`;
  return `${location}: ${formatValue(before)} -> ${formatValue(after)}`;
}

function formatValue({ code, note: words }: ShownValue): string {
  return [code ?? '', words].filter((part) => part !== '').join(' ');
}

function writeGaps(page: Page, { gaps }: View): void {
  const { listed, total, sentence, values_withheld } = gaps;
  if (total > 0) {
    page.lines.push('', page.paint('bold', `Not evaluated (${sentence})`));
    for (const gap of listed.slice(0, MAX_GAPS)) writeWrapped(page, '  ', formatGap(gap));
    const more = total - Math.min(listed.length, MAX_GAPS);
    if (more > 0) writeWrapped(page, '  ', `… and ${more} more`);
  }
  if (values_withheld) writeWrapped(page, '  ! ', WITHHELD);
}

function formatGap({ name, paths, more, why }: Gap): string {
  const named = more > 0 ? `${paths.join(', ')} and ${more} more` : paths.join(', ');
  return `${name}: ${named === '' ? why : `${named} ${why}`}`;
}

function formatCause({ text, names }: Cause): string {
  return names.length === 0 ? text : `${text} ${names.join(', ')}`;
}

function formatNames(text: string, names: string[]): string {
  return names.length === 0 ? text : `${text}: ${names.join(', ')}`;
}

function writeDrift(page: Page, { drift }: View): void {
  if (drift.rows.length === 0) return;
  page.lines.push('');
  writeWrapped(page, '', `Drift: ${drift.sentence}. The plan does not show who made these changes.`, 'bold');
  for (const row of drift.rows.slice(0, page.top)) writeRow(page, row);
  writeMore(page, drift.rows.slice(page.top));
}

function writeRest(page: Page, view: View): void {
  const { noise, drift, outputs, unlisted, total } = view;
  page.lines.push('');
  if (unlisted > 0) writeWrapped(page, '', `${plural(unlisted, 'more change')} of lower risk.`);
  if (noise.count > 0) {
    const suppressed = noise.suppressed > 0 ? `, ${noise.suppressed} of them suppressed` : '';
    writeWrapped(
      page,
      '',
      `Ignored as noise: ${noise.count} of ${plural(total, 'change')}${suppressed}${listNames(noise, noise.proofs)}`,
    );
  }
  if (drift.sentence !== '' && drift.rows.length === 0) writeWrapped(page, '', `Drift: ${drift.sentence}.`);
  if (outputs.count > 0) writeWrapped(page, '', `Outputs: ${outputs.count} changed${listNames(outputs)}`);
  if (page.lines.at(-1) === '') page.lines.pop();
}

function listNames({ count, names }: NamedCount, notes?: ReadonlyMap<string, string>): string {
  const shown = names.slice(0, 3).map((name) => (notes?.has(name) ? `${name} (${notes.get(name)})` : name));
  const more = count - shown.length;
  return `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function listTypes(rows: Row[]): string {
  const types = countTypes(rows);
  const shown = types.slice(0, 5).map(([type, count]) => `${count} ${type}`);
  return shown.join(', ') + (types.length > 5 ? ', …' : '');
}

function writeWrapped(page: Page, indent: string, text: string, style?: 'bold' | 'dim'): void {
  const [first = '', ...more] = wrap(escapeInvisible(text), page.width - indent.length);
  const painted = (line: string) => (style === undefined ? line : page.paint(style, line));
  page.lines.push(indent + painted(first), ...more.map((line) => ' '.repeat(indent.length) + painted(line)));
}

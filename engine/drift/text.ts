/** A report as text for a terminal, in the manner of the analysis of a plan. */
import type { RiskLevel } from '../model/result.ts';
import { escapeInvisible } from '../render/inert.ts';
import { LEVEL_MARKS } from '../render/levels.ts';
import { createPaint, type Paint, wrap } from '../render/terminal.ts';
import { formatDifference, type TextOptions } from '../render/text.ts';
import { CLOUD_NAMES, describeCounts, describeCoverage, describeMatched, nameItem } from './narrative.ts';
import type { DriftItem, DriftReport } from './types.ts';
import { createDriftView, type DriftView, describePotential, type Gap, showItem } from './view.ts';

interface Page {
  lines: string[];
  paint: Paint;
  width: number;
  top: number;
}

export interface DriftTextOptions extends TextOptions {
  /** Why the ignore rules with these IDs accept items. */
  reasons?: ReadonlyMap<string, string>;
}

const SIGNS = { changed: '~', missing: '-', new: '+' } as const;
const INDENT = ' '.repeat(26);
const MAX_GAPS = 10;

/** @returns lines of 80 to 120 columns with a newline at the end; control characters in names are escaped */
export function renderDriftText(report: DriftReport, { color, top, width = 100, reasons }: DriftTextOptions): string {
  const page: Page = { lines: [], paint: createPaint(color), width: Math.min(120, Math.max(80, width)), top };
  const view = createDriftView(report, reasons);
  writeVerdict(page, report);
  writeItems(page, view);
  writeAccepted(page, view);
  writeGaps(page, view);
  page.lines.push('');
  for (const note of view.notes) writeWrapped(page, '', note);
  return `${page.lines.join('\n')}\n`;
}

const STATUS = {
  in_sync: 'The account is in sync.',
  drifted: '',
  incomplete: 'The account was checked only in part.',
} as const;

function writeVerdict(page: Page, report: DriftReport): void {
  const { risk_level, account, items, drift_status } = report;
  const risk = page.paint(risk_level, risk_level === 'none' ? 'NO RISK' : `${risk_level.toUpperCase()} RISK`);
  const counts = items.length === 0 ? 'No differences.' : `${describeCounts(report)}.`;
  page.lines.push(
    `${risk}  ${CLOUD_NAMES[account.provider]} ${escapeInvisible(account.external_account_id)}: ${counts}`,
  );
  if (STATUS[drift_status] !== '')
    writeWrapped(page, drift_status === 'incomplete' ? '  ! ' : '  ', STATUS[drift_status]);
  writeWrapped(page, '  ', `${describeMatched(report)}. ${describeCoverage(report)}`);
  const doubt = describePotential(report);
  if (doubt !== '') writeWrapped(page, '  ', doubt);
  for (const { message } of report.escalations) writeWrapped(page, '  ! ', message);
}

function writeItems(page: Page, { open }: DriftView): void {
  if (open.length === 0) return;
  page.lines.push('', page.paint('bold', `Drift (${open.length})`));
  for (const item of open.slice(0, page.top)) writeItem(page, item);
  const more = open.length - page.top;
  if (more > 0) writeWrapped(page, '  ', `… and ${more} more`);
}

function writeItem(page: Page, item: DriftItem): void {
  const { drift_type, risk } = item;
  const { name, messages, differences, more_differences, notes } = showItem(item);
  const [first = '', ...rest] = wrap(escapeInvisible(name), page.width - INDENT.length);
  const mark = formatLevel(page, risk.level);
  page.lines.push(`  ${SIGNS[drift_type]} ${drift_type.padEnd(8)} ${mark} ${page.paint('bold', first)}`);
  for (const line of rest) page.lines.push(INDENT + page.paint('bold', line));
  for (const message of messages) writeWrapped(page, INDENT, message);
  for (const difference of differences) writeWrapped(page, `${INDENT}  `, formatDifference(difference));
  if (more_differences > 0) writeWrapped(page, `${INDENT}  `, `and ${more_differences} more`);
  if (notes.length > 0) writeWrapped(page, INDENT, notes.join(', '), 'dim');
}

function formatLevel({ paint }: Page, level: RiskLevel): string {
  return paint(level, `${LEVEL_MARKS[level].ascii} ${level.padEnd(8)}`);
}

function writeAccepted(page: Page, { accepted }: DriftView): void {
  if (accepted.length === 0) return;
  page.lines.push('', page.paint('bold', `Accepted by ignore rules (${accepted.length})`));
  for (const { item, reason } of accepted.slice(0, page.top)) {
    const why = reason === null ? '' : `: ${reason}`;
    writeWrapped(page, '  ', `${SIGNS[item.drift_type]} ${item.drift_type.padEnd(8)} ${nameItem(item)}${why}`);
  }
  const more = accepted.length - page.top;
  if (more > 0) writeWrapped(page, '  ', `… and ${more} more`);
}

function writeGaps(page: Page, { gap_counts, gaps }: DriftView): void {
  if (gaps.length === 0) return;
  page.lines.push('', page.paint('bold', `Not checked (${gap_counts})`));
  for (const gap of gaps.slice(0, MAX_GAPS)) writeWrapped(page, '  ', formatGap(gap));
  const more = gaps.length - MAX_GAPS;
  if (more > 0) writeWrapped(page, '  ', `… and ${more} more reasons`);
}

function formatGap({ names, more, why }: Gap): string {
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${why}`;
}

function writeWrapped(page: Page, indent: string, text: string, style?: 'bold' | 'dim'): void {
  const [first = '', ...more] = wrap(escapeInvisible(text), page.width - indent.length);
  const painted = (line: string) => (style === undefined ? line : page.paint(style, line));
  page.lines.push(indent + painted(first), ...more.map((line) => ' '.repeat(indent.length) + painted(line)));
}

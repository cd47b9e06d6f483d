/** A report as text for a terminal, in the manner of the analysis of a plan. */
import { plural } from '../model/counts.ts';
import { compareLevels } from '../model/levels.ts';
import type { AttributeDiff, JsonValue, RiskLevel } from '../model/result.ts';
import { escapeInvisible } from '../render/inert.ts';
import { LEVEL_MARKS } from '../render/levels.ts';
import { createPaint, type Paint, wrap } from '../render/terminal.ts';
import type { TextOptions } from '../render/text.ts';
import { describeCounts, describeCoverage, nameItem } from './narrative.ts';
import type { DriftItem, DriftReport } from './types.ts';

interface Page {
  lines: string[];
  paint: Paint;
  width: number;
  top: number;
}

const SIGNS = { changed: '~', missing: '-', new: '+' } as const;
const INDENT = ' '.repeat(26);
const MAX_ATTRIBUTES = 8;
const MAX_VALUE = 120;
const MAX_GAPS = 10;

/** @returns lines of 80 to 120 columns with a newline at the end; control characters in names are escaped */
export function renderDriftText(report: DriftReport, { color, top, width = 100 }: TextOptions): string {
  const page: Page = { lines: [], paint: createPaint(color), width: Math.min(120, Math.max(80, width)), top };
  writeVerdict(page, report);
  writeItems(page, report.items);
  writeGaps(page, report);
  writeRest(page, report);
  return `${page.lines.join('\n')}\n`;
}

const STATUS = {
  in_sync: 'The account is in sync.',
  drifted: '',
  incomplete: 'The account was checked only in part.',
} as const;

function writeVerdict(page: Page, report: DriftReport): void {
  const { risk_level, account, items, drift_status, potential_count } = report;
  const risk = page.paint(risk_level, risk_level === 'none' ? 'NO RISK' : `${risk_level.toUpperCase()} RISK`);
  const counts = items.length === 0 ? 'No differences.' : `${describeCounts(report)}.`;
  page.lines.push(`${risk}  ${account.provider} ${escapeInvisible(account.external_account_id)}: ${counts}`);
  if (STATUS[drift_status] !== '')
    writeWrapped(page, drift_status === 'incomplete' ? '  ! ' : '  ', STATUS[drift_status]);
  writeWrapped(page, '  ', `${plural(report.matched_count, 'resource')} as declared. ${describeCoverage(report)}`);
  if (potential_count > 0)
    writeWrapped(
      page,
      '  ',
      `${plural(potential_count, 'difference')} seen only once: another read can confirm ${potential_count === 1 ? 'it' : 'them'}.`,
    );
  for (const { message } of report.escalations) writeWrapped(page, '  ! ', message);
}

/** Riskiest first. */
function writeItems(page: Page, items: readonly DriftItem[]): void {
  if (items.length === 0) return;
  const sorted = [...items].sort((a, b) => compareLevels(b.risk.level, a.risk.level));
  page.lines.push('', page.paint('bold', `Drift (${items.length})`));
  for (const item of sorted.slice(0, page.top)) writeItem(page, item);
  const more = sorted.length - page.top;
  if (more > 0) writeWrapped(page, '  ', `… and ${more} more`);
}

function writeItem(page: Page, item: DriftItem): void {
  const { drift_type, risk, attributes, attributes_total, certainty, source } = item;
  const [first = '', ...rest] = wrap(escapeInvisible(nameItem(item)), page.width - INDENT.length);
  const mark = formatLevel(page, risk.level);
  page.lines.push(`  ${SIGNS[drift_type]} ${drift_type.padEnd(8)} ${mark} ${page.paint('bold', first)}`);
  for (const line of rest) page.lines.push(INDENT + page.paint('bold', line));
  for (const { message } of risk.reasons) writeWrapped(page, INDENT, message);
  for (const diff of attributes.slice(0, MAX_ATTRIBUTES)) writeWrapped(page, `${INDENT}  `, formatDiff(diff));
  if (attributes_total > MAX_ATTRIBUTES)
    writeWrapped(page, `${INDENT}  `, `and ${attributes_total - MAX_ATTRIBUTES} more`);
  const notes = [
    ...(certainty === 'potential' ? ['seen only once'] : []),
    ...(source === null ? [] : [`in ${source}`]),
    ...(item.region === null ? [] : [item.region]),
  ];
  if (notes.length > 0) writeWrapped(page, INDENT, notes.join(', '), 'dim');
}

function formatLevel({ paint }: Page, level: RiskLevel): string {
  return paint(level, `${LEVEL_MARKS[level].ascii} ${level.padEnd(8)}`);
}

function formatDiff({ path, before, after, before_sensitive, after_sensitive, op }: AttributeDiff): string {
  if (op === 'reorder') return `${path}: the same items in another order`;
  return `${path}: ${formatValue(before, before_sensitive)} -> ${formatValue(after, after_sensitive)}`;
}

function formatValue(value: JsonValue, is_sensitive: boolean): string {
  if (is_sensitive) return '(sensitive)';
  if (value === null) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

function writeGaps(page: Page, { not_checked, not_checked_count, unread }: DriftReport): void {
  if (not_checked_count + unread.length === 0) return;
  page.lines.push('', page.paint('bold', `Not checked (${plural(not_checked_count, 'resource')})`));
  for (const { provider_type, region, message } of unread.slice(0, MAX_GAPS)) {
    const what = `${provider_type ?? 'a part of the account'}${region === null ? '' : ` in ${region}`}`;
    writeWrapped(page, '  ', `${what}: ${message}`);
  }
  const reasons = new Map<string, string[]>();
  for (const { address, reason } of not_checked) {
    const known = reasons.get(reason);
    if (known === undefined) reasons.set(reason, [address]);
    else known.push(address);
  }
  for (const [reason, addresses] of [...reasons].slice(0, MAX_GAPS)) {
    const shown = addresses.slice(0, 3).join(', ');
    const more = addresses.length > 3 ? ` and ${addresses.length - 3} more` : '';
    writeWrapped(page, '  ', `${shown}${more}: ${reason}`);
  }
}

function writeRest(page: Page, { apart, apart_count, comparison, claimed_twice, outside_count }: DriftReport): void {
  page.lines.push('');
  for (const { provider_resource_id, addresses } of claimed_twice.slice(0, MAX_GAPS))
    writeWrapped(page, '', `${provider_resource_id} has more than one owner: ${addresses.join(', ')}.`);
  if (apart_count > 0) {
    const shown = apart
      .slice(0, MAX_GAPS)
      .map(({ count, provider_type, reason }) => `${count} ${provider_type} (${lower(reason)})`);
    const more = apart.length > MAX_GAPS ? ', …' : '';
    writeWrapped(page, '', `Listed apart, not counted: ${shown.join(', ')}${more}`);
  }
  if (outside_count > 0)
    writeWrapped(page, '', `Outside of this account: ${outside_count} of the entries of the states.`);
  const missed = Object.entries(comparison.uncompared).map(([reason, count]) => `${count} ${reason.replace('_', ' ')}`);
  const rest = missed.length === 0 ? '' : `; not compared: ${missed.join(', ')}`;
  writeWrapped(page, '', `Compared ${plural(comparison.compared, 'attribute')}${rest}.`);
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

function writeWrapped(page: Page, indent: string, text: string, style?: 'bold' | 'dim'): void {
  const [first = '', ...more] = wrap(escapeInvisible(text), page.width - indent.length);
  const painted = (line: string) => (style === undefined ? line : page.paint(style, line));
  page.lines.push(indent + painted(first), ...more.map((line) => ' '.repeat(indent.length) + painted(line)));
}

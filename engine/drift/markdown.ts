/** A report as Markdown, in the manner of the comment on a pull request. Names and values of the account are inert. */
import { cell, evidenceCell, levelCell, names } from '../render/cells.ts';
import { codeCell, codeSpan, escapeInvisible, prose } from '../render/inert.ts';
import { LEVEL_MARKS } from '../render/levels.ts';
import { CLOUD_NAMES, describeCounts, describeCoverage, describeMatched } from './narrative.ts';
import type { DriftItem, DriftReport } from './types.ts';
import { createDriftView, type DriftView, describePotential, type Gap, showItem } from './view.ts';

export interface DriftMarkdownOptions {
  /** Rows in each table. */
  top: number;
  /** Why the ignore rules with these IDs accept items. */
  reasons?: ReadonlyMap<string, string>;
}

const TABLE_HEAD = '| Risk | Drift | Why |\n|---|---|---|';
const ACCEPTED_HEAD = '| Drift | Resource | Accepted because |\n|---|---|---|';
const MAX_GAPS = 10;
const STATUS = { in_sync: 'The account is in sync.', drifted: '', incomplete: 'The account was checked only in part.' };

/** @returns Markdown for GitHub and GitLab, with a newline at the end */
export function renderDriftMarkdown(report: DriftReport, { top, reasons }: DriftMarkdownOptions): string {
  const view = createDriftView(report, reasons);
  const blocks = [
    ...writeVerdict(report),
    writeTable(TABLE_HEAD, view.open.map(writeRow), top),
    writeGaps(view),
    writeImports(view, top),
    writeAccepted(view, top),
    fold('About this comparison', view.notes.map((note) => `- ${prose(note)}`).join('\n')),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function writeVerdict(report: DriftReport): string[] {
  const { risk_level, account, items, drift_status, escalations } = report;
  const { symbol } = LEVEL_MARKS[risk_level];
  const risk = risk_level === 'none' ? 'no risk' : `${risk_level} risk`;
  const counts = items.length === 0 ? '**No differences**' : `**${describeCounts(report)}**`;
  const facts = [counts, describeMatched(report), describeCoverage(report)];
  const remarks = [STATUS[drift_status], ...escalations.map(({ message }) => message), describePotential(report)];
  return [
    `### ${symbol} Drift of ${CLOUD_NAMES[account.provider]} ${codeSpan(account.external_account_id)}: **${risk}**`,
    facts.join(' · '),
    remarks
      .filter((remark) => remark !== '')
      .map((remark) => `> ${prose(remark)}`)
      .join('\n>\n'),
  ];
}

function writeRow(item: DriftItem): string {
  const { drift_type, risk } = item;
  const { name: shown, messages, differences, more_differences, notes } = showItem(item);
  const why = [
    ...messages.map((message) => prose(message)),
    ...(differences.length === 0 ? [] : [evidenceCell({ differences, more: more_differences })]),
    ...(notes.length === 0 ? [] : [notes.map((note) => prose(note)).join(', ')]),
  ];
  const kind = drift_type === 'missing' ? '**missing**' : drift_type;
  return `| ${levelCell(risk.level)} | ${kind}<br>${cell(shown)} | ${why.join('<br>')} |`;
}

function writeTable(head: string, rows: readonly string[], top: number): string {
  if (rows.length === 0) return '';
  const more = rows.length - top;
  const table = [head, ...rows.slice(0, top)].join('\n');
  return more > 0 ? `${table}\n\n**+ ${more} more**` : table;
}

function writeGaps({ gap_counts, gaps }: DriftView): string {
  if (gaps.length === 0) return '';
  const more = gaps.length - MAX_GAPS;
  const lines = [...gaps.slice(0, MAX_GAPS).map(writeGap), ...(more > 0 ? [`- and ${more} more reasons`] : [])];
  return `**Not checked:** ${gap_counts}\n${lines.join('\n')}`;
}

function writeGap({ names: shown, more, why }: Gap): string {
  return `- ${names(shown, shown.length + more)}: ${prose(why)}`;
}

function writeImports({ open }: DriftView, top: number): string {
  const found = open.flatMap(({ import_block }) => import_block ?? []);
  if (found.length === 0) return '';
  const code = found
    .slice(0, top)
    .map((block) => block.trimEnd().split('\n').map(escapeInvisible).join('\n'))
    .join('\n\n');
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return fold(`Code that imports the new resources (${found.length})`, `${fence}hcl\n${code}\n${fence}`);
}

function writeAccepted({ accepted }: DriftView, top: number): string {
  if (accepted.length === 0) return '';
  const rows = accepted.map(({ item, reason }) => {
    const why = reason === null ? '' : prose(reason);
    return `| ${item.drift_type} | ${codeCell(showItem(item).name)} | ${why} |`;
  });
  return fold(`Accepted by ignore rules (${accepted.length})`, writeTable(ACCEPTED_HEAD, rows, top));
}

function fold(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

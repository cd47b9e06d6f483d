/** Prints what `dpa drift` found, in all accounts together. */
import {
  CLOUD_NAMES,
  type DriftReport,
  renderDriftMarkdown,
  renderDriftText,
  type StateOwner,
} from '../../../engine/drift/index.ts';
import { escapeInvisible, inertProse, plural } from '../../../engine/index.ts';
import type { RefusedFile } from '../inventory-files.ts';
import { shouldUseColor } from '../terminal.ts';

export interface DriftResult {
  reports: DriftReport[];
  /** Differences that the filters hide. */
  filtered_count: number;
  /** Accounts of the states that the inventory does not have. */
  not_compared: StateOwner[];
  warnings: string[];
  refused: RefusedFile[];
  /** Why ignore rules accept items, by the ID of the rule. */
  reasons: ReadonlyMap<string, string>;
}

interface PrintOptions {
  format: 'text' | 'json' | 'markdown';
  top: number;
}

export function printDrift(result: DriftResult, { format, top }: PrintOptions): void {
  if (format === 'json') process.stdout.write(`${JSON.stringify(toJson(result), null, 2)}\n`);
  else if (format === 'markdown') process.stdout.write(renderMarkdown(result, top));
  else process.stdout.write(renderText(result, top));
}

function toJson({ reasons, ...result }: DriftResult) {
  return { ...result, ignore_rules: [...reasons].map(([id, reason]) => ({ id, reason })) };
}

function renderText(result: DriftResult, top: number): string {
  const { reports, reasons } = result;
  const options = { color: shouldUseColor(process.stdout), top, width: process.stdout.columns ?? 100, reasons };
  const pages = reports.map((report) => renderDriftText(report, options));
  const remarks = listRemarks(result).map((remark) => `! ${escapeInvisible(remark)}\n`);
  return [...pages, ...(remarks.length === 0 ? [] : [remarks.join('')])].join('\n');
}

function renderMarkdown(result: DriftResult, top: number): string {
  const { reports, reasons } = result;
  const pages = reports.map((report) => renderDriftMarkdown(report, { top, reasons }));
  const remarks = listRemarks(result).map((remark) => `> ${inertProse(remark)}`);
  return [...pages, ...(remarks.length === 0 ? [] : [`${remarks.join('\n>\n')}\n`])].join('\n');
}

/** What was not compared, and what to do about it. */
function listRemarks({ filtered_count, not_compared, warnings, refused }: DriftResult): string[] {
  return [
    ...(filtered_count === 0 ? [] : [`The filters hide ${plural(filtered_count, 'difference')}.`]),
    ...not_compared.map(describeOwner),
    ...refused.map(({ name, message }) => `${name} was not read: ${message}`),
    ...warnings,
  ];
}

function describeOwner({ provider, account_id, resource_count }: StateOwner): string {
  const whose = account_id === null ? CLOUD_NAMES[provider] : `${CLOUD_NAMES[provider]} ${account_id}`;
  const verb = resource_count === 1 ? 'was' : 'were';
  return `${plural(resource_count, 'resource')} of ${whose} ${verb} not compared: the inventory has nothing of it.`;
}

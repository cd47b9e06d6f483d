import { escapeInvisible, plural } from '../../../engine/index.ts';
import { createStateReader, type StateCount, StateError, type StateSummary } from '../../../engine/state/index.ts';
import { EXIT_PARTLY_READ } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { describeInput, type InputKind, readInput } from '../input.ts';
import { prepareForBytes } from '../large-input.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';

export interface StateInspectOptions {
  format: Format;
  json?: boolean;
}

const STATE: InputKind = { noun: 'state', file: 'the file from `terraform state pull > state.json`' };
const MAX_TYPES = 40;
const MAX_FAILURES = 20;

/** Prints what a state contains, without any value, and sets the exit code if a part of it was not read. */
export async function inspectState(path: string, { format, json = false }: StateInspectOptions): Promise<void> {
  const summary = await readSummary(path);
  if (summary.parse_failure_count > 0) process.exitCode = EXIT_PARTLY_READ;
  print({ format: json ? 'json' : format }, summary, () => renderSummary(summary));
}

async function readSummary(path: string): Promise<StateSummary> {
  const reader = createStateReader({ instance() {} });
  try {
    let bytes = 0;
    for await (const chunk of readInput(path, STATE)) {
      bytes += chunk.length;
      prepareForBytes(bytes);
      reader.write(chunk);
    }
    return reader.end();
  } catch (error) {
    if (error instanceof StateError) throw new Failure(`${describeInput(path)}: ${error.message}`);
    throw error;
  }
}

function renderSummary(summary: StateSummary): string {
  const parts = [renderHeader(summary)];
  if (summary.by_provider.length > 0) parts.push(renderCounts('PROVIDER', summary.by_provider));
  if (summary.by_type.length > 0) parts.push(renderCounts('TYPE', summary.by_type));
  if (summary.parse_failure_count > 0) parts.push(renderFailures(summary));
  return parts.join('\n');
}

function renderHeader(summary: StateSummary): string {
  const { format, format_version, terraform_version, serial, lineage } = summary;
  const source = format === 'state' ? 'state file' : 'output of terraform show -json';
  const lines: [string, string][] = [
    ['format', `${source}, version ${format_version}`],
    ['written by', terraform_version === null ? 'unknown version' : `Terraform or OpenTofu ${terraform_version}`],
    ['serial', serial === null ? 'not in this format' : String(serial)],
    ['lineage', lineage === null ? 'not in this format' : lineage || 'empty'],
    ['resources', describeInstances(summary)],
    ['modules', `${summary.module_count} besides the root module`],
    ['outputs', String(summary.output_count)],
    ['sensitive', `${plural(summary.sensitive_count, 'value')} marked as sensitive`],
    ['not read', summary.parse_failure_count === 0 ? 'none' : plural(summary.parse_failure_count, 'resource')],
  ];
  return lines.map(([name, text]) => `${name.padEnd(11)} ${escapeInvisible(text)}\n`).join('');
}

function describeInstances({ managed_count, data_count, deposed_count, tainted_count }: StateSummary): string {
  const tainted = tainted_count === 0 ? '' : `, ${tainted_count} tainted`;
  return `${managed_count} managed, ${plural(data_count, 'data source')}, ${deposed_count} deposed${tainted}`;
}

function renderCounts(title: string, counts: readonly StateCount[]): string {
  const rows = counts
    .slice(0, MAX_TYPES)
    .map(({ name, managed, data }) => [name, String(managed), String(data)] as const);
  const more = counts.length - rows.length;
  return `${writeTable([title, 'MANAGED', 'DATA'], rows)}${more > 0 ? `… and ${more} more\n` : ''}`;
}

function renderFailures({ parse_failures, parse_failure_count }: StateSummary): string {
  const rows = parse_failures.slice(0, MAX_FAILURES).map(({ address, reason }) => [address, reason] as const);
  const more = parse_failure_count - rows.length;
  return `${writeTable(['NOT READ', 'REASON'], rows)}${more > 0 ? `… and ${more} more\n` : ''}`;
}

import type { SummaryBlock, SummaryDocument, SummaryTable } from '../../adapters/pack-pdf/types.ts';
import type { SummaryFacts } from './summary-facts.ts';
import { type EvidenceRow, type FindingStatus, LEVELS, type RemediationRow } from './types.ts';

const COVERAGE_ROWS = 30;
const STATUSES: readonly FindingStatus[] = ['open', 'resolved', 'suppressed'];
const DECISION_NAMES: Record<string, string> = {
  disabled_rules: 'Disabled built-in rules',
  noise_suppressions: 'Suppressions of plan noise',
  drift_ignore_rules: 'Drift ignore rules',
  risk_policy_versions: 'Versions of the risk policy',
  rule_changes: 'Changes of rules and decisions in the period',
};

/** The pages of summary.pdf. */
export function summaryDocument(facts: SummaryFacts): SummaryDocument {
  const { org, period, generated_at } = facts;
  return {
    title: `Compliance Pack: ${org.display_name}`,
    subtitle: `${formatTime(period.period_start)} to ${formatTime(period.period_end)} (UTC)`,
    created_at: period.period_end,
    blocks: [
      text(
        `Organization ${org.slug} on the ${org.plan} plan. The data was read on ${formatTime(generated_at)} UTC. ` +
          'Every number on these pages can be computed from data.json; the CSV files have the rows.',
      ),
      ...findingBlocks(facts),
      ...remediationBlocks(facts.remediation),
      ...scanBlocks(facts),
      ...coverageBlocks(facts.coverage),
      ...configurationBlocks(facts),
      ...attestationBlocks(facts),
    ],
  };
}

function findingBlocks({ findings }: SummaryFacts): SummaryBlock[] {
  const total = (status: FindingStatus) => LEVELS.reduce((sum, level) => sum + findings[level][status], 0);
  const counts = (name: string, count: (status: FindingStatus) => number) => {
    const numbers = STATUSES.map(count);
    return [name, ...numbers, numbers.reduce((sum, one) => sum + one, 0)].map(cell);
  };
  return [
    heading('Findings'),
    text('Differences between the cloud accounts and the infrastructure as code that existed in the period.'),
    table(
      'Findings by risk level and status',
      ['Risk level', 'Open', 'Resolved', 'Suppressed', 'Total'],
      [...LEVELS.map((level) => counts(level, (status) => findings[level][status])), counts('all levels', total)],
    ),
  ];
}

function remediationBlocks(rows: readonly RemediationRow[]): SummaryBlock[] {
  const columns = ['Risk level', 'Target', 'Opened', 'Resolved', 'In target', 'Late', 'Open and late', 'Median hours'];
  return [
    heading('Time to resolution'),
    text(
      'From the first detection of a finding to the first complete comparison without it. Opened and resolved count ' +
        'what happened in the period; "open and late" is the state at its end. Suppressed findings do not count.',
    ),
    table(
      'Time to resolution by risk level',
      columns,
      rows.map((row) =>
        [
          row.risk_level,
          row.target_days === 1 ? '1 day' : `${row.target_days} days`,
          row.opened,
          row.resolved,
          row.resolved_in_target,
          row.breached,
          row.open_breached,
          row.median_hours === null ? 'none' : row.median_hours.toFixed(1),
        ].map(cell),
      ),
    ),
  ];
}

function scanBlocks({ scans }: SummaryFacts): SummaryBlock[] {
  const { ok, partial, failed, unfinished } = scans;
  return [
    heading('Scans and analyses'),
    table(
      'Scans and analyses by outcome',
      ['Outcome', 'Count'],
      [
        ['complete', cell(ok)],
        ['partial', cell(partial)],
        ['failed', cell(failed)],
        ['not finished', cell(unfinished)],
        ['all', cell(ok + partial + failed + unfinished)],
      ],
    ),
  ];
}

function coverageBlocks(coverage: readonly EvidenceRow[]): SummaryBlock[] {
  if (coverage.length === 0)
    return [heading('Coverage'), text('No account was compared with its states in the period.')];
  const sorted = [...coverage].sort((a, b) => Number(a['last_coverage_pct']) - Number(b['last_coverage_pct']));
  const hidden = sorted.length - COVERAGE_ROWS;
  return [
    heading('Coverage'),
    text(
      'The share of the live resources that is declared as code, in the last month with a comparison; lowest first.' +
        (hidden > 0 ? ` ${formatCount(hidden)} more accounts are in coverage_monthly.csv.` : ''),
    ),
    table(
      'Coverage by account',
      ['Account', 'Cloud', 'Month', 'Average', 'Last', 'Undeclared'],
      sorted
        .slice(0, COVERAGE_ROWS)
        .map((row) => [
          cell(row['account_name']),
          cell(row['provider']),
          cell(row['month']),
          percent(row['avg_coverage_pct']),
          percent(row['last_coverage_pct']),
          cell(row['undeclared_count']),
        ]),
      ['left', 'left', 'left', 'right', 'right', 'right'],
    ),
  ];
}

function configurationBlocks({ custom_rules, state_sources, decisions }: SummaryFacts): SummaryBlock[] {
  return [
    heading('Configuration and decisions'),
    text('What the organization has set up and accepted. data.json names who made each decision, and when.'),
    table(
      'Configuration and decisions',
      ['Kind', 'Count'],
      [
        ['Custom rules', cell(custom_rules.total)],
        ['Custom rules that are enabled', cell(custom_rules.enabled)],
        ['State sources', cell(state_sources.total)],
        ['State sources whose last fetch failed', cell(state_sources.failing)],
        ['State sources whose file is missing', cell(state_sources.missing)],
        ...Object.entries(DECISION_NAMES).map(([kind, name]) => [name, cell(decisions[kind] ?? 0)]),
      ],
    ),
  ];
}

function attestationBlocks({ attestation }: SummaryFacts): SummaryBlock[] {
  const { head_seq, head_hash_hex, status, checked } = attestation;
  return [
    heading('Audit log'),
    text(
      status === 'ok'
        ? `The audit log of the organization was intact: ${formatCount(checked)} entries were verified.`
        : `The audit log of the organization was NOT intact: see chain-attestation.json. ${formatCount(checked)} entries were read.`,
    ),
    text(`Last verified entry: ${formatCount(head_seq)}. Its hash: ${head_hash_hex === '' ? 'none' : head_hash_hex}`),
    text('AUDIT_LOG_VERIFY.md describes how to verify this pack and the audit log without trusting the service.'),
  ];
}

function heading(value: string): SummaryBlock {
  return { kind: 'heading', text: value };
}

function text(value: string): SummaryBlock {
  return { kind: 'text', text: value };
}

/** By default, the first column has names and all others have numbers. The first column is the widest. */
function table(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  aligned: readonly ('left' | 'right')[] = columns.map((_, place) => (place === 0 ? 'left' : 'right')),
): SummaryTable {
  const named = columns.map((column, place) => ({
    title: column,
    align: aligned[place] ?? 'left',
    share: place === 0 ? 2 : 1,
  }));
  return { kind: 'table', title, columns: named, rows };
}

function cell(value: unknown): string {
  return typeof value === 'number' ? formatCount(value) : String(value ?? '');
}

function percent(value: unknown): string {
  return `${Number(value).toFixed(1)}%`;
}

/** With a comma between thousands, whatever the locale. @param count a whole number */
function formatCount(count: number): string {
  const digits = String(count);
  const first = digits.length % 3;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(',');
}

function formatTime(time: Date): string {
  const [date, clock = ''] = time.toISOString().split('T');
  return `${date} ${clock.slice(0, 5)}`;
}

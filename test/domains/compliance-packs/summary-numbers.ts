/** Computes the tables of summary.pdf from the files of a pack, without the code that wrote them. */

export interface PackData {
  [section: string]: unknown;
  findings: { risk_level: string; status: string }[];
  remediation_sla: Record<string, string | number | null>[];
  scans: { status_kind: string }[];
  coverage_monthly: Record<string, string | number>[];
  custom_rules: { enabled: boolean }[];
  state_sources: { last_fetch_error: string | null; missing_since: string | null }[];
}

const LEVELS = ['critical', 'high', 'medium', 'low', 'none'];
const count = new Intl.NumberFormat('en-US').format;

/** The rows of each table by its title. */
export function computeTables(data: PackData): Record<string, string[][]> {
  const found = (level: string | null, status: string | null) =>
    data.findings.filter((one) => [null, one.risk_level].includes(level) && [null, one.status].includes(status)).length;
  const scans = (kind: string) => data.scans.filter(({ status_kind }) => status_kind === kind).length;
  const last = new Map(data.coverage_monthly.map((row) => [row['cloud_account_id'], row]));
  const size = (section: string) => (data[section] as unknown[]).length;
  const tables: Record<string, (string | number)[][]> = {
    'Findings by risk level and status': [...LEVELS, null].map((level) => [
      level ?? 'all levels',
      ...['open', 'resolved', 'suppressed', null].map((status) => found(level, status)),
    ]),
    'Time to resolution by risk level': data.remediation_sla.map((row) => [
      row['risk_level'] ?? '',
      row['target_days'] === 1 ? '1 day' : `${row['target_days']} days`,
      ...['opened', 'resolved', 'resolved_in_target', 'breached', 'open_breached'].map((name) => row[name] ?? ''),
      row['median_hours'] === null ? 'none' : Number(row['median_hours']).toFixed(1),
    ]),
    'Scans and analyses by outcome': [
      ['complete', scans('ok')],
      ['partial', scans('partial')],
      ['failed', scans('failed')],
      ['not finished', data.scans.length - scans('ok') - scans('partial') - scans('failed')],
      ['all', data.scans.length],
    ],
    'Coverage by account': [...last.values()].map((row) => [
      row['account_name'] ?? '',
      row['provider'] ?? '',
      row['month'] ?? '',
      `${Number(row['avg_coverage_pct']).toFixed(1)}%`,
      `${Number(row['last_coverage_pct']).toFixed(1)}%`,
      row['undeclared_count'] ?? '',
    ]),
    'Configuration and decisions': [
      ['Custom rules', size('custom_rules')],
      ['Custom rules that are enabled', data.custom_rules.filter(({ enabled }) => enabled).length],
      ['State sources', size('state_sources')],
      [
        'State sources whose last fetch failed',
        data.state_sources.filter(({ last_fetch_error }) => last_fetch_error !== null).length,
      ],
      [
        'State sources whose file is missing',
        data.state_sources.filter(({ missing_since }) => missing_since !== null).length,
      ],
      ['Disabled built-in rules', size('disabled_rules')],
      ['Suppressions of plan noise', size('noise_suppressions')],
      ['Drift ignore rules', size('drift_ignore_rules')],
      ['Versions of the risk policy', size('risk_policy_versions')],
      ['Changes of rules and decisions in the period', size('rule_changes')],
    ],
  };
  const toCell = (value: string | number) => (typeof value === 'number' ? count(value) : value);
  return Object.fromEntries(Object.entries(tables).map(([title, rows]) => [title, rows.map((row) => row.map(toCell))]));
}

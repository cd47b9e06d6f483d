import {
  type Attestation,
  type EvidenceRow,
  type FindingStatus,
  LEVELS,
  type Level,
  type PackOrg,
  type Period,
  type RemediationRow,
} from './types.ts';

const STATUS_KINDS = ['ok', 'partial', 'failed', 'unfinished'] as const;
type StatusKind = (typeof STATUS_KINDS)[number];

/** Everything that summary.pdf says. All numbers can be computed from data.json and chain-attestation.json. */
export interface SummaryFacts {
  org: PackOrg;
  period: Period;
  generated_at: Date;
  findings: Record<Level, Record<FindingStatus, number>>;
  remediation: readonly RemediationRow[];
  scans: Record<StatusKind, number>;
  /** The last month of each account. */
  coverage: readonly EvidenceRow[];
  custom_rules: { total: number; enabled: number };
  state_sources: { total: number; failing: number; missing: number };
  /** Number of records by kind. */
  decisions: Record<string, number>;
  attestation: Attestation;
}

/** Counts records as they are written. Memory grows with the number of accounts only. */
export function createFacts() {
  const findings = Object.fromEntries(LEVELS.map((level) => [level, { open: 0, resolved: 0, suppressed: 0 }]));
  const scans = { ok: 0, partial: 0, failed: 0, unfinished: 0 };
  const coverage = new Map<unknown, EvidenceRow>();
  const custom_rules = { total: 0, enabled: 0 };
  const state_sources = { total: 0, failing: 0, missing: 0 };
  const decisions: Record<string, number> = {};
  const counted = {
    findings: findings as SummaryFacts['findings'],
    scans,
    custom_rules,
    state_sources,
    decisions,
  };

  return {
    addCoverage(row: EvidenceRow): void {
      coverage.set(row['cloud_account_id'], row);
    },
    addFinding({ risk_level, status }: { risk_level: Level; status: FindingStatus }): void {
      counted.findings[risk_level][status] += 1;
    },
    addScan({ status_kind }: EvidenceRow): void {
      scans[(status_kind ?? 'unfinished') as StatusKind] += 1;
    },
    addRule({ enabled }: EvidenceRow): void {
      custom_rules.total += 1;
      if (enabled === true) custom_rules.enabled += 1;
    },
    addSource({ last_fetch_error, missing_since }: EvidenceRow): void {
      state_sources.total += 1;
      if (last_fetch_error !== null) state_sources.failing += 1;
      if (missing_since !== null) state_sources.missing += 1;
    },
    addDecision(kind: string): void {
      decisions[kind] = (decisions[kind] ?? 0) + 1;
    },
    finish: (rest: Pick<SummaryFacts, 'org' | 'period' | 'generated_at' | 'remediation'>) => ({
      ...counted,
      ...rest,
      coverage: [...coverage.values()],
    }),
  };
}

/** Reads what cards of links show, from the tables of other domains: nothing that could be secret. */
import type { RiskLevel } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';

export interface DriftCard {
  scan_run_id: string;
  display_name: string;
  provider: string;
  risk_level: RiskLevel;
  coverage_pct: number;
  changed_count: number;
  missing_count: number;
  extra_count: number;
  created_at: Date;
}

/** The drift of one snapshot, or the latest one of a scan. */
export async function findDrift(
  db: Db,
  orgId: string,
  by: { id: string } | { scan_run_id: string },
): Promise<DriftCard | undefined> {
  const [column, id] = 'id' in by ? ['s.id', by.id] : ['s.scan_run_id', by.scan_run_id];
  return db('drift_snapshots as s')
    .join('cloud_accounts as a', (on) => on.on('a.org_id', 's.org_id').andOn('a.id', 's.cloud_account_id'))
    .where({ 's.org_id': orgId, [column]: id })
    .orderBy([
      { column: 's.created_at', order: 'desc' },
      { column: 's.id', order: 'desc' },
    ])
    .first(
      's.scan_run_id',
      'a.display_name',
      'a.provider',
      's.risk_level',
      db.raw('s.coverage_pct::float8 as coverage_pct'),
      's.changed_count',
      's.missing_count',
      's.extra_count',
      's.created_at',
    );
}

export interface RunCard {
  id: string;
  kind: 'analysis' | 'cloud';
  status: 'pending' | 'running' | 'done' | 'error';
  risk_level: RiskLevel | null;
  repo_owner: string | null;
  repo_name: string | null;
  pr_number: number | null;
  branch: string | null;
  created_at: Date;
}

export async function findRun(db: Db, orgId: string, id: string): Promise<RunCard | undefined> {
  return db('scan_runs')
    .where({ org_id: orgId, id })
    .first('id', 'kind', 'status', 'risk_level', 'repo_owner', 'repo_name', 'pr_number', 'branch', 'created_at');
}

export interface PackCard {
  status: 'pending' | 'running' | 'done' | 'error' | 'expired';
  period_start: Date;
  period_end: Date;
  created_at: Date;
}

export async function findPack(db: Db, orgId: string, id: string): Promise<PackCard | undefined> {
  return db('audit_exports').where({ org_id: orgId, id }).first('status', 'period_start', 'period_end', 'created_at');
}

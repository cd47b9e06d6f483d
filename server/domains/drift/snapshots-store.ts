import type { RiskLevel } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import type { AccountDrift, DriftFilter } from '../resources/index.ts';
import type { StoredSnapshot } from './types.ts';

/** Proves that this process computes the drift of a scan. */
export interface ComputationClaim {
  org_id: string;
  scan_run_id: string;
  token: string;
}

const COLUMNS = [
  'id',
  'scan_run_id',
  'cloud_account_id',
  'items_id',
  'created_at',
  'drift_status',
  'changed_count',
  'extra_count',
  'matched_count',
  'missing_count',
  'parse_failure_count',
  'not_checked_count',
  'excluded_count',
  'ignored_count',
  'total_iac',
  'total_live',
  'coverage_pct',
  'risk_level',
  'narrative',
  'narrative_status',
  'skip_reason',
  'rules_narrative',
  'rules_risk_level',
  'notes',
] as const;

/** Claims a scan whose drift nobody computes, or whose process died. */
export async function claim(
  db: Db,
  { org_id, scan_run_id, token }: ComputationClaim,
  now: Date,
  until: Date,
): Promise<boolean> {
  const { rowCount } = await db.raw(
    `insert into drift_computations as c (org_id, scan_run_id, claim, claim_until) values (?, ?, ?, ?)
     on conflict (org_id, scan_run_id) do update set claim = excluded.claim, claim_until = excluded.claim_until
     where c.claim_until <= ?`,
    [org_id, scan_run_id, token, until, now],
  );
  return rowCount === 1;
}

export async function renew(db: Db, claimed: ComputationClaim, until: Date): Promise<void> {
  await whereClaimed(db, claimed).update({ claim_until: until });
}

/** Whether the claim is still valid; if so, nobody takes it until the transaction ends. */
export async function lockClaim(db: Db, claimed: ComputationClaim): Promise<boolean> {
  return (await whereClaimed(db, claimed).forUpdate().first('claim')) !== undefined;
}

export async function release(db: Db, claimed: ComputationClaim): Promise<void> {
  await whereClaimed(db, claimed).delete();
}

/** Who computes the drift of a scan; undefined if nobody does. */
export async function findClaim(
  db: Db,
  org_id: string,
  scan_run_id: string,
): Promise<{ claim: string; claim_until: Date } | undefined> {
  return db('drift_computations').where({ org_id, scan_run_id }).first('claim', 'claim_until');
}

export async function insertSnapshot(db: Db, orgId: string, snapshot: StoredSnapshot): Promise<void> {
  const { notes, ...columns } = snapshot;
  await db('drift_snapshots').insert({ org_id: orgId, ...columns, notes: JSON.stringify(notes) });
}

export async function updateNarrative(
  db: Db,
  orgId: string,
  id: string,
  outcome: Partial<Pick<StoredSnapshot, 'narrative' | 'narrative_status' | 'skip_reason' | 'risk_level'>>,
): Promise<void> {
  await db('drift_snapshots').where({ org_id: orgId, id }).update(outcome);
}

export async function findSnapshot(db: Db, orgId: string, id: string): Promise<StoredSnapshot | undefined> {
  return findLatest(db, { org_id: orgId, id });
}

/** The latest snapshot of a scan. */
export async function findOfScan(db: Db, orgId: string, scan_run_id: string): Promise<StoredSnapshot | undefined> {
  return findLatest(db, { org_id: orgId, scan_run_id });
}

/** What a computation reads of the account's last snapshot. */
export interface PreviousSnapshot extends Pick<StoredSnapshot, 'narrative' | 'narrative_status' | 'risk_level'> {
  /** Null in snapshots of earlier releases. */
  rules_narrative: string | null;
  rules_risk_level: RiskLevel | null;
  scan_run_id: string;
  items_id: string;
  content_hash: Buffer;
}

/** The latest snapshot of an account, over all scans, with the hash of its items. */
export async function findPrevious(
  db: Db,
  orgId: string,
  cloud_account_id: string,
): Promise<PreviousSnapshot | undefined> {
  return db('drift_snapshots as s')
    .join('drift_item_sets as i', (on) => on.on('i.org_id', 's.org_id').andOn('i.id', 's.items_id'))
    .where({ 's.org_id': orgId, 's.cloud_account_id': cloud_account_id })
    .orderBy([
      { column: 's.created_at', order: 'desc' },
      { column: 's.id', order: 'desc' },
    ])
    .first(
      ...['scan_run_id', 'items_id', 'narrative', 'narrative_status', 'risk_level'].map((column) => `s.${column}`),
      ...['s.rules_narrative', 's.rules_risk_level', 'i.content_hash'],
    );
}

const ACCOUNT_DRIFT = `s.id as drift_snapshot_id, s.cloud_account_id, s.created_at as computed_at, s.total_live,
  s.matched_count, s.changed_count, s.missing_count, s.extra_count, s.coverage_pct::float8 as coverage_pct, s.risk_level`;

/** The last snapshot of each account that has one. */
export async function listLatest(db: Db, orgId: string): Promise<AccountDrift[]> {
  const { rows } = await db.raw(
    `select ${ACCOUNT_DRIFT} from cloud_accounts a cross join lateral (
       select * from drift_snapshots d where d.org_id = a.org_id and d.cloud_account_id = a.id
       order by d.created_at desc, d.id desc limit 1
     ) s where a.org_id = ? and a.deleted_at is null`,
    [orgId],
  );
  return rows;
}

/** The last snapshot of each account on each UTC day. */
export async function listDaily(
  db: Db,
  orgId: string,
  { since, provider, account_id }: DriftFilter & { since: Date },
): Promise<AccountDrift[]> {
  const { rows } = await db.raw(
    `select distinct on (s.cloud_account_id, date_trunc('day', s.created_at, 'UTC')) ${ACCOUNT_DRIFT}
     from cloud_accounts a join drift_snapshots s on s.org_id = a.org_id and s.cloud_account_id = a.id
     where a.org_id = :org_id and s.created_at >= :since
       and (:account_id::uuid is null or a.id = :account_id) and (:provider::text is null or a.provider = :provider)
     order by s.cloud_account_id, date_trunc('day', s.created_at, 'UTC'), s.created_at desc, s.id desc`,
    { org_id: orgId, since, account_id: account_id ?? null, provider: provider ?? null } as Record<
      string,
      string | Date
    >,
  );
  return rows;
}

/** @returns the number of deleted snapshots */
export async function deleteOld(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('drift_snapshots').where('created_at', '<', before).limit(limit).select('id');
  return db('drift_snapshots').whereIn('id', old).delete();
}

async function findLatest(db: Db, key: Record<string, string>): Promise<StoredSnapshot | undefined> {
  const row = await db('drift_snapshots')
    .where(key)
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first(COLUMNS);
  // PostgreSQL returns decimals as text.
  if (row === undefined) return undefined;
  const { coverage_pct, rules_narrative, rules_risk_level, ...rest } = row;
  return {
    ...rest,
    coverage_pct: Number(coverage_pct),
    // Snapshots of earlier releases have only what the rules wrote.
    rules_narrative: rules_narrative ?? rest.narrative ?? '',
    rules_risk_level: rules_risk_level ?? rest.risk_level,
  };
}

function whereClaimed(db: Db, { org_id, scan_run_id, token }: ComputationClaim) {
  return db('drift_computations').where({ org_id, scan_run_id, claim: token });
}

/** Reads what happened from the tables of other domains. */
import type { RiskLevel } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import type { ApprovalFacts, DisabledScheduleFacts, PackFacts, ScheduleName } from './event-data.ts';
import type { Follower, ScheduleTargets, TopItem } from './types.ts';

export interface SnapshotFacts {
  id: string;
  scan_run_id: string;
  cloud_account_id: string;
  items_id: string | null;
  created_at: Date;
  changed_count: number;
  missing_count: number;
  extra_count: number;
  coverage_pct: number;
  risk_level: RiskLevel;
  narrative: string | null;
  notes: { code: string; message: string; examples: string[] }[];
  display_name: string;
  provider: string;
}

export async function findSnapshot(db: Db, orgId: string, id: string): Promise<SnapshotFacts | undefined> {
  return db('drift_snapshots as s')
    .join('cloud_accounts as a', (on) => on.on('a.org_id', 's.org_id').andOn('a.id', 's.cloud_account_id'))
    .where({ 's.org_id': orgId, 's.id': id })
    .first(
      's.id',
      's.scan_run_id',
      's.cloud_account_id',
      's.items_id',
      's.created_at',
      's.changed_count',
      's.missing_count',
      's.extra_count',
      db.raw('s.coverage_pct::float8 as coverage_pct'),
      's.risk_level',
      's.narrative',
      's.notes',
      'a.display_name',
      'a.provider',
    );
}

/** How two sets of items differ. Items that a rule accepts do not count. */
export interface ItemDelta {
  item_count: number;
  /** New items, and items whose level has risen. */
  added: number;
  removed: number;
  worst_added: RiskLevel;
}

/** @param previous_id null for no items */
export async function compareItems(
  db: Db,
  orgId: string,
  items_id: string | null,
  previous_id: string | null,
): Promise<ItemDelta> {
  const { rows } = await db.raw(
    `with new as (
       select stable_key, level_rank from drift_items
       where org_id = :org_id and items_id = :items_id and ignore_rule_id is null
     ), old as (
       select stable_key, level_rank from drift_items
       where org_id = :org_id and items_id = :previous_id and ignore_rule_id is null
     ), added as (
       select n.level_rank from new n left join old o using (stable_key)
       where o.stable_key is null or n.level_rank > o.level_rank
     )
     select (select count(*)::int from new) as item_count,
       (select count(*)::int from added) as added,
       (select count(*)::int from old o where not exists (select 1 from new n where n.stable_key = o.stable_key))
         as removed,
       (array['none', 'low', 'medium', 'high', 'critical'])[1 + coalesce((select max(level_rank) from added), 0)]
         as worst_added`,
    { org_id: orgId, items_id, previous_id } as Record<string, string>,
  );
  return rows[0];
}

/** The items with the highest risk; an order that a repeated message keeps. */
export async function listTopItems(db: Db, orgId: string, items_id: string, limit: number): Promise<TopItem[]> {
  return db('drift_items')
    .where({ org_id: orgId, items_id })
    .whereNull('ignore_rule_id')
    .orderBy([{ column: 'level_rank', order: 'desc' }, { column: 'position' }])
    .limit(limit)
    .select(
      'drift_type',
      'resource_address',
      db.raw('coalesce(resource_type, provider_type) as resource_type'),
      db.raw('coalesce(name, provider_resource_id) as name'),
      'level as risk_level',
    );
}

export interface ScanFacts {
  id: string;
  cloud_account_id: string;
  display_name: string;
  provider: string;
  scan_type: 'manual' | 'scheduled' | 'webhook';
  scan_errors: { code: string; message: string }[];
  created_at: Date;
}

export async function findScan(db: Db, orgId: string, id: string): Promise<ScanFacts | undefined> {
  return db('scan_runs as s')
    .join('cloud_accounts as a', (on) => on.on('a.org_id', 's.org_id').andOn('a.id', 's.cloud_account_id'))
    .where({ 's.org_id': orgId, 's.id': id })
    .first(
      's.id',
      's.cloud_account_id',
      'a.display_name',
      'a.provider',
      's.scan_type',
      's.scan_errors',
      's.created_at',
    );
}

export interface AnalysisFacts {
  id: string;
  scan_type: 'manual' | 'scheduled' | 'webhook';
  risk_level: RiskLevel | null;
  repo_owner: string | null;
  repo_name: string | null;
  repo_url: string | null;
  pr_number: number | null;
  branch: string | null;
  commit_sha: string | null;
}

/** An analysis that has a result. */
export async function findAnalysis(db: Db, orgId: string, id: string): Promise<AnalysisFacts | undefined> {
  return db('scan_runs')
    .where({ org_id: orgId, id, kind: 'analysis', status: 'done' })
    .first('id', 'scan_type', 'risk_level', 'repo_owner', 'repo_name', 'repo_url', 'pr_number', 'branch', 'commit_sha');
}

/** A pull request with the level of its published review; undefined if it was deleted. */
export async function findApproval(db: Db, orgId: string, id: string): Promise<ApprovalFacts | undefined> {
  const { rows } = await db.raw(
    `select p.repo, p.pr_number, p.url, p.state, p.branch, p.head_sha, p.published ->> 'risk_level' as risk_level,
       (select s.id from pull_request_plans n join scan_runs s on s.org_id = n.org_id and s.id = n.scan_run_id
        where n.org_id = p.org_id and n.pull_request_id = p.id and n.head_sha = p.published ->> 'head_sha'
          and s.risk_level = p.published ->> 'risk_level'
        order by s.created_at desc, s.id desc limit 1) as scan_run_id
     from pull_requests p where p.org_id = ? and p.id = ? and p.published ->> 'risk_level' is not null`,
    [orgId, id],
  );
  return rows[0];
}

export async function findPack(db: Db, orgId: string, id: string): Promise<PackFacts | undefined> {
  return db('audit_exports')
    .where({ org_id: orgId, id })
    .first(
      'id',
      'period_start',
      'period_end',
      'status',
      'artifact_bytes',
      'artifact_sha256',
      'expires_at',
      'error_message',
    );
}

/** Undefined if it was deleted. */
export async function findScheduleName(db: Db, orgId: string, id: string): Promise<ScheduleName | undefined> {
  return db('schedules').where({ org_id: orgId, id }).whereNull('deleted_at').first('id', 'name');
}

/** A schedule with its own targets, unless it was deleted. */
export async function findSchedule(
  db: Db,
  orgId: string,
  id: string,
): Promise<(DisabledScheduleFacts & ScheduleTargets) | undefined> {
  return db('schedules')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .first(
      'id',
      'name',
      'disabled_reason',
      'last_error',
      'notify_chat_channel as channel',
      'notify_webhook_config_ids as webhook_config_ids',
    );
}

/**
 * The schedules that tell of an account: the enabled ones that scan it, and the one that started this scan, which may have
 * been disabled since. That one is first, then the oldest.
 */
export async function listFollowers(
  db: Db,
  orgId: string,
  { cloud_account_id, scan_run_id }: { cloud_account_id: string; scan_run_id: string },
): Promise<Follower[]> {
  const run = { org_id: orgId, id: scan_run_id };
  const account = db('cloud_accounts').where({ org_id: orgId, id: cloud_account_id, enabled: true }).select('id');
  const is_starter = db('scan_runs').where(run).whereRaw('schedule_id = s.id').select(db.raw('1'));
  return db('schedules as s')
    .select('s.id', 's.name', 's.notify_chat_channel as channel', 's.notify_webhook_config_ids as webhook_config_ids')
    .select(db.raw('exists (?) as has_started', [is_starter]))
    .where('s.org_id', orgId)
    .whereNull('s.deleted_at')
    .where((follows) => {
      follows.where((covers) => {
        covers.where('s.enabled', true).where((of) => {
          of.where('s.cloud_account_id', cloud_account_id);
          of.orWhere((all) => all.whereNull('s.cloud_account_id').whereExists(account));
        });
      });
      follows.orWhereExists(is_starter);
    })
    .orderBy([{ column: 'has_started', order: 'desc' }, { column: 's.created_at' }, { column: 's.id' }]);
}

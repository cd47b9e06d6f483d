import { type Db, readCursor } from '../../db/index.ts';
import type { CoverageRow, FindingRow, PackOrg, Period, RuleRow, ScanRow, SourceRow } from './types.ts';

const CURSOR = 'pack_rows';
/** Keeps the memory of a build flat: with 1,000 rows, each collection of the young generation keeps 20 times as much. */
const BATCH_ROWS = 200;

/** A transaction with one state of the database, and what is read in it. */
export interface Snapshot {
  trx: Db;
  org_id: string;
  period: Period;
}

export async function findOrg({ trx, org_id }: Snapshot): Promise<PackOrg | undefined> {
  return trx('orgs').where({ id: org_id }).first('id', 'slug', 'display_name', 'plan');
}

/** Coverage of each account in each UTC month of the period, from the drift snapshots that were taken in it. */
export function readCoverage(snapshot: Snapshot): AsyncIterable<CoverageRow[]> {
  return read(
    snapshot,
    `select to_char(s.created_at at time zone 'UTC', 'YYYY-MM') as month, s.cloud_account_id,
       a.display_name as account_name, a.provider, count(*)::integer as snapshots,
       round(avg(s.coverage_pct), 1)::float8 as avg_coverage_pct, min(s.coverage_pct)::float8 as min_coverage_pct,
       ((array_agg(s.coverage_pct order by s.created_at desc, s.id desc))[1])::float8 as last_coverage_pct,
       (array_agg(s.extra_count order by s.created_at desc, s.id desc))[1] as undeclared_count
     from drift_snapshots s join cloud_accounts a on a.org_id = s.org_id and a.id = s.cloud_account_id
     where s.org_id = :org_id and s.created_at >= :period_start and s.created_at < :period_end
     group by 1, s.cloud_account_id, a.display_name, a.provider
     order by 1, 2`,
  );
}

/**
 * The findings that were open at some time in the period, as they were at its end. A finding ends with the first
 * complete comparison of its account that does not have it. It is shown as it was last found.
 */
export function readFindings(snapshot: Snapshot): AsyncIterable<FindingRow[]> {
  return read(
    snapshot,
    `with snapshots as (
       select cloud_account_id, items_id, row_number() over account as n,
         min(created_at) filter (where drift_status <> 'incomplete') over (
           account rows between 1 following and unbounded following) as next_complete_at
       from drift_snapshots
       where org_id = :org_id and created_at < :period_end and items_id is not null
       window account as (partition by cloud_account_id order by created_at, id)
     ), sets as (
       select distinct on (cloud_account_id, items_id) cloud_account_id, items_id, n, next_complete_at
       from snapshots order by cloud_account_id, items_id, n desc
     ), found as (
       select distinct on (s.cloud_account_id, i.stable_key, i.first_detected_at)
         s.cloud_account_id, i.stable_key, i.first_detected_at, s.next_complete_at as resolved_at, i.suppressed,
         i.drift_type, i.level, coalesce(i.resource_type, i.provider_type) as resource_type, i.resource_address,
         i.provider_resource_id, i.reasons, i.ignore_rule_id, i.id
       from sets s join drift_items i on i.org_id = :org_id and i.items_id = s.items_id
       where i.first_detected_at < :period_end
       order by s.cloud_account_id, i.stable_key, i.first_detected_at, s.n desc
     ), accepting as (
       select distinct on (1) detail ->> 'rule_id' as rule_id, actor_email from audit_log
       where org_id = :org_id and action = 'drift_ignore_rule.created' order by 1, seq
     )
     select encode(sha256(convert_to(f.cloud_account_id::text || encode(f.stable_key, 'hex')
         || (extract(epoch from f.first_detected_at) * 1000)::bigint::text, 'UTF8')), 'hex') as finding_id,
       f.first_detected_at, f.resolved_at,
       case when f.resolved_at is not null then 'resolved' when f.suppressed then 'suppressed' else 'open' end as status,
       f.drift_type, f.level as risk_level, f.resource_type, f.resource_address, f.provider_resource_id,
       a.display_name as account_name, jsonb_path_query_array(f.reasons, '$[*].rule_id') as rule_ids,
       f.cloud_account_id, f.id as drift_item_id, f.ignore_rule_id, coalesce(u.email, c.actor_email) as accepted_by
     from found f
     left join drift_ignore_rules r on r.org_id = :org_id and r.id = f.ignore_rule_id
     left join users u on u.id = r.created_by
     left join accepting c on c.rule_id = f.ignore_rule_id::text
     join cloud_accounts a on a.org_id = :org_id and a.id = f.cloud_account_id
     where f.resolved_at is null or f.resolved_at >= :period_start
     order by f.first_detected_at, 1`,
  );
}

/** Scans and analyses that were created in the period. */
export function readScans(snapshot: Snapshot): AsyncIterable<ScanRow[]> {
  return read(
    snapshot,
    `select r.id as scan_id, r.created_at, r.finished_at, r.scan_type, r.provider, a.display_name as account_name,
       r.status, jsonb_array_length(r.scan_errors) as error_count, r.drift_status, r.resource_count, r.new_count,
       r.changed_count, r.missing_count, r.commit_sha, r.pr_number, r.kind, r.cloud_account_id
     from scan_runs r left join cloud_accounts a on a.org_id = r.org_id and a.id = r.cloud_account_id
     where r.org_id = :org_id and r.created_at >= :period_start and r.created_at < :period_end
     order by r.created_at, r.id`,
  );
}

/** The custom rules that were created before the end of the period. */
export function readCustomRules(snapshot: Snapshot): AsyncIterable<RuleRow[]> {
  return read(
    snapshot,
    `select r.id, r.name, r.rule_type, r.enabled, r.created_at, r.updated_at, u.email as created_by
     from custom_rules r join users u on u.id = r.created_by
     where r.org_id = :org_id and r.created_at < :period_end
     order by r.created_at, r.id`,
  );
}

/** The state sources that were registered at some time in the period. `config_ct` is encrypted. */
export function readStateSources(snapshot: Snapshot): AsyncIterable<SourceRow[]> {
  return read(
    snapshot,
    `select id, org_id, display_name, kind, config_ct, parent_glob_id, created_at, last_fetched_at, last_fetch_error,
       missing_since, deleted_at
     from state_sources
     where org_id = :org_id and created_at < :period_end and (deleted_at is null or deleted_at >= :period_start)
     order by created_at, id`,
  );
}

/**
 * Decisions of people that change verdicts, and who made them. `rule_changes` is taken from the audit log, which also
 * knows what was deleted since.
 */
export const DECISIONS = {
  disabled_rules: `
    select d.id, d.rule_type, d.builtin_rule_id, d.reason, u.email as disabled_by, d.created_at
    from disabled_rules d join users u on u.id = d.disabled_by
    where d.org_id = :org_id and d.created_at < :period_end
    order by d.created_at, d.id`,
  noise_suppressions: `
    select id, fingerprint, resource_address, resource_type, attribute, reason, duration, is_false_positive,
      suppressed_by, created_at, expires_at, deleted_at
    from noise_suppressions
    where org_id = :org_id and created_at < :period_end
      and coalesce(least(expires_at, deleted_at), 'infinity') >= :period_start
    order by created_at, id`,
  drift_ignore_rules: `
    select r.id, r.drift_types, r.resource_type, r.address, r.provider_resource_id, r.attribute, r.tag_key, r.tag_value,
      r.reason, u.email as created_by, r.created_at, r.expires_at
    from drift_ignore_rules r join users u on u.id = r.created_by
    where r.org_id = :org_id and r.created_at < :period_end
      and (r.expires_at is null or r.expires_at >= :period_start)
    order by r.created_at, r.id`,
  risk_policy_versions: `
    select p.version, json_array_length(p.rules) as rule_count, u.email as updated_by, p.updated_at
    from risk_policies p join users u on u.id = p.updated_by
    where p.org_id = :org_id and p.updated_at < :period_end
    order by p.version`,
  rule_changes: `
    with created as (
      select distinct on (1) detail ->> 'rule_id' as rule_id, detail ->> 'name' as name from audit_log
      where org_id = :org_id and action = 'custom_rule.created' order by 1, seq
    )
    select l.seq::float8 as audit_seq, l.created_at as changed_at, l.action, l.actor_email as changed_by,
      case when json_typeof(l.detail -> 'suppression_ids') = 'array'
        then array(select json_array_elements_text(l.detail -> 'suppression_ids'))
        else array_remove(array[coalesce(l.detail ->> 'rule_id', l.detail ->> 'builtin_rule_id',
          l.detail ->> 'suppression_id', l.detail ->> 'known_owner_id', l.detail ->> 'version')], null)
      end as subject_ids,
      coalesce(l.detail ->> 'name', c.name, l.detail ->> 'owner') as name
    from audit_log l left join created c on c.rule_id = l.detail ->> 'rule_id'
    where l.org_id = :org_id and l.created_at >= :period_start and l.created_at < :period_end
      and l.action in ('custom_rule.created', 'custom_rule.updated', 'custom_rule.enabled', 'custom_rule.disabled',
        'custom_rule.deleted', 'builtin_rule.disabled', 'builtin_rule.enabled', 'policy.updated',
        'plan_noise.settings_updated', 'plan_noise.suppressed', 'plan_noise.suppression_removed',
        'drift_ignore_rule.created', 'drift_ignore_rule.deleted', 'known_owner.created', 'known_owner.updated',
        'known_owner.deleted')
    order by l.seq`,
} as const;
export type DecisionKind = keyof typeof DECISIONS;

export function readDecisions(snapshot: Snapshot, kind: DecisionKind): AsyncIterable<Record<string, unknown>[]> {
  return read(snapshot, DECISIONS[kind]);
}

function read<Row>({ trx, org_id, period }: Snapshot, sql: string): AsyncIterable<Row[]> {
  return readCursor<Row>(trx, CURSOR, sql, { org_id, ...period }, BATCH_ROWS);
}

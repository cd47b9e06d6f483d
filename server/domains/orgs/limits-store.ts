import type { Db } from '../../db/index.ts';
import type { QuotaWindows } from '../entitlements/index.ts';

/**
 * API keys that count against the limit: they open the org, and were not made for a single run. Those of deleted users open
 * nothing, but for the keys of integrations.
 */
export async function countApiKeys(db: Db, orgId: string, now: Date): Promise<number> {
  return count(
    db('api_keys as k')
      .join('users as owner', 'owner.id', 'k.user_id')
      .where('k.org_id', orgId)
      .whereNot('k.kind', 'ephemeral')
      .whereNull('k.revoked_at')
      .whereRaw(`(k.kind = 'integration' or owner.deleted_at is null)`)
      .whereRaw('(k.expires_at is null or k.expires_at > ?)', [now]),
  );
}

/** Custom rules, enabled or not. */
export async function countCustomRules(db: Db, orgId: string): Promise<number> {
  return count(db('custom_rules').where({ org_id: orgId }));
}

/** Webhook configurations, enabled or not. */
export async function countWebhookConfigs(db: Db, orgId: string): Promise<number> {
  return count(db('webhook_configs').where({ org_id: orgId }).whereNull('deleted_at'));
}

/** Cloud scans that wait or run. */
export async function countUnfinishedScans(db: Db, orgId: string): Promise<number> {
  return count(db('scan_runs').where({ org_id: orgId, kind: 'cloud' }).whereIn('status', ['pending', 'running']));
}

/** Analyses that were submitted since then. */
export async function countAnalyses(db: Db, orgId: string, since: Date): Promise<number> {
  return count(db('llm_jobs').where({ org_id: orgId, kind: 'analyze' }).where('created_at', '>', since));
}

/** Calls to the platform's models in the present week and hour. */
export async function countModelCalls(
  db: Db,
  orgId: string,
  { week_start, hour_start }: QuotaWindows,
): Promise<{ weekly: number; hourly: number }> {
  const rows: { kind: 'weekly' | 'hourly'; used: number }[] = await db('llm_quota_buckets')
    .where({ org_id: orgId })
    .whereRaw(`(kind, window_start) in (('weekly', ?), ('hourly', ?))`, [week_start, hour_start])
    .select('kind', 'used');
  return { weekly: 0, hourly: 0, ...Object.fromEntries(rows.map(({ kind, used }) => [kind, used])) };
}

async function count(rows: { count<T>(what: string): PromiseLike<T> }): Promise<number> {
  const [counted] = await rows.count<{ count: string }[]>('* as count');
  return Number(counted?.count ?? 0);
}

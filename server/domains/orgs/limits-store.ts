import type { Db } from '../../db/index.ts';

/** API keys that count against the limit: they open the org, and were not made for a single run. */
export async function countApiKeys(db: Db, orgId: string, now: Date): Promise<number> {
  return count(
    db('api_keys')
      .where({ org_id: orgId })
      .whereNot({ kind: 'ephemeral' })
      .whereNull('revoked_at')
      .whereRaw('(expires_at is null or expires_at > ?)', [now]),
  );
}

/** Custom rules, enabled or not. */
export async function countCustomRules(db: Db, orgId: string): Promise<number> {
  return count(db('custom_rules').where({ org_id: orgId }));
}

/** Cloud scans that wait or run. */
export async function countUnfinishedScans(db: Db, orgId: string): Promise<number> {
  return count(db('scan_runs').where({ org_id: orgId, kind: 'cloud' }).whereIn('status', ['pending', 'running']));
}

async function count(rows: { count<T>(what: string): PromiseLike<T> }): Promise<number> {
  const [counted] = await rows.count<{ count: string }[]>('* as count');
  return Number(counted?.count ?? 0);
}

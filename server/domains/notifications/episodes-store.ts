import type { RiskLevel } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import { type Episode, NO_EPISODE } from './episode.ts';

export interface StoredEpisode extends Episode {
  /** The items of the last snapshot; null before the first. */
  items_id: string | null;
  /** Since when scans of the account fail; null after one that did not. */
  failing_since: Date | null;
}

/** What is known about an account, which nobody else changes until the transaction ends. */
export async function lockEpisode(db: Db, orgId: string, cloud_account_id: string): Promise<StoredEpisode> {
  const key = { org_id: orgId, cloud_account_id };
  const { risk_level, gaps } = NO_EPISODE;
  await db('notification_episodes')
    .insert({ ...key, risk_level, gaps: JSON.stringify(gaps) })
    .onConflict(['org_id', 'cloud_account_id'])
    .ignore();
  return db('notification_episodes')
    .where(key)
    .forUpdate()
    .first('opened_at', 'risk_level', 'observed_at', 'gaps', 'items_id', 'failing_since');
}

export async function saveEpisode(
  db: Db,
  orgId: string,
  cloud_account_id: string,
  { gaps, ...episode }: StoredEpisode,
): Promise<void> {
  await db('notification_episodes')
    .where({ org_id: orgId, cloud_account_id })
    .update({ ...episode, gaps: JSON.stringify(gaps) });
}

/**
 * Records the level of a pull request if it is higher than every level that was recorded.
 *
 * @returns whether it was
 */
export async function raiseLevel(
  db: Db,
  orgId: string,
  { repo, pr_number }: { repo: string; pr_number: number },
  risk_level: RiskLevel,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.raw(
    `insert into notification_pull_requests as p (org_id, repo, pr_number, risk_level, updated_at)
     values (:org_id, :repo, :pr_number, :risk_level, :at)
     on conflict (org_id, repo, pr_number) do update set risk_level = excluded.risk_level, updated_at = excluded.updated_at
     where array_position(array['none', 'low', 'medium', 'high', 'critical'], excluded.risk_level)
       > array_position(array['none', 'low', 'medium', 'high', 'critical'], p.risk_level)`,
    { org_id: orgId, repo, pr_number, risk_level, at },
  );
  return rowCount === 1;
}

/** Records that an approval of a pull request is reported. @returns whether it was not reported before */
export async function markApprovalReported(
  db: Db,
  orgId: string,
  { repo, pr_number, risk_level }: { repo: string; pr_number: number; risk_level: RiskLevel },
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.raw(
    `insert into notification_pull_requests as p
       (org_id, repo, pr_number, risk_level, updated_at, approval_reported_at)
     values (:org_id, :repo, :pr_number, :risk_level, :at, :at)
     on conflict (org_id, repo, pr_number) do update
       set approval_reported_at = excluded.approval_reported_at, updated_at = excluded.updated_at
       where p.approval_reported_at is null`,
    { org_id: orgId, repo, pr_number, risk_level, at },
  );
  return rowCount === 1;
}

/** @returns the number of forgotten pull requests */
export async function deletePullRequests(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.raw(
    `delete from notification_pull_requests where ctid in (
       select ctid from notification_pull_requests where updated_at < ? limit ?)`,
    [before, limit],
  );
  return rowCount;
}

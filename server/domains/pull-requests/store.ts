import type { Db } from '../../db/index.ts';
import type { CommandAnswer, ObservedPullRequest, PullRequest, PullRequestSource } from './types.ts';

export const COLUMNS = [
  'id',
  'org_id',
  'config_id',
  'installation_row_id',
  'repo',
  'pr_number',
  'url',
  'state',
  'is_fork',
  'is_quiet',
  'branch',
  'head_sha',
  'head_changed_at',
  'comment_id',
  'check_id',
  'check_sha',
  'published',
  'answers',
] as const;

/** The answered commands; texts are stored until they are posted. */
const ANSWERS_KEPT = 100;

/** Stores a host's data about a pull request, as an event. */
export async function upsertPullRequest(
  db: Db,
  orgId: string,
  id: string,
  observed: PullRequestSource & ObservedPullRequest,
  now: Date,
): Promise<PullRequest> {
  const [row] = await db('pull_requests')
    .insert({
      ...observed,
      id,
      org_id: orgId,
      head_changed_at: now,
      revision: 1,
      created_at: now,
      updated_at: now,
    })
    .onConflict(['org_id', 'config_id', 'installation_row_id', 'repo', 'pr_number'])
    .merge({
      url: observed.url,
      state: observed.state,
      is_fork: observed.is_fork,
      branch: observed.branch,
      head_sha: observed.head_sha,
      head_changed_at: db.raw(
        'case when pull_requests.head_sha = excluded.head_sha then pull_requests.head_changed_at else ? end',
        [now],
      ),
      revision: db.raw('pull_requests.revision + 1'),
      updated_at: now,
    })
    .returning(COLUMNS);
  return row as PullRequest;
}

export async function findPullRequest(
  db: Db,
  orgId: string,
  { config_id, installation_row_id }: PullRequestSource,
  repo: string,
  pr_number: number,
): Promise<PullRequest | undefined> {
  return db('pull_requests')
    .where({ org_id: orgId, config_id, installation_row_id, repo, pr_number })
    .first(COLUMNS) as Promise<PullRequest | undefined>;
}

/** Records an event and locks the row until the transaction ends. @returns false if there is no row */
export async function bumpRevision(
  db: Db,
  orgId: string,
  id: string,
  now: Date,
  changes: { is_quiet?: boolean } = {},
): Promise<boolean> {
  const touched = await db('pull_requests')
    .where({ org_id: orgId, id })
    .update({ ...changes, revision: db.raw('revision + 1'), updated_at: now });
  return touched === 1;
}

/**
 * Stores a reply to be posted, among the newest.
 *
 * @returns false if this comment was already answered, or there is no such pull request
 */
export async function insertAnswer(
  db: Db,
  orgId: string,
  id: string,
  answer: CommandAnswer,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.raw(
    `update pull_requests set
       answers = (
         select jsonb_agg(answer order by place) from (
           select answer, place from jsonb_array_elements(answers || ?::jsonb) with ordinality as all_of_them(answer, place)
           order by place desc limit ?) as newest),
       revision = revision + 1,
       updated_at = ?
     where org_id = ? and id = ? and not answers @> ?::jsonb`,
    [
      JSON.stringify([{ ...answer, state: 'new' }]),
      ANSWERS_KEPT,
      now,
      orgId,
      id,
      JSON.stringify([{ comment_id: answer.comment_id }]),
    ],
  );
  return rowCount === 1;
}

/** Records the end of a job as an event of the pull requests that wait for it. @returns their ids */
export async function bumpRevisionsWaitingFor(db: Db, orgId: string, job_id: string, now: Date): Promise<string[]> {
  const waiting = db('pull_request_plans')
    .where({ org_id: orgId, job_id, status: 'submitted' })
    .select('pull_request_id');
  const rows: { id: string }[] = await db('pull_requests')
    .where({ org_id: orgId })
    .whereIn('id', waiting)
    .update({ revision: db.raw('revision + 1'), updated_at: now })
    .returning('id');
  return rows.map(({ id }) => id);
}

/**
 * Returns up to `limit` pull requests without a worker that have unprocessed events, or whose wake-up time has passed.
 * The caller queues them in the same transaction; each is returned again only after a while, and the longer ago its
 * last event, the less often, down to once an hour, because its host may be gone permanently.
 */
export async function markForgotten(
  platform_db: Db,
  { before, requeued_before, now }: { before: Date; requeued_before: Date; now: Date },
  limit: number,
): Promise<{ id: string; org_id: string }[]> {
  const forgotten = platform_db('pull_requests')
    .where((left) =>
      left
        .where((unpublished) =>
          unpublished
            .whereRaw('revision > published_revision')
            .where(platform_db.raw('coalesce(lease_until, updated_at)'), '<', before),
        )
        .orWhere('wake_at', '<', before),
    )
    .where((due) =>
      due
        .whereNull('requeued_at')
        .orWhereRaw(
          `requeued_at < least(?::timestamptz, ?::timestamptz - least(interval '1 hour', (? - updated_at) / 10))`,
          [requeued_before, now, now],
        ),
    )
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select('id');
  return platform_db('pull_requests').whereIn('id', forgotten).update({ requeued_at: now }).returning(['id', 'org_id']);
}

/** Deletes up to `limit` pull requests of any organization without recent events, and their plans. */
export async function deleteOldPullRequests(
  sweep_db: Db,
  { ended_before, open_before }: { ended_before: Date; open_before: Date },
  limit: number,
): Promise<number> {
  const old = sweep_db('pull_requests')
    .where('updated_at', '<', ended_before)
    .where((over) => over.whereNot({ state: 'open' }).orWhere('updated_at', '<', open_before))
    .limit(limit)
    .select('id');
  return sweep_db('pull_requests').whereIn('id', old).delete();
}

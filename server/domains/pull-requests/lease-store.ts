import type { Db } from '../../db/index.ts';
import { COLUMNS } from './store.ts';
import type { PullRequest, PullRequestChanges } from './types.ts';

/** Proves that this process holds the lease of a pull request. */
export interface Lease {
  org_id: string;
  id: string;
  token: string;
}

/** Takes a pull request with unpublished events that is free, or whose process died. */
export async function takeLease(db: Db, { org_id, id, token }: Lease, now: Date, until: Date): Promise<boolean> {
  const taken = await db('pull_requests')
    .where({ org_id, id })
    .where((free) => free.whereNull('lease_until').orWhere('lease_until', '<=', now))
    .where((due) => due.whereRaw('revision > published_revision').orWhere('wake_at', '<=', now))
    .update({ lease_token: token, lease_until: until });
  return taken === 1;
}

/** @returns false if this process has lost the lease */
export async function renewLease(db: Db, lease: Lease, until: Date): Promise<boolean> {
  return (await whereLeased(db, lease).update({ lease_until: until })) === 1;
}

/**
 * Starts a round for all events until now. A wake-up time counts as an event, so that it is not lost if the round
 * fails.
 */
export async function beginRound(
  db: Db,
  lease: Lease,
): Promise<{ pull_request: PullRequest; revision: number } | undefined> {
  const [row] = await whereLeased(db, lease)
    .update({
      revision: db.raw('case when revision = published_revision then revision + 1 else revision end'),
      wake_at: null,
    })
    .returning([...COLUMNS, 'revision']);
  if (row === undefined) return undefined;
  const { revision, ...pull_request } = row;
  return { pull_request, revision };
}

/**
 * Records the published revision, and releases the lease unless there are newer events.
 *
 * @returns undefined if this process has lost the lease
 */
export async function endRound(
  db: Db,
  lease: Lease,
  published_revision: number,
  now: Date,
): Promise<{ has_more: boolean } | undefined> {
  const { rows } = await db.raw(
    `update pull_requests set
       published_revision = :published_revision,
       lease_token = case when revision > :published_revision or wake_at <= :now then lease_token end,
       lease_until = case when revision > :published_revision or wake_at <= :now then lease_until end
     where org_id = :org_id and id = :id and lease_token = :token
     returning lease_token is not null as has_more`,
    { ...lease, published_revision, now },
  );
  return rows[0];
}

export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  await whereLeased(db, lease).update({ lease_token: null, lease_until: null });
}

/** Whether this process has the lease; if so, no other process takes it until the transaction ends. */
export async function keepLease(db: Db, lease: Lease): Promise<boolean> {
  return (await whereLeased(db, lease).forShare().first('id')) !== undefined;
}

/** @returns the earliest requested wake-up time; undefined if this process has lost the lease */
export async function setWake(db: Db, lease: Lease, at: Date): Promise<Date | undefined> {
  const [row] = await whereLeased(db, lease)
    .update({ wake_at: db.raw('least(wake_at, ?)', [at]) })
    .returning('wake_at');
  return row?.wake_at;
}

/** @returns false if this process has lost the lease */
export async function updatePullRequest(db: Db, lease: Lease, changes: PullRequestChanges): Promise<boolean> {
  const { published, ...columns } = changes;
  const changed = await whereLeased(db, lease).update({
    ...columns,
    ...(published === undefined ? {} : { published: published === null ? null : JSON.stringify(published) }),
  });
  return changed === 1;
}

/** Posted and refused replies lose their text. @returns false if this process has lost the lease */
export async function markAnswer(
  db: Db,
  lease: Lease,
  comment_id: string,
  state: 'posting' | 'posted' | 'refused',
): Promise<boolean> {
  const marked = JSON.stringify(state === 'posting' ? { state } : { comment_id, state });
  const changed = await whereLeased(db, lease).update({
    answers: db.raw(
      `(select coalesce(jsonb_agg(
          case when answer ->> 'comment_id' = ? then case when ? then answer || ?::jsonb else ?::jsonb end else answer end
          order by place), '[]')
        from jsonb_array_elements(answers) with ordinality as all_of_them(answer, place))`,
      [comment_id, state === 'posting', marked, marked],
    ),
  });
  return changed === 1;
}

function whereLeased(db: Db, { org_id, id, token }: Lease) {
  return db('pull_requests').where({ org_id, id, lease_token: token });
}

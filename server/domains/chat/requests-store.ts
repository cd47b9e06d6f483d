import type { Db } from '../../db/index.ts';
import type { RequestKind } from '../../lib/slack-request.ts';

/** A request that a worker has claimed. */
export interface ClaimedRequest {
  id: string;
  body_ct: Buffer;
  attempts: number;
}

/** A request of Slack. */
export interface NewRequest {
  id: string;
  kind: RequestKind;
  team_id: string;
  /** The same whenever Slack sends it. */
  request_key: string;
  body_ct: Buffer;
  created_at: Date;
}

/** @returns the IDs of those that Slack has not sent before */
export async function insertRequests(db: Db, orgId: string, rows: readonly NewRequest[]): Promise<string[]> {
  const inserted: { id: string }[] = await db('chat_requests')
    .insert(rows.map((row) => ({ org_id: orgId, status: 'pending', ...row })))
    .onConflict(['org_id', 'request_key'])
    .ignore()
    .returning('id');
  return inserted.map(({ id }) => id);
}

/** Claims a pending request. @returns undefined if it has ended, or another worker has it */
export async function claimRequest(
  db: Db,
  orgId: string,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<ClaimedRequest | undefined> {
  const [row]: ClaimedRequest[] = await db('chat_requests')
    .where({ org_id: orgId, id, status: 'pending' })
    .where((free) => free.whereNull('lease_until').orWhere('lease_until', '<=', now))
    .update({ lease_until: until, attempts: db.raw('attempts + 1') })
    .returning(['id', 'body_ct', 'attempts']);
  return row;
}

/** Ends the claim of one attempt. @param end null = it is tried again */
export async function settleRequest(
  db: Db,
  orgId: string,
  { id, attempts }: Pick<ClaimedRequest, 'id' | 'attempts'>,
  end: { status: 'done' | 'failed'; finished_at: Date } | null,
): Promise<void> {
  const changes = end === null ? {} : { ...end, body_ct: null };
  await db('chat_requests')
    .where({ org_id: orgId, id, attempts, status: 'pending' })
    .update({ lease_until: null, ...changes });
}

/** Pending requests that no worker has; for work across organizations. */
export async function listLost(
  db: Db,
  { created_before, now }: { created_before: Date; now: Date },
  limit: number,
): Promise<{ org_id: string; id: string }[]> {
  return db('chat_requests')
    .where({ status: 'pending' })
    .where('created_at', '<', created_before)
    .where((free) => free.whereNull('lease_until').orWhere('lease_until', '<=', now))
    .orderBy('created_at')
    .limit(limit)
    .select('org_id', 'id');
}

/** @returns the number of deleted rows; at most `limit` */
export async function deleteOld(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('chat_requests').where('created_at', '<', before).limit(limit).select('id');
  return db('chat_requests').whereIn('id', old).delete();
}

import type { Db } from '../../db/index.ts';
import type { Thread } from './thread.ts';
import type { AccountDrift, MessageRef } from './types.ts';

/** First part of the advisory lock of a target. */
const TARGET_LOCK = 1_852_798_057;

/** Open threads of a target, newest first. Locks the target, so that two events at a time do not start two threads. */
export async function lockOpen(db: Db, orgId: string, route_key: string): Promise<Thread[]> {
  await db.raw('select pg_advisory_xact_lock(?, hashtext(?))', [TARGET_LOCK, `${orgId} ${route_key}`]);
  return db('notification_threads')
    .where({ org_id: orgId, route_key })
    .whereNull('resolved_at')
    .orderBy([
      { column: 'opened_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .forUpdate()
    .select(
      'id',
      'opened_at',
      'accounts',
      db.raw('sent_revision is not null as is_sent, coalesce(sent_revision = revision, false) as is_current'),
    );
}

export async function insertThread(
  db: Db,
  orgId: string,
  thread: { id: string; route_key: string; opened_at: Date; accounts: readonly AccountDrift[] },
): Promise<void> {
  await db('notification_threads').insert({
    org_id: orgId,
    ...thread,
    accounts: JSON.stringify(thread.accounts),
    revision: 1,
  });
}

/** @returns the new revision */
export async function updateThread(
  db: Db,
  orgId: string,
  id: string,
  { accounts, resolved_at }: { accounts: readonly AccountDrift[]; resolved_at: Date | null },
): Promise<number> {
  const [row]: { revision: number }[] = await db('notification_threads')
    .where({ org_id: orgId, id })
    .update({ accounts: JSON.stringify(accounts), resolved_at, revision: db.raw('revision + 1') })
    .returning('revision');
  return row?.revision ?? 1;
}

export interface ClaimedThread {
  id: string;
  opened_at: Date;
  accounts: AccountDrift[];
  resolved_at: Date | null;
  revision: number;
  /** The revision that the posted message shows; null before it is posted. */
  sent_revision: number | null;
  /** The revision that people were notified of by a whole message, and not by a line below it. */
  posted_revision: number | null;
  /** The revision that people were last notified of by a line below the message, by account. */
  notified_revisions: Readonly<Record<string, number>>;
  ref: MessageRef | null;
}

/** Claims a thread, so that no other worker posts or changes its message before `until`. */
export async function claimThread(
  db: Db,
  orgId: string,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<ClaimedThread | undefined> {
  const [row]: ClaimedThread[] = await db('notification_threads')
    .where({ org_id: orgId, id })
    .where((free) => free.whereNull('lease_until').orWhere('lease_until', '<=', now))
    .update({ lease_until: until })
    .returning([
      'id',
      'opened_at',
      'accounts',
      'resolved_at',
      'revision',
      'sent_revision',
      'posted_revision',
      'notified_revisions',
      'ref',
    ]);
  return row;
}

/** Where the message of a target that has one thread was posted; null if it was not. */
export async function findRef(db: Db, orgId: string, route_key: string): Promise<MessageRef | null> {
  const row = await db('notification_threads').where({ org_id: orgId, route_key }).first('ref');
  return row?.ref ?? null;
}

/** What a posted message shows from now on. */
export type SentState = Pick<ClaimedThread, 'sent_revision' | 'posted_revision' | 'notified_revisions' | 'ref'>;

/** Ends a claim. @param sent null if nothing was posted */
export async function releaseThread(db: Db, orgId: string, id: string, sent: SentState | null): Promise<void> {
  const toJson = ({ notified_revisions, ref, ...revisions }: SentState) => ({
    ...revisions,
    notified_revisions: JSON.stringify(notified_revisions),
    ref: ref === null ? null : JSON.stringify(ref),
  });
  const posted = sent === null ? {} : toJson(sent);
  await db('notification_threads')
    .where({ org_id: orgId, id })
    .update({ lease_until: null, ...posted });
}

/** Deletes threads that ended, with their deliveries. @returns the number of deleted threads */
export async function deleteThreads(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('notification_threads').where('resolved_at', '<', before).limit(limit).select('id');
  return db('notification_threads').whereIn('id', old).delete();
}

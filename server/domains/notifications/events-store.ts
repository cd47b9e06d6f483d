import type { Db } from '../../db/index.ts';
import type { EventSource, EventType } from './types.ts';

export interface StoredEvent {
  id: string;
  source: EventSource;
  source_id: string;
  /** Null until the service has decided, and for what is not an event. */
  type: EventType | null;
  data: Readonly<Record<string, unknown>> | null;
  created_at: Date;
}

const COLUMNS = ['id', 'source', 'source_id', 'type', 'data', 'created_at'] as const;

/** @returns false if it is known already; a schedule can be disabled repeatedly */
export async function insertEvent(
  db: Db,
  orgId: string,
  event: Pick<StoredEvent, 'id' | 'source' | 'source_id' | 'created_at'>,
): Promise<boolean> {
  const inserted: unknown[] = await db('notification_events')
    .insert({ org_id: orgId, ...event })
    .onConflict(db.raw("(org_id, source, source_id) where source <> 'schedule'"))
    .ignore()
    .returning('id');
  return inserted.length > 0;
}

/** An event that nobody has decided; locks its row. */
export async function lockUndecided(db: Db, orgId: string, id: string): Promise<StoredEvent | undefined> {
  return db('notification_events')
    .where({ org_id: orgId, id })
    .whereNull('decided_at')
    .forUpdate()
    .first(...COLUMNS);
}

/** @param decided null if it is not an event that anybody hears of */
export async function decide(
  db: Db,
  orgId: string,
  id: string,
  decided: { type: EventType; data: Readonly<Record<string, unknown>> } | null,
  at: Date,
): Promise<void> {
  const { type = null, data = null } = decided ?? {};
  await db('notification_events')
    .where({ org_id: orgId, id })
    .update({ type, data: data === null ? null : JSON.stringify(data), decided_at: at });
}

export async function findEvent(db: Db, orgId: string, id: string): Promise<StoredEvent | undefined> {
  return db('notification_events')
    .where({ org_id: orgId, id })
    .first(...COLUMNS);
}

/** Events of all organizations that nobody has decided since, oldest first. */
export async function listUndecided(db: Db, before: Date, limit: number): Promise<{ id: string; org_id: string }[]> {
  return db('notification_events')
    .whereNull('decided_at')
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .limit(limit)
    .select('id', 'org_id');
}

/** Deletes old events with their deliveries. @returns the number of deleted events */
export async function deleteEvents(db: Db, before: Date, limit: number): Promise<number> {
  const old = db('notification_events').where('created_at', '<', before).limit(limit).select('id');
  return db('notification_events').whereIn('id', old).delete();
}

import type { Db } from '../../db/index.ts';
import type { Checkpoint, CheckpointSettings, LogTree } from './types.ts';

const COLUMNS = ['org_id', 'size', 'root_hash', 'head_hash', 'note', 'created_at'] as const;
const NO_SETTINGS: CheckpointSettings = { public_handle: null, webhook_config_id: null };
/** The rows that a sweep handles at once. */
const BATCH = 100;

export async function findLatest(db: Db, orgId: string): Promise<(Checkpoint & Pick<LogTree, 'subtrees'>) | undefined> {
  const rows = db('audit_checkpoints').where({ org_id: orgId });
  const row = await rows.orderBy('size', 'desc').first(...COLUMNS, 'subtrees');
  return row && { ...toCheckpoint(row), subtrees: row.subtrees };
}

/** @param size that of the newest checkpoint if undefined */
export async function findCheckpoint(db: Db, orgId: string, size: number | undefined): Promise<Checkpoint | undefined> {
  const rows = db('audit_checkpoints').where({ org_id: orgId, ...(size === undefined ? {} : { size }) });
  const row = await rows.orderBy('size', 'desc').first(COLUMNS);
  return row && toCheckpoint(row);
}

/** The smallest checkpoint of at least so many entries. */
export async function findNext(db: Db, orgId: string, size: number): Promise<Checkpoint | undefined> {
  const rows = db('audit_checkpoints').where({ org_id: orgId }).where('size', '>=', size);
  const row = await rows.orderBy('size').first(COLUMNS);
  return row && toCheckpoint(row);
}

/** One page, newest first, and the total. */
export async function listCheckpoints(
  db: Db,
  orgId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ checkpoints: Checkpoint[]; total: number }> {
  const rows = () => db('audit_checkpoints').where({ org_id: orgId });
  const page = await rows().orderBy('size', 'desc').limit(limit).offset(offset).select(COLUMNS);
  const [counted] = await rows().count();
  return { checkpoints: page.map(toCheckpoint), total: Number(counted?.count ?? 0) };
}

/** @returns false if there is a checkpoint of this size */
export async function insertCheckpoint(db: Db, row: Checkpoint & Pick<LogTree, 'subtrees'>): Promise<boolean> {
  const inserted = await db('audit_checkpoints').insert(row).onConflict(['org_id', 'size']).ignore().returning('size');
  return inserted.length > 0;
}

/**
 * Organizations whose log does not end where their newest checkpoint does, in the order of their IDs.
 *
 * @param after the last ID of the previous batch; null for the first batch
 */
export async function listChanged(
  db: Db,
  after: string | null,
): Promise<{ org_id: string; head_seq: number; size: number }[]> {
  const { rows } = await db.raw(
    `select h.org_id, h.seq::float8 as head_seq, coalesce(c.size, 0)::float8 as size
     from audit_heads h
     left join lateral (select max(size) as size from audit_checkpoints where org_id = h.org_id) c on true
     where h.org_id > coalesce(?::uuid, '00000000-0000-0000-0000-000000000000') and h.seq <> coalesce(c.size, 0)
     order by h.org_id limit ${BATCH}`,
    [after],
  );
  return rows;
}

/** Checkpoints of all organizations without a copy in the object store, oldest first. */
export async function listUncopied(db: Db): Promise<{ org_id: string; size: number }[]> {
  const rows = db('audit_checkpoints').whereNull('copied_at').orderBy('created_at').limit(BATCH);
  return (await rows.select('org_id', 'size')).map((row) => ({ ...row, size: Number(row.size) }));
}

export async function markCopied(db: Db, { org_id, size }: { org_id: string; size: number }, at: Date): Promise<void> {
  await db('audit_checkpoints').where({ org_id, size }).update({ copied_at: at });
}

export async function findSettings(db: Db, orgId: string): Promise<CheckpointSettings> {
  const found = db('audit_checkpoint_settings').where({ org_id: orgId });
  return (await found.first('public_handle', 'webhook_config_id')) ?? NO_SETTINGS;
}

export async function saveSettings(db: Db, orgId: string, settings: CheckpointSettings, at: Date): Promise<void> {
  const row = { org_id: orgId, ...settings, updated_at: at };
  await db('audit_checkpoint_settings').insert(row).onConflict('org_id').merge();
}

/** The organization with this public address. */
export async function findOrgByHandle(db: Db, public_handle: string): Promise<string | undefined> {
  return (await db('audit_checkpoint_settings').where({ public_handle }).first('org_id'))?.org_id;
}

/** PostgreSQL returns large integers as text. */
function toCheckpoint(row: Omit<Checkpoint, 'size'> & { size: string }): Checkpoint {
  return { ...row, size: Number(row.size) };
}

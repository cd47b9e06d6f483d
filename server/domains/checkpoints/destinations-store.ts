import type { Db } from '../../db/index.ts';
import type { Destination, Target } from './types.ts';

const COLUMNS = [
  'id',
  'org_id',
  'target',
  'next_size',
  'delivered_size',
  'delivered_at',
  'last_error',
  'failed_at',
  'failures',
  'due_at',
  'created_at',
  'updated_at',
] as const;
/** The destinations that a sweep handles at once. */
const BATCH = 100;

type Kind = Target['kind'];

/** The destination with the encrypted secret key; null if it has none. */
export type SealedDestination = Destination & { secret_access_key_ct: Buffer | null };

/** In the order of their kinds. */
export async function listDestinations(db: Db, orgId: string): Promise<Destination[]> {
  const rows = await db('audit_checkpoint_destinations').where({ org_id: orgId }).orderBy('kind').select(COLUMNS);
  return rows.map(toDestination);
}

export async function findDestination(db: Db, orgId: string, kind: Kind): Promise<SealedDestination | undefined> {
  const found = db('audit_checkpoint_destinations').where({ org_id: orgId, kind });
  const row = await found.first(...COLUMNS, 'secret_access_key_ct');
  if (row === undefined) return undefined;
  const { secret_access_key_ct, ...rest } = row;
  return { ...toDestination(rest), secret_access_key_ct };
}

/** Inserts a destination, or replaces that of its kind. */
export async function saveDestination(db: Db, { target, ...rest }: SealedDestination): Promise<void> {
  const row = { ...rest, kind: target.kind, target: JSON.stringify(target) };
  await db('audit_checkpoint_destinations').insert(row).onConflict(['org_id', 'kind']).merge();
}

export async function deleteDestination(db: Db, orgId: string, kind: Kind): Promise<Target | undefined> {
  const [deleted] = await db('audit_checkpoint_destinations').where({ org_id: orgId, kind }).delete('target');
  return deleted?.target;
}

/** Destinations of all organizations with a checkpoint to deliver, the longest due first. */
export async function listDue(db: Db, now: Date): Promise<{ org_id: string; kind: Kind }[]> {
  const { rows } = await db.raw(
    `select d.org_id, d.kind from audit_checkpoint_destinations d
     join orgs o on o.id = d.org_id and o.deleted_at is null
     where d.due_at <= ?
       and exists (select from audit_checkpoints c where c.org_id = d.org_id and c.size >= d.next_size)
     order by d.due_at, d.org_id, d.kind limit ${BATCH}`,
    [now],
  );
  return rows;
}

export async function markDelivered(db: Db, destination: Destination, size: number, at: Date): Promise<void> {
  const delivered = { next_size: size + 1, delivered_size: size, delivered_at: at, due_at: at };
  await update(db, destination, { ...delivered, last_error: null, failed_at: null, failures: 0 });
}

export async function markFailed(
  db: Db,
  destination: Destination,
  { message, due_at }: { message: string; due_at: Date },
  at: Date,
): Promise<void> {
  await update(db, destination, { last_error: message, failed_at: at, failures: destination.failures + 1, due_at });
}

/** Changes nothing if the target was replaced meanwhile. */
async function update(db: Db, { org_id, id, updated_at }: Destination, changes: object): Promise<void> {
  await db('audit_checkpoint_destinations').where({ org_id, id, updated_at }).update(changes);
}

type Row = Omit<Destination, 'next_size' | 'delivered_size'> & { next_size: string; delivered_size: string | null };

/** PostgreSQL returns large integers as text. */
function toDestination({ next_size, delivered_size, ...row }: Row): Destination {
  const delivered = delivered_size === null ? null : Number(delivered_size);
  return { ...row, next_size: Number(next_size), delivered_size: delivered };
}

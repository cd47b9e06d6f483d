import { type Db, findNthNewest } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { NthNewest } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import type { Artifact, Pack, PackClaim, PackRef } from './types.ts';

const COLUMNS = [
  'id',
  'org_id',
  'status',
  'period_start',
  'period_end',
  'requested_by',
  'created_at',
  'started_at',
  'finished_at',
  'expires_at',
  'artifact_key',
  'artifact_bytes',
  'artifact_sha256',
  'error_message',
  'attempts',
] as const;
const CLAIM_COLUMNS = ['id', 'org_id', 'period_start', 'period_end', 'started_at', 'attempts'] as const;
const NO_ARTIFACT = { artifact_key: null, artifact_bytes: null, artifact_sha256: null };
/** The rows that a sweep handles at once. */
const BATCH = 100;

export type NewPack = Pick<
  Pack,
  'id' | 'org_id' | 'period_start' | 'period_end' | 'requested_by' | 'created_at' | 'expires_at'
>;

/** Also counts the request, which the limit knows after the pack was deleted. */
export async function insertPack(db: Db, pack: NewPack): Promise<Pack> {
  const { org_id, created_at } = pack;
  await db('audit_export_requests').insert({ id: newId(), org_id, created_at });
  const [row] = await db('audit_exports')
    .insert({ ...pack, queued_at: created_at })
    .returning(COLUMNS);
  return toPack(row);
}

/** When the nth newest request after `since` was made. */
export async function findNthRequest(db: Db, orgId: string, range: NthNewest): Promise<Date | undefined> {
  return findNthNewest(db('audit_export_requests').where({ org_id: orgId }), range);
}

export async function deleteRequests(db: Db, before: Date): Promise<void> {
  await db('audit_export_requests').where('created_at', '<', before).delete();
}

/** One page, newest first, and the total. */
export async function listPacks(
  db: Db,
  orgId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ packs: Pack[]; total: number }> {
  const ours = () => db('audit_exports').where({ org_id: orgId });
  const newest = [
    { column: 'created_at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ];
  const [rows, total] = await Promise.all([
    ours().orderBy(newest).limit(limit).offset(offset).select(COLUMNS),
    countRows(ours()),
  ]);
  return { packs: rows.map(toPack), total };
}

export async function findPack(db: Db, { org_id, id }: PackRef): Promise<Pack | undefined> {
  const row = await db('audit_exports').where({ org_id, id }).first(COLUMNS);
  return row && toPack(row);
}

/** @returns the key of its artifact, or null; undefined if there is no such pack */
export async function deletePack(db: Db, { org_id, id }: PackRef): Promise<string | null | undefined> {
  const [row] = await db('audit_exports').where({ org_id, id }).delete(['artifact_key']);
  return row?.artifact_key;
}

/** Claims a pack that is pending, or whose next attempt is due; undefined for all others. */
export async function claim(db: Db, { org_id, id }: PackRef, now: Date): Promise<PackClaim | undefined> {
  const [row] = await db('audit_exports')
    .where({ org_id, id })
    .where((due) => due.where({ status: 'pending' }).orWhere('retry_at', '<=', now))
    .update({
      status: 'running',
      started_at: db.raw('coalesce(started_at, ?)', [now]),
      heartbeat_at: now,
      retry_at: null,
      attempts: db.raw('attempts + 1'),
    })
    .returning(CLAIM_COLUMNS);
  return row;
}

/** Whether this worker still has the pack. */
export async function renew(db: Db, held: PackClaim, now: Date): Promise<boolean> {
  return (await whereHeld(db, held).update({ heartbeat_at: now })) === 1;
}

/** Ends a build; false if the claim was lost, so that the artifact belongs to no pack. */
export async function finish(db: Db, held: PackClaim, artifact: Artifact, now: Date): Promise<boolean> {
  return (await whereHeld(db, held).update({ ...artifact, status: 'done', finished_at: now })) === 1;
}

export async function fail(db: Db, held: PackClaim, error_message: string, now: Date): Promise<boolean> {
  return (await whereHeld(db, held).update({ status: 'error', error_message, finished_at: now })) === 1;
}

/** Gives the claim back until the next attempt. */
export async function postpone(db: Db, held: PackClaim, retry_at: Date): Promise<boolean> {
  return (await whereHeld(db, held).update({ retry_at, queued_at: retry_at })) === 1;
}

function whereHeld(db: Db, { org_id, id, attempts }: PackClaim) {
  return db('audit_exports').where({ org_id, id, attempts, status: 'running', retry_at: null });
}

/** Running packs of all organizations without a heartbeat since `before`. */
export async function listSilent(db: Db, before: Date): Promise<PackRef[]> {
  return listRefs(silent(db('audit_exports'), before));
}

/** Makes the next attempt of a silent pack due, unless it has a heartbeat again or had its last attempt. */
export async function returnSilent(
  db: Db,
  { org_id, id }: PackRef,
  { before, now, most_attempts }: { before: Date; now: Date; most_attempts: number },
): Promise<boolean> {
  const pack = silent(db('audit_exports').where({ org_id, id }), before).where('attempts', '<', most_attempts);
  return (await pack.update({ retry_at: now, queued_at: now })) === 1;
}

export async function failSilent(
  db: Db,
  { org_id, id }: PackRef,
  { before, now, error_message }: { before: Date; now: Date; error_message: string },
): Promise<boolean> {
  const pack = silent(db('audit_exports').where({ org_id, id }), before);
  return (await pack.update({ status: 'error', error_message, finished_at: now })) === 1;
}

function silent(packs: ReturnType<Db>, before: Date): ReturnType<Db> {
  return packs.where({ status: 'running', retry_at: null }).where('heartbeat_at', '<', before);
}

/** Packs that are due but were queued before then, so that their entry may be lost. */
export async function listForgotten(db: Db, before: Date): Promise<PackRef[]> {
  return listRefs(forgotten(db('audit_exports'), before));
}

/** Notes that a forgotten pack is queued again. */
export async function requeue(db: Db, { org_id, id }: PackRef, before: Date, now: Date): Promise<boolean> {
  return (await forgotten(db('audit_exports').where({ org_id, id }), before).update({ queued_at: now })) === 1;
}

function forgotten(packs: ReturnType<Db>, before: Date): ReturnType<Db> {
  return packs
    .where('queued_at', '<', before)
    .where((due) => due.where({ status: 'pending' }).orWhere('retry_at', '<', before));
}

export async function listExpired(db: Db, now: Date): Promise<PackRef[]> {
  return listRefs(db('audit_exports').where({ status: 'done' }).where('expires_at', '<=', now));
}

/** @returns the key of the artifact, which no row has from now on; undefined if the pack is not done */
export async function expire(db: Db, { org_id, id }: PackRef): Promise<string | undefined> {
  const [done] = await db('audit_exports').where({ org_id, id, status: 'done' }).forUpdate().select('artifact_key');
  if (done === undefined) return undefined;
  await db('audit_exports')
    .where({ org_id, id })
    .update({ status: 'expired', ...NO_ARTIFACT });
  return done.artifact_key;
}

/** Those of the keys that a pack of any organization has. */
export async function listArtifacts(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await db('audit_exports').whereIn('artifact_key', keys).pluck('artifact_key'));
}

function listRefs(packs: ReturnType<Db>): Promise<PackRef[]> {
  return packs.orderBy('created_at').limit(BATCH).select('org_id', 'id');
}

/** PostgreSQL returns large integers as text. */
function toPack(row: Omit<Pack, 'artifact_bytes'> & { artifact_bytes: string | null }): Pack {
  return { ...row, artifact_bytes: row.artifact_bytes === null ? null : Number(row.artifact_bytes) };
}

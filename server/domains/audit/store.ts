import type { StoredAuditRow } from '../../../engine/index.ts';
import { type Db, findNthNewest, type Knex, readCursor } from '../../db/index.ts';
import { countRows, readPage } from '../../db/paging.ts';
import type { NthNewest } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import { toEntry } from './entry.ts';
import type { AuditEntry, AuditFilter, ChainHead, EventRow, StoredEntry } from './types.ts';
import { OutOfTime } from './write-failure.ts';

const ENTRY_COLUMNS = ['id', 'actor_email', 'org_id', 'action', 'detail', 'created_at'] as const;
const LIST_ORDER = ['created_at', 'seq', 'id'] as const;
/**
 * The time as it is hashed. A time that this format cannot represent keeps its own text, which no verifier accepts:
 * `to_char` alone would drop the era and microseconds, and turn infinities into null.
 */
const CREATED_AT_TEXT = `
  case when created_at >= '0001-01-01 00:00:00+00' and created_at < '10000-01-01 00:00:00+00'
      and created_at = created_at::timestamptz(3)
    then to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    else created_at::text end`;
const CURSOR = 'audit_rows';

export interface TimeLimits {
  /**
   * Called when the connection is established: maximum duration of the statement, after which it fails with 57014 and
   * writes nothing.
   */
  left_ms: () => number;
  /**
   * Additional time after which a connection that does not respond is abandoned; the rows may be written in this case.
   */
  return_ms: number;
}

/**
 * Appends to the chains, in the given order: all rows or none, in one statement.
 *
 * @param lock_ms maximum wait for a chain that is locked by another writer, then 55P03
 */
export async function append(db: Db, rows: readonly EventRow[], lock_ms: number): Promise<void> {
  await appendStatement(db, rows, lock_ms, null);
}

/**
 * The same in its own transaction, before a deadline.
 *
 * @throws OutOfTime if the deadline passed before there was a connection
 */
export async function appendInTime(
  db: Db,
  rows: readonly EventRow[],
  lock_ms: number,
  { left_ms, return_ms }: TimeLimits,
): Promise<void> {
  const connection = await db.client.acquireConnection();
  try {
    const within_ms = Math.floor(left_ms());
    if (within_ms < 1) throw new OutOfTime('the database was not reached in time');
    const statement = appendStatement(db, rows, Math.min(lock_ms, within_ms), within_ms);
    await statement.connection(connection).timeout(within_ms + Math.ceil(return_ms));
  } finally {
    await db.client.releaseConnection(connection);
  }
}

function appendStatement(db: Db, rows: readonly EventRow[], lock_ms: number, within_ms: number | null) {
  return db.raw(
    'select count(*) from audit_append(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::timestamptz[], ?, ?)',
    [
      rows.map((row) => row.id),
      rows.map((row) => row.org_id),
      rows.map((row) => row.actor_email),
      rows.map((row) => row.action),
      rows.map((row) => row.detail_text),
      rows.map((row) => row.created_at.toISOString()),
      lock_ms,
      within_ms,
    ] as Knex.RawBinding[],
  );
}

/** Those of the ids that are in the log. */
export async function findExisting(db: Db, ids: readonly string[], give_up_ms: number): Promise<Set<string>> {
  return new Set(await db('audit_log').whereIn('id', ids).pluck('id').timeout(Math.ceil(give_up_ms)));
}

/** One page, newest first, and the total. */
export async function listEntries(
  db: Db,
  filter: AuditFilter,
  page: { limit: number; offset: number },
): Promise<{ entries: AuditEntry[]; total: number }> {
  const { rows, total } = await readPage<StoredEntry>(db, {
    matching: matching(db, filter),
    table: 'audit_log',
    order: LIST_ORDER,
    columns: ENTRY_COLUMNS,
    page,
    countTotal: () => countEntries(db, filter),
  });
  return { entries: rows.map(toEntry), total };
}

/** The head of a chain knows its number of rows; other totals are counted over an index. */
async function countEntries(db: Db, filter: AuditFilter): Promise<number> {
  const { org_id, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) {
    return countRows(matching(db, filter));
  }
  const heads = db('audit_heads');
  if (org_id !== undefined) heads.where({ org_id });
  const summed = await heads.sum<{ sum: string | null }[]>('seq as sum');
  // Capped at the contract's maximum, whatever number is in an altered head.
  return Math.min(Math.max(Number(summed[0]?.sum ?? 0), 0), Number.MAX_SAFE_INTEGER);
}

function matching(db: Db, { org_id, action, since, until }: AuditFilter) {
  const query = db('audit_log');
  if (org_id !== undefined) query.where({ org_id });
  if (action !== undefined) query.where({ action });
  if (since !== undefined) query.where('created_at', '>=', since);
  if (until !== undefined) query.where('created_at', '<', until);
  return query;
}

export async function isOrg(db: Db, orgId: string): Promise<boolean> {
  return (await db('orgs').where({ id: orgId }).first('id')) !== undefined;
}

/** Runs `read` on a consistent snapshot of the log. */
export async function inSnapshot<T>(db: Db, read: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction(read, { isolationLevel: 'repeatable read', readOnly: true });
}

/** The last row of a chain; 0 and null if it is empty. */
export async function findLast(db: Db, orgId: string | null): Promise<ChainHead> {
  const row = await chain(db, orgId).whereNotNull('seq').orderBy('seq', 'desc').first('seq', 'hash');
  return row === undefined ? { seq: 0, hash: null } : { seq: Number(row.seq), hash: row.hash };
}

/** The last appended row according to the chain's head, which is stored apart from its rows. */
export async function findHead(db: Db, orgId: string | null): Promise<ChainHead> {
  const row = await db('audit_heads').where({ org_id: orgId }).first('seq', 'hash');
  return row === undefined ? { seq: 0, hash: null } : { seq: Number(row.seq), hash: row.hash };
}

/**
 * The rows of a chain in the order of `seq`, a thousand at a time, with the next batch already requested.
 *
 * @param trx a transaction that holds the cursor
 * @param after_seq only rows with a larger number
 */
export async function* readChain(trx: Db, orgId: string | null, after_seq: number): AsyncGenerator<StoredAuditRow[]> {
  const walk = chain(trx, orgId)
    .modify((rows) => void (after_seq > 0 && rows.where('seq', '>', after_seq)))
    .orderBy('seq')
    .select('id', 'org_id', 'actor_email', 'action', 'prev_hash', 'hash', 'canon_version')
    .select(trx.raw(`seq::float8 as seq, detail::text as detail, ${CREATED_AT_TEXT} as created_at`));
  const { sql, bindings } = walk.toSQL().toNative();
  yield* readCursor<StoredAuditRow>(trx, CURSOR, sql.replaceAll(/\$\d/g, '?'), [...bindings] as (string | number)[]);
}

/**
 * All rows of all chains as JSON text, one line each; one chain after the other, the platform's last.
 *
 * @param trx a transaction that holds the cursor
 */
export async function* readLines(trx: Db): AsyncGenerator<{ line: string }[]> {
  yield* readCursor<{ line: string }>(
    trx,
    CURSOR,
    `select json_build_object(
      'id', id, 'org_id', org_id, 'seq', seq, 'actor_email', actor_email, 'action', action, 'detail', detail::text,
      'created_at', ${CREATED_AT_TEXT}, 'prev_hash', prev_hash, 'hash', hash, 'canon_version', canon_version)::text as line
    from audit_log order by org_id, seq`,
  );
}

function chain(db: Db, orgId: string | null) {
  return db('audit_log').where({ org_id: orgId });
}

export async function insertVerification(db: Db, orgId: string, now: Date): Promise<void> {
  await db('audit_verifications').insert({ id: newId(), org_id: orgId, created_at: now });
}

/** When the nth newest verification of an organization after `since` was requested; undefined if there were fewer. */
export async function findNthVerification(db: Db, orgId: string, range: NthNewest): Promise<Date | undefined> {
  return findNthNewest(db('audit_verifications').where({ org_id: orgId }), range);
}

export async function deleteVerifications(db: Db, before: Date): Promise<void> {
  await db('audit_verifications').where('created_at', '<', before).delete();
}

/** The heads of all chains with rows, the platform's first, and whether the log contains each head. */
export async function listHeads(
  db: Db,
): Promise<{ org_id: string | null; head_seq: number; head_hash: string; in_log: boolean }[]> {
  const { rows } = await db.raw(`
    select h.org_id, h.seq::float8 as head_seq, h.hash as head_hash, exists (
      select from audit_log l where l.org_id = h.org_id and l.seq = h.seq and l.hash = h.hash
      union all
      select from audit_log l where h.org_id is null and l.org_id is null and l.seq = h.seq and l.hash = h.hash
    ) as in_log
    from audit_heads h where h.seq > 0 order by h.org_id nulls first`);
  return rows;
}

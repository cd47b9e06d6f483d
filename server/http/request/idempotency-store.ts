import type { Db, Knex } from '../../db/index.ts';
import type { Attempt, Claim, IdempotencyStore, StoredAnswer } from '../ports.ts';

const KEEP_MS = 24 * 60 * 60 * 1000;
/**
 * How long a process that dies during a request holds its key. A slow process loses it as well, and then cannot commit.
 */
const LOCK_MS = 5_000;

interface Row {
  id: string;
  body_sha256: string;
  status: 'running' | 'done';
  response_status: number;
  response_headers: Record<string, string>;
  response_body: string;
}

/** Stores responses in the table `idempotency_keys`, shared by all processes. */
export function createIdempotencyStore(db: Knex, now: () => Date = () => new Date()): IdempotencyStore {
  return {
    async claim(attempt) {
      const id = await insertOrTakeOver(db, attempt, now());
      if (id !== undefined) return { state: 'claimed', id };
      const row = await findRow(db, attempt);
      // Released between the two statements: its holder failed, so this request can be asked to retry.
      if (row === undefined) return { state: 'running' };
      return toClaim(row, attempt);
    },

    renew_every_ms: LOCK_MS / 3,

    async renew(id) {
      await db('idempotency_keys')
        .where({ id, status: 'running' })
        .update({ locked_until: lockedUntil(now()) });
    },

    keep,

    async keepRefusal(id, answer) {
      await keep(db, id, answer);
    },

    async release(id) {
      await db('idempotency_keys').where({ id, status: 'running' }).delete();
    },
  };
}

/**
 * Whether the claim still existed. The caller's role works in one organization and cannot write other columns of the
 * table.
 */
async function keep(db: Db, id: string, { status, headers, body }: StoredAnswer): Promise<boolean> {
  const { rows } = await db.raw('select keep_answer(?, ?, ?, ?) as kept', [id, status, JSON.stringify(headers), body]);
  return rows[0].kept;
}

/** Deletes responses older than 24 hours. @returns their number */
export async function deleteExpiredAnswers(db: Knex, now: Date): Promise<number> {
  return db('idempotency_keys')
    .where('created_at', '<', new Date(now.getTime() - KEEP_MS))
    .delete();
}

/** A single statement, so that exactly one of any number of concurrent requests gets the key. */
async function insertOrTakeOver(db: Knex, attempt: Attempt, now: Date): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `insert into idempotency_keys as held
       (org_id, credential_id, method, path, key, body_sha256, status, locked_until, created_at)
     values (:org_id, :credential_id, :method, :path, :key, :body_sha256, 'running', :locked_until, :now)
     on conflict on constraint idempotency_keys_request_key do update
       set id = gen_random_uuid(), body_sha256 = excluded.body_sha256, status = 'running', response_status = null,
           response_headers = null, response_body = null, locked_until = excluded.locked_until,
           created_at = excluded.created_at
       where held.created_at < :expired
          or (held.status = 'running' and held.locked_until < :now and held.body_sha256 = excluded.body_sha256)
     returning held.id`,
    { ...attempt, locked_until: lockedUntil(now), now, expired: new Date(now.getTime() - KEEP_MS) },
  );
  return rows[0]?.id;
}

function lockedUntil(now: Date): Date {
  return new Date(now.getTime() + LOCK_MS);
}

function findRow(db: Knex, { org_id, credential_id, method, path, key }: Attempt): Promise<Row | undefined> {
  return db('idempotency_keys')
    .where({ credential_id, method, path, key })
    .whereRaw('org_id is not distinct from ?', [org_id])
    .first(['id', 'body_sha256', 'status', 'response_status', 'response_headers', 'response_body']);
}

function toClaim(row: Row, attempt: Attempt): Claim {
  if (row.body_sha256 !== attempt.body_sha256) return { state: 'other_body' };
  if (row.status === 'running') return { state: 'running' };
  const answer: StoredAnswer = { status: row.response_status, headers: row.response_headers, body: row.response_body };
  return { state: 'replay', answer };
}

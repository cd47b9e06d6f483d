import type { Knex } from 'knex';
import { masterKeyId } from '../lib/seal.ts';
import type { Db } from './types.ts';

const TABLE = 'master_keys_in_use';

/** Ids of the master keys with which the database holds sealed records, oldest first; empty when it holds none. */
export async function listKeysInUse(db: Db): Promise<string[]> {
  return db(TABLE).orderBy(['created_at', 'key_id']).pluck('key_id');
}

/**
 * Notes that records are going to be sealed with the first of these keys, unless the database holds records that none of
 * them opens. Processes that start together take turns, so that the first key of an empty database is one key.
 *
 * @returns the ids of the keys that are missing, oldest first; empty when the first key was noted
 */
export async function noteKeyInUse(db: Knex, masterKeys: readonly Uint8Array[]): Promise<string[]> {
  const given = masterKeys.map(masterKeyId);
  return db.transaction(async (trx) => {
    await trx.raw('lock table ?? in share row exclusive mode', [TABLE]);
    const missing = (await listKeysInUse(trx)).filter((id) => !given.includes(id));
    if (missing.length === 0) await trx(TABLE).insert({ key_id: given[0] }).onConflict('key_id').ignore();
    return missing;
  });
}

/** Notes that every sealed record opens with this key, so that the others may be taken away. */
export async function replaceKeysInUse(db: Knex, masterKey: Uint8Array): Promise<void> {
  const key_id = masterKeyId(masterKey);
  await db.transaction(async (trx) => {
    await trx(TABLE).insert({ key_id }).onConflict('key_id').ignore();
    await trx(TABLE).whereNot({ key_id }).delete();
  });
}

import type { Knex } from 'knex';
import { masterKeyId } from '../lib/seal.ts';
import type { Db } from './types.ts';

const TABLE = 'master_keys_in_use';

/** Ids of the master keys that encrypted records of the database, oldest first; empty if there are none. */
export async function listKeysInUse(db: Db): Promise<string[]> {
  return db(TABLE).orderBy(['created_at', 'key_id']).pluck('key_id');
}

/**
 * Records that the first of these keys will encrypt, unless the database contains records that none of the keys
 * decrypts. Processes that start concurrently are serialized, so an empty database gets exactly one first key.
 *
 * @returns the ids of the missing keys, oldest first; empty if the first key was recorded
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

/** Records that this key decrypts every record, so that the others can be removed. */
export async function replaceKeysInUse(db: Knex, masterKey: Uint8Array): Promise<void> {
  const key_id = masterKeyId(masterKey);
  await db.transaction(async (trx) => {
    await trx(TABLE).insert({ key_id }).onConflict('key_id').ignore();
    await trx(TABLE).whereNot({ key_id }).delete();
  });
}

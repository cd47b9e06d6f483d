import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from './db/index.ts';
import { listKeysInUse, noteKeyInUse } from './db/master-keys.ts';
import { errorCode } from './lib/error-code.ts';
import { readOrCreatePrivateFile } from './lib/private-file.ts';
import { masterKeyId } from './lib/seal.ts';

interface KeySettings {
  /** null = the key of the data folder. */
  master_keys: readonly Uint8Array[] | null;
  data_dir: string;
}

const FILE = 'master-key';
const KEY_BYTES = 32;

/**
 * The configured master keys, the encrypting one first; otherwise the key in the file of the data folder.
 *
 * @returns undefined if nothing is configured and there is no file
 * @throws Error if the file contains no key
 */
export async function findMasterKeys(settings: KeySettings): Promise<readonly Uint8Array[] | undefined> {
  if (settings.master_keys !== null) return settings.master_keys;
  const path = keyPath(settings);
  try {
    return [parseKey(await readFile(path, 'utf8'), path)];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The master keys for this database, the encrypting one first. A key is created, in the file of the data folder, only
 * for a database without encrypted records.
 *
 * @throws Error if the database has records that these keys do not decrypt; the message says what to do
 * @see docs/adr/0024-the-database-names-its-master-keys.md
 */
export async function openMasterKeys(db: Knex, settings: KeySettings): Promise<readonly Uint8Array[]> {
  const keys = (await findMasterKeys(settings)) ?? [await makeFirstKey(db, settings)];
  const missing = await noteKeyInUse(db, keys);
  if (missing.length > 0) throw new Error(wrongKeys(missing, keys, settings));
  return keys;
}

async function makeFirstKey(db: Knex, settings: KeySettings): Promise<Uint8Array> {
  const path = keyPath(settings);
  const in_use = await listKeysInUse(db);
  if (in_use.length > 0) throw new Error(missingFile(in_use, path));
  return parseKey(await readOrCreatePrivateFile(path, () => randomBytes(KEY_BYTES).toString('base64')), path);
}

function keyPath({ data_dir }: KeySettings): string {
  return join(data_dir, FILE);
}

function parseKey(text: string, path: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new Error(
    `${path} does not contain a master key, which is ${KEY_BYTES} bytes in base64; restore it from a backup`,
  );
}

const SEE = 'see "The master key" in docs/operating.md';

function missingFile(in_use: readonly string[], path: string): string {
  return (
    `the master key is missing: the database has records encrypted with the key ${in_use.join(' and ')}, but there is no ` +
    `file ${path}; restore the file from a backup, or set MASTER_KEY to the key; ${SEE}`
  );
}

function wrongKeys(missing: readonly string[], keys: readonly Uint8Array[], settings: KeySettings): string {
  const needed = `the database has records encrypted with the master key ${missing.join(' and ')}`;
  const given = keys.map(masterKeyId).join(' and ');
  if (settings.master_keys !== null) {
    return `${needed}, but MASTER_KEY contains ${given}; add the missing key after a comma: the first key encrypts, all keys decrypt; ${SEE}`;
  }
  return (
    `${needed}, but the file ${keyPath(settings)} contains ${given}; restore the file from a backup, or set MASTER_KEY to ` +
    `both keys, separated by a comma: the first key encrypts, all keys decrypt; ${SEE}`
  );
}

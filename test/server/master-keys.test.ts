import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { loadConfig } from '../../server/config/index.ts';
import { MIGRATIONS } from '../../server/db/migrations.ts';
import { createSealer, masterKeyId } from '../../server/lib/seal.ts';
import { openMasterKeys } from '../../server/master-keys.ts';
import { openStores } from '../../server/stores.ts';
import { runCli } from '../cli/run.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { makeOrg } from '../helpers/people.ts';

const MIGRATION = MIGRATIONS.find(({ name }) => name === '20261122T0910_master_keys_in_use')?.up ?? '';
const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

let database: TestDatabase;
let data_dir: string;
beforeEach(async () => {
  [database, data_dir] = await Promise.all([openTestDatabase(), mkdtemp(join(tmpdir(), 'dpa-keys-'))]);
});
afterEach(async () => {
  await database.close();
  await rm(data_dir, { recursive: true });
});

const open = (...keys: Uint8Array[]) =>
  openMasterKeys(database.platform_db, { data_dir, master_keys: keys.length === 0 ? null : keys });
const keysInUse = () => database.admin_db('master_keys_in_use').orderBy('created_at').pluck('key_id');
const keyFile = () => join(data_dir, 'master-key');

async function makeSealedOrg(key: Uint8Array): Promise<string> {
  const id = await makeOrg(database.admin_db);
  const noise_key_ct = createSealer([key]).seal(Buffer.from('key'), `orgs.noise_key_ct|${id}`);
  await database.admin_db('orgs').where({ id }).update({ noise_key_ct });
  return id;
}

describe('the master key of the data folder', () => {
  test('a key is created for an empty database, and reused at the next start', async () => {
    const [first] = await open();
    const [again] = await open();

    expect(again).toEqual(first);
    expect(await readFile(keyFile(), 'utf8')).toBe(Buffer.from(first ?? []).toString('base64'));
    expect(await keysInUse()).toEqual([masterKeyId(first ?? OLD)]);
  });

  test('a missing key is not replaced: the start fails and no file is created', async () => {
    const [first = OLD] = await open();
    await rm(keyFile());

    await expect(open()).rejects.toThrow(
      `the master key is missing: the database has records encrypted with the key ${masterKeyId(first)}, but there is ` +
        `no file ${keyFile()}; restore the file from a backup, or set MASTER_KEY to the key`,
    );
    expect(existsSync(keyFile())).toBe(false);
  });

  test('a different key is rejected, and works again next to the old one in MASTER_KEY', async () => {
    await open(OLD);
    await writeFile(keyFile(), NEW.toString('base64'));

    await expect(open()).rejects.toThrow(`but the file ${keyFile()} contains ${masterKeyId(NEW)}; restore the file`);
    expect(await open(NEW, OLD)).toEqual([NEW, OLD]);
  });

  test('a truncated key is reported', async () => {
    await writeFile(keyFile(), NEW.toString('base64').slice(0, 20));

    await expect(open()).rejects.toThrow(`${keyFile()} does not contain a master key`);
  });
});

describe('MASTER_KEY', () => {
  test('MASTER_KEY must contain every key that encrypted records of the database', async () => {
    await open(OLD);
    await open(OLD, NEW);
    expect(await keysInUse()).toEqual([masterKeyId(OLD)]);
    await open(NEW, OLD);

    await expect(open(NEW)).rejects.toThrow(
      `encrypted with the master key ${masterKeyId(OLD)}, but MASTER_KEY contains ${masterKeyId(NEW)}; add the missing key`,
    );
    await expect(open(OLD)).rejects.toThrow(`encrypted with the master key ${masterKeyId(NEW)}`);
  });

  test('after dpa keys rotate the new key is enough, and the old one alone no longer works', async () => {
    await open(OLD);
    const id = await makeSealedOrg(OLD);
    await open(NEW, OLD);

    const MASTER_KEY = [NEW, OLD].map((key) => key.toString('base64')).join(',');
    const rotated = await runCli(['keys', 'rotate'], { env: { DATABASE_URL: database.url, MASTER_KEY } });

    expect(rotated).toMatchObject({ code: 0 });
    expect(await open(NEW)).toEqual([NEW]);
    await expect(open(OLD)).rejects.toThrow(`encrypted with the master key ${masterKeyId(NEW)}`);
    const { noise_key_ct } = await database.admin_db('orgs').where({ id }).first('noise_key_ct');
    expect(createSealer([NEW]).open(noise_key_ct, `orgs.noise_key_ct|${id}`).toString()).toBe('key');
  });

  test('the old key is still required while a record cannot be decrypted', async () => {
    await open(OLD);
    await makeSealedOrg(randomBytes(32));
    await open(NEW, OLD);

    const MASTER_KEY = [NEW, OLD].map((key) => key.toString('base64')).join(',');
    const rotated = await runCli(['keys', 'rotate'], { env: { DATABASE_URL: database.url, MASTER_KEY } });

    expect(rotated).toMatchObject({ code: 2 });
    await expect(open(NEW)).rejects.toThrow(`encrypted with the master key ${masterKeyId(OLD)}`);
  });
});

test('of many processes with different keys, one gives an empty database its key', async () => {
  const keys = Array.from({ length: 8 }, () => randomBytes(32));

  const opened = await Promise.allSettled(keys.map((key) => open(key)));

  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await keysInUse()).toHaveLength(1);
});

test('many processes that share a data folder serve an empty database with one key', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, () => open()));

  expect(new Set(opened.map(([key]) => masterKeyId(key ?? OLD))).size).toBe(1);
});

test('a database from before key tracking finds its keys in its records', async () => {
  await makeSealedOrg(OLD);
  await makeSealedOrg(OLD);
  await makeOrg(database.admin_db);
  await database.admin('drop table master_keys_in_use');
  await database.admin(`set role app_migrator; ${MIGRATION}`);

  expect(await keysInUse()).toEqual([masterKeyId(OLD)]);
  await expect(open()).rejects.toThrow('the master key is missing');
  await expect(open(NEW)).rejects.toThrow('MASTER_KEY contains');
  await expect(open(OLD)).resolves.toEqual([OLD]);
  expect(
    (
      await database.admin_db.raw(`select count(*)::int as n from pg_class where relforcerowsecurity
    and relname in ('orgs', 'llm_configs', 'webhook_configs', 'webhook_deliveries', 'scm_installations')`)
    ).rows,
  ).toEqual([{ n: 5 }]);
});

test('a service does not start with a key that cannot decrypt its database', async () => {
  await open(OLD);
  const config = loadConfig({ DATABASE_URL: database.url, DATA_DIR: data_dir, MASTER_KEY: NEW.toString('base64') });

  await expect(openStores(config, pino({ level: 'silent' }))).rejects.toThrow('add the missing key after a comma');
});

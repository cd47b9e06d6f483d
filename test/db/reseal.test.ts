import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { reseal } from '../../server/db/index.ts';
import { SEALED_ACCOUNTS } from '../../server/domains/llm/index.ts';
import { SEALED_NOISE_KEYS } from '../../server/domains/orgs/index.ts';
import { SEALED_WEBHOOKS } from '../../server/domains/webhooks/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createSealer } from '../../server/lib/seal.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { makeOrg, makeUser } from '../helpers/people.ts';

const [NEW_KEY, OLD_KEY, LOST_KEY] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const old = createSealer([OLD_KEY]);
const both = { sealer: createSealer([NEW_KEY, OLD_KEY]), masterKeys: [NEW_KEY, OLD_KEY] };
const alone = createSealer([NEW_KEY]);

let database: TestDatabase;
let orgs: string[];
beforeAll(async () => {
  database = await openTestDatabase();
  orgs = await Promise.all(Array.from({ length: 450 }, () => makeOrg(database.admin_db)));
  for (const id of orgs) {
    const noise_key_ct = old.seal(Buffer.from(id), `orgs.noise_key_ct|${id}`);
    await database.admin_db('orgs').where({ id }).update({ noise_key_ct });
  }
});
afterAll(() => database.close());

async function noiseKeys(): Promise<{ id: string; noise_key_ct: Buffer }[]> {
  return database.admin_db('orgs').select('id', 'noise_key_ct');
}

describe('encrypted keys of organizations', () => {
  test('after a rotation over several batches, every record can be decrypted with the new key alone', async () => {
    const { resealed, unreadable } = await reseal({ ...database, ...both }, SEALED_NOISE_KEYS);

    expect([resealed, unreadable]).toEqual([450, []]);
    for (const { id, noise_key_ct } of await noiseKeys()) {
      expect(alone.open(noise_key_ct, `orgs.noise_key_ct|${id}`).toString()).toBe(id);
    }
  });

  test('a second rotation leaves them unchanged', async () => {
    const before = await noiseKeys();

    expect(await reseal({ ...database, ...both }, SEALED_NOISE_KEYS)).toMatchObject({ resealed: 0, unreadable: [] });
    expect(await noiseKeys()).toEqual(before);
  });

  test('records that no key decrypts are reported and kept, and do not stop the rotation', async () => {
    const [lost, altered, good] = orgs as [string, string, string];
    const sealers = { [lost]: createSealer([LOST_KEY]), [good]: old };
    for (const [id, sealer] of Object.entries(sealers)) {
      const noise_key_ct = sealer.seal(Buffer.from(id), `orgs.noise_key_ct|${id}`);
      await database.admin_db('orgs').where({ id }).update({ noise_key_ct });
    }
    const elsewhere = old.seal(Buffer.from(altered), `orgs.noise_key_ct|${good}`);
    await database.admin_db('orgs').where({ id: altered }).update({ noise_key_ct: elsewhere });

    const { resealed, unreadable } = await reseal({ ...database, ...both }, SEALED_NOISE_KEYS);

    expect(resealed).toBe(1);
    expect(new Map(unreadable.map(({ org_id, reason }) => [org_id, reason]))).toEqual(
      new Map([
        [lost, 'key_unavailable'],
        [altered, 'decrypt_failed'],
      ]),
    );
    expect((await database.admin_db('orgs').where({ id: altered }).first()).noise_key_ct).toEqual(elsewhere);
  });
});

test('an account that is set during a rotation keeps its new value', async () => {
  const [org_id] = orgs as [string];
  const aad = `llm_configs.config_ct|${org_id}|openai`;
  const at = new Date();
  const row = { org_id, provider: 'openai', created_at: at, updated_at: at };
  await database.admin_db('llm_configs').insert({ ...row, config_ct: old.seal(Buffer.from('old'), aad) });
  const newer = old.seal(Buffer.from('newer'), aad);
  const writer = await database.admin_db.transaction();
  await writer('llm_configs').where({ org_id }).update({ config_ct: newer });

  const rotation = reseal({ ...database, ...both }, SEALED_ACCOUNTS);
  await someoneWaits(database);
  await writer.commit();

  expect((await rotation).resealed).toBe(0);
  const { config_ct } = await database.admin_db('llm_configs').where({ org_id }).first();
  expect(config_ct).toEqual(newer);
  expect((await reseal({ ...database, ...both }, SEALED_ACCOUNTS)).resealed).toBe(1);
});

test('each of several records of an organization is rotated; damaged and deleted ones do not stop the rotation', async () => {
  const { admin_db } = database;
  const { user } = await makeUser(admin_db);
  const org_id = await makeOrg(admin_db);
  await admin_db('orgs')
    .where({ id: org_id })
    .update({ noise_key_ct: old.seal(Buffer.of(1), `orgs.noise_key_ct|${org_id}`) });
  const ids = [newId(), newId(), newId(), newId()];
  const [lost, wiped] = ids;
  for (const id of ids) {
    const aad = `webhook_configs.secret_ct|${org_id}|${id}`;
    const sealed = (id === lost ? createSealer([LOST_KEY]) : old).seal(Buffer.from(id), aad);
    const at = new Date();
    const row = {
      id,
      org_id,
      provider: 'generic',
      provider_base_url: `https://x.example/${id}`,
      secret_prefix: 'whsec_',
    };
    const secret_ct = id === wiped ? Buffer.alloc(0) : sealed;
    await admin_db('webhook_configs').insert({
      ...row,
      secret_ct,
      created_by: user.id,
      created_at: at,
      updated_at: at,
    });
  }

  const [secrets] = SEALED_WEBHOOKS;
  const { resealed, unreadable } = await reseal({ ...database, ...both }, secrets!);

  expect([resealed, unreadable]).toEqual([2, [{ org_id, reason: 'key_unavailable' }]]);
  for (const id of ids.slice(2)) {
    const { secret_ct } = await admin_db('webhook_configs').where({ id }).first();
    expect(alone.open(secret_ct, `webhook_configs.secret_ct|${org_id}|${id}`).toString()).toBe(id);
  }
});

/** Resolves when a statement of this database waits for a lock. */
async function someoneWaits({ admin_db }: TestDatabase): Promise<void> {
  for (;;) {
    const { rows } = await admin_db.raw(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
}

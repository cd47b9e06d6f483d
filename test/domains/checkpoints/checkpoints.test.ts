/** Signed checkpoints of audit logs in a real database. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMerkleTree, openCheckpoint, parseVerifierKey, toLeaf } from '../../../engine/index.ts';
import { openDatabase, openOrgDatabase } from '../../../server/db/index.ts';
import { createVerifier } from '../../../server/domains/audit/verify-service.ts';
import { createCheckpoints } from '../../../server/domains/checkpoints/index.ts';
import { StorageUnavailable } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createLogger } from '../../../server/log.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';

const [key, other_key] = [1, 2].map(() => generateKeyPairSync('ed25519').privateKey);
const START = new Date('2026-03-01T00:00:00.000Z');

/** destinations.test.ts has the tests of them. */
const NO_DESTINATIONS = {
  sealer: { seal: () => Buffer.alloc(0), open: () => Buffer.alloc(0) },
  buckets: { findRefusedName: () => undefined, open: rejectCall },
  commitOnce: rejectCall,
  openAccount: rejectCall,
  findRepository: rejectCall,
  assertPublicUrl: () => {},
};

function rejectCall(): never {
  throw new Error('there is no destination');
}

let database: TestDatabase;
let close: () => Promise<unknown>;
let user: Principal;
let org_id: string;
let checkpoints: ReturnType<typeof startCheckpoints>;
let store_is_down = false;
const errors: string[] = [];
const sent: { size: number; webhook_config_id: string }[] = [];
const copies = new Map<string, { text: string; locked_until: Date | undefined }>();
const audited: { action: string; detail: unknown }[] = [];
let databases: { db: ReturnType<typeof openOrgDatabase>['db']; platform_db: ReturnType<typeof openDatabase>['db'] };

beforeAll(async () => {
  database = await openTestDatabase();
  const log = createLogger({ log_level: 'silent' });
  const tenants = openOrgDatabase({ url: database.url, max: 3, log });
  const platform = openDatabase({ url: database.url, max: 2, log });
  databases = { db: tenants.db, platform_db: platform.db };
  close = () => Promise.all([tenants.close(), platform.close()]);
  user = await makeUser(database.admin_db, 'ana@example.com');
  checkpoints = startCheckpoints();
});
afterAll(async () => {
  await close();
  await database.close();
});
beforeEach(async () => {
  org_id = await makeOrg(database.admin_db, { owner: user, plan: 'enterprise' });
  store_is_down = false;
  for (const list of [errors, sent, audited]) list.splice(0);
  copies.clear();
});

function startCheckpoints({ keys = [key!], signs = true, lock_days = 0 } = {}) {
  return createCheckpoints({
    ...databases,
    signing: signs ? { origin: 'dpa.example.com/audit', keys } : null,
    lock_days,
    walkChain: createVerifier({ ...databases, sweep_db: databases.platform_db, now: () => START }).walkChain,
    sendCheckpoint: async (_trx, { size }, webhook_config_id) => void sent.push({ size, webhook_config_id }),
    isServer: async (_org_id, id) => id !== 'a-repository',
    audit: { record: async ({ action, detail }) => void audited.push({ action, detail }) },
    blobs: {
      async put(name, bytes, options) {
        if (store_is_down) throw new StorageUnavailable('the bucket is gone');
        copies.set(name, { text: Buffer.from(bytes).toString(), locked_until: options?.locked_until });
      },
    },
    log: { warn: () => {}, error: (_fields: unknown, message?: string) => void errors.push(message ?? '') },
    now: () => START,
    ...NO_DESTINATIONS,
  });
}

async function append(count: number): Promise<void> {
  await database.platform_db.raw(
    `select count(*) from audit_append(array(select gen_random_uuid() from generate_series(1, :count::int)),
       array_fill(:org_id::uuid, array[:count::int]), array_fill('ana@example.com'::text, array[:count::int]),
       array_fill('org.created'::text, array[:count::int]), array_fill('{}'::text, array[:count::int]),
       array_fill(now(), array[:count::int]))`,
    { count, org_id },
  );
}

/** Rows of the log cannot be changed by anyone but a superuser who disables the trigger. */
async function tamper(sql: string): Promise<void> {
  await database.admin_db.raw('alter table audit_log disable trigger all');
  await database.admin_db.raw(sql, { org_id });
  await database.admin_db.raw('alter table audit_log enable trigger all');
}

const list = async () => (await checkpoints.list(org_id, { limit: 50, offset: 0 })).checkpoints;
const sizes = async () => (await list()).map(({ size }) => size);
const verifier = () => checkpoints.signer!.verifierKeys(org_id).map(parseVerifierKey);

async function computeLogRoot(): Promise<string> {
  const tree = createMerkleTree();
  for (const hash of await database.admin_db('audit_log').where({ org_id }).orderBy('seq').pluck('hash')) {
    tree.add(toLeaf(hash));
  }
  return tree.root();
}

describe('each hour', () => {
  test('the log is signed if it has grown, and only then', async () => {
    await append(3);
    await checkpoints.creation.createDue();
    await checkpoints.creation.createDue();
    await append(2);
    await checkpoints.creation.createDue();

    const found = await list();
    expect(found.map(({ size }) => size)).toEqual([5, 3]);
    expect(openCheckpoint(found[0]!.note, verifier())).toMatchObject({ org_id, size: 5, root: await computeLogRoot() });
    expect(errors).toEqual([]);
  });

  test('nothing is signed without a key', async () => {
    await append(1);
    await startCheckpoints({ signs: false }).creation.createDue();

    expect(await sizes()).toEqual([]);
  });

  test('a broken log is not signed, and does not keep others from being signed', async () => {
    await append(3);
    const broken = org_id;
    await tamper(`update audit_log set action = 'x' where org_id = :org_id and seq = 2`);
    org_id = await makeOrg(database.admin_db, { owner: user, plan: 'enterprise' });
    await append(1);
    await checkpoints.creation.createDue();

    expect(await sizes()).toEqual([1]);
    org_id = broken;
    expect(await sizes()).toEqual([]);
    expect(errors).toContain('a broken audit log is not signed');
  });

  test('a log that is shorter than its checkpoint is an error, and is not signed', async () => {
    await append(3);
    await checkpoints.creation.createDue();
    await database
      .admin_db('audit_heads')
      .where({ org_id })
      .update({ seq: 2, hash: '0'.repeat(64) });
    await checkpoints.creation.createDue();

    expect(await sizes()).toEqual([3]);
    expect(errors).toContainEqual(expect.stringContaining('contradicts a checkpoint'));
  });

  test('a stored tree that is not the signed one is not continued: the whole log is read', async () => {
    await append(3);
    await checkpoints.creation.createDue();
    await database
      .admin_db('audit_checkpoints')
      .where({ org_id })
      .update({ subtrees: ['1'.repeat(64), '2'.repeat(64)] });
    await append(1);
    await checkpoints.creation.createDue();

    expect((await list())[0]).toMatchObject({ size: 4, root_hash: await computeLogRoot() });
  });

  test('a log that was rewritten since is not signed, also with another key', async () => {
    await append(3);
    await checkpoints.creation.createDue();
    await database
      .admin_db('audit_checkpoints')
      .where({ org_id })
      .update({ root_hash: '1'.repeat(64) });
    await append(1);
    await startCheckpoints({ keys: [other_key!] }).creation.createDue();

    expect(await sizes()).toEqual([3]);
    expect(errors).toContainEqual(expect.stringContaining('contradicts a checkpoint'));
  });

  test('another key signs the same tree', async () => {
    await append(3);
    await checkpoints.creation.createDue();
    await append(1);
    const replaced = startCheckpoints({ keys: [other_key!] });
    await replaced.creation.createDue();

    const keys = replaced.signer!.verifierKeys(org_id).map(parseVerifierKey);
    expect(openCheckpoint((await list())[0]!.note, keys)).toMatchObject({ size: 4, root: await computeLogRoot() });
  });
});

describe('a checkpoint', () => {
  test('is sent to the server that the organization chose', async () => {
    const webhook_config_id = newId();
    const rest = { secret_prefix: 'x', secret_ct: Buffer.alloc(1), created_by: user.user.id };
    const at = { created_at: START, updated_at: START };
    const server = { provider: 'generic', provider_base_url: 'https://example.com' };
    await database.admin_db('webhook_configs').insert({ id: webhook_config_id, org_id, ...server, ...rest, ...at });
    await checkpoints.settings.put(user, org_id, { is_public: false, webhook_config_id });
    await append(2);
    await checkpoints.creation.createDue();

    expect(sent).toEqual([{ size: 2, webhook_config_id }]);
    expect(audited).toEqual([{ action: 'checkpoint_settings.updated', detail: { public: false, webhook_config_id } }]);
  });

  test('is copied to the object store, locked, after the store is back', async () => {
    const locked = startCheckpoints({ lock_days: 365 });
    await append(2);
    await locked.creation.createDue();
    store_is_down = true;
    await expect(locked.copies.copyDue()).rejects.toThrow('the bucket is gone');
    store_is_down = false;
    await locked.copies.copyDue();

    const copy = copies.get(`audit-checkpoints/${org_id}/2.txt`);
    expect(copy).toEqual({ text: (await list())[0]!.note, locked_until: new Date('2027-03-01T00:00:00.000Z') });
    copies.clear();
    await locked.copies.copyDue();
    expect(copies.size).toBe(0);
  });

  test('is public only under an address that changes when it was turned off', async () => {
    await append(2);
    await checkpoints.creation.createDue();
    const on = { is_public: true, webhook_config_id: null };
    const { public_handle } = await checkpoints.settings.put(user, org_id, on);
    const again = await checkpoints.settings.put(user, org_id, on);
    const [{ note } = { note: '' }] = await list();

    expect(public_handle).toMatch(/^[0-9a-f]{48}$/);
    expect(again.public_handle).toBe(public_handle);
    expect(await checkpoints.getPublic(public_handle!, undefined)).toMatchObject({ note });
    expect(await checkpoints.getPublic(public_handle!, 2)).toMatchObject({ note });
    await expect(checkpoints.getPublic(public_handle!, 1)).rejects.toThrow('not found');
    expect(await checkpoints.getPublicKeys(public_handle!)).toEqual(checkpoints.signer!.verifierKeys(org_id));
    await checkpoints.settings.put(user, org_id, { ...on, is_public: false });
    await expect(checkpoints.getPublic(public_handle!, undefined)).rejects.toThrow('not found');
    expect((await checkpoints.settings.put(user, org_id, on)).public_handle).not.toBe(public_handle);
    expect(audited).toHaveLength(3);
  });

  test('is not sent to a repository', async () => {
    const settings = { is_public: false, webhook_config_id: 'a-repository' };

    await expect(checkpoints.settings.put(user, org_id, settings)).rejects.toThrow('must be that of a server');
  });
});

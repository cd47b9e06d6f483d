/** Delivery of checkpoints to a bucket and to a repository, with real adapters and fake servers. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readCheckpoint } from '../../../cli/src/commands/audit-checkpoint.ts';
import { createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import { createLockedBuckets } from '../../../server/adapters/locked-bucket/index.ts';
import { createCommitOnce } from '../../../server/adapters/scm/files/index.ts';
import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer, openDatabase, openOrgDatabase } from '../../../server/db/index.ts';
import { createVerifier } from '../../../server/domains/audit/verify-service.ts';
import * as store from '../../../server/domains/checkpoints/destinations-store.ts';
import { type Checkpoints, createCheckpoints } from '../../../server/domains/checkpoints/index.ts';
import { NotFound } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { createLogger } from '../../../server/log.ts';
import { startGithubServer } from '../../fakes/github-server.ts';
import { type FakeLockedBucket, startLockedBucket } from '../../fakes/locked-bucket.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';

const START = new Date('2026-03-01T00:00:00.000Z');
const MINUTE_MS = 60_000;
const SECRET = 'canary-of-the-secret-key';
const KEY_ID = 'AKIAIOSFODNN7EXAMPLE';
const CONFIG_ID = newId();

let database: TestDatabase;
let close: () => Promise<unknown>;
let user: Principal;
let org_id: string;
let github: Awaited<ReturnType<typeof startGithubServer>>;
let repo: ReturnType<typeof github.addRepo>;
let api_token: string;
let bucket: FakeLockedBucket;
let checkpoints: Checkpoints;
let now = START;
const audited: { action: string; detail: unknown }[] = [];
const problems: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  const log = createLogger({ log_level: 'silent' });
  const tenants = openOrgDatabase({ url: database.url, max: 3, log });
  const platform = openDatabase({ url: database.url, max: 2, log });
  close = () => Promise.all([tenants.close(), platform.close()]);
  user = await makeUser(database.admin_db, 'ana@example.com');
  github = await startGithubServer();
  bucket = await startLockedBucket();
  const databases = { db: tenants.db, platform_db: platform.db };
  const allowed_hosts = [github.url, bucket.url].map((url) => new URL(url).host);
  const fetch = createGuardedFetch({ allowed_hosts, resolve: async () => ['127.0.0.1'] });
  checkpoints = createCheckpoints({
    ...databases,
    signing: { origin: 'dpa.example.com/audit', keys: [generateKeyPairSync('ed25519').privateKey] },
    lock_days: 0,
    walkChain: createVerifier({ ...databases, sweep_db: platform.db, now: () => now }).walkChain,
    sendCheckpoint: async () => {},
    isServer: async () => true,
    blobs: { put: async () => {} },
    sealer: createColumnSealer(createSealer([Buffer.alloc(32, 7)]), SEALED_COLUMNS),
    buckets: createLockedBuckets({
      fetch,
      openAwsKeys: async ({ credentials }) => {
        if (credentials.credential_type !== 'aws_access_key') throw new Error('not an access key');
        return { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key };
      },
    }),
    commitOnce: createCommitOnce({ fetch, now: () => now, log: pino({ level: 'silent' }) }),
    openAccount: async () => {
      throw new NotFound();
    },
    findRepository: async (_org_id, id) => {
      if (id !== CONFIG_ID) return undefined;
      const config = { id, provider: 'github' as const, provider_base_url: github.url, repo_path: repo.full_name };
      return { ...config, api_token, api_token_status: 'active', dpa_token: null, api_user_id: null };
    },
    assertPublicUrl: () => {},
    audit: { record: async ({ action, detail }) => void audited.push({ action, detail }) },
    log: {
      warn: () => {},
      error: (_fields: unknown, message?: string) => void problems.push(message ?? ''),
    },
    now: () => now,
  });
});
afterAll(async () => {
  await Promise.all([github.stop(), bucket.close()]);
  await close();
  await database.close();
});
beforeEach(async () => {
  org_id = await makeOrg(database.admin_db, { owner: user, plan: 'enterprise' });
  now = START;
  repo = github.addRepo(`acme/audit-${org_id}`);
  api_token = github.addToken('bot', [repo.full_name], { contents: 'write', metadata: 'read' });
  bucket.objects.clear();
  Object.assign(bucket, { writes: 0, has_lock: true, access_key_ids: new Set([KEY_ID]), failures: [] });
  for (const list of [audited, problems]) list.splice(0);
});

const toBucket = (change = {}) => ({
  ...{ kind: 's3' as const, bucket: bucket.name, region: 'fr-par', endpoint: bucket.url, folder: 'evidence' },
  ...{ lock_mode: 'compliance' as const, lock_days: 365, cloud_account_id: null, access_key_id: KEY_ID, ...change },
});
const TO_REPOSITORY = { kind: 'git' as const, webhook_config_id: CONFIG_ID, branch: null, folder: 'evidence' };

const putBucket = (change = {}) => checkpoints.destinations.put(user, org_id, toBucket(change), SECRET);
const putRepository = () => checkpoints.destinations.put(user, org_id, TO_REPOSITORY);
const list = () => checkpoints.destinations.list(org_id);
const deliver = () => checkpoints.delivery.deliverDue();
const pathTo = (size: number) => `evidence/${org_id}/${String(size).padStart(16, '0')}.txt`;
const names = (paths: Iterable<string>) => [...paths].map((path) => path.split('/').at(-1));
const committed = () => names(repo.commits.map(({ path }) => path));

/** Appends so many entries, and signs the log. */
async function grow(count: number): Promise<void> {
  await database.platform_db.raw(
    `select count(*) from audit_append(array(select gen_random_uuid() from generate_series(1, :count::int)),
       array_fill(:org_id::uuid, array[:count::int]), array_fill('ana@example.com'::text, array[:count::int]),
       array_fill('org.created'::text, array[:count::int]), array_fill('{}'::text, array[:count::int]),
       array_fill(now(), array[:count::int]))`,
    { count, org_id },
  );
  await checkpoints.creation.createDue();
}

async function readNotes(): Promise<string[]> {
  const { checkpoints: found } = await checkpoints.list(org_id, { limit: 50, offset: 0 });
  return found.map(({ note }) => note).toReversed();
}

describe('a bucket', () => {
  test('gets a description at once, and then each checkpoint once, locked, under names that sort', async () => {
    await putBucket();
    expect(await list()).toMatchObject([{ delivered_size: null, last_error: null, next_size: 1 }]);
    for (const count of [2, 7, 1]) await grow(count);
    await deliver();
    await deliver();

    expect([...bucket.objects.keys()].slice(1)).toEqual([2, 9, 10].map(pathTo));
    expect(names(bucket.objects.keys())[0]).toBe('README.md');
    expect([...bucket.objects.values()].slice(1).map(({ text }) => text)).toEqual(await readNotes());
    for (const object of bucket.objects.values()) {
      expect(object).toMatchObject({ mode: 'COMPLIANCE', until: '2027-03-01T00:00:00Z' });
    }
    expect(bucket.writes).toBe(4);
    expect(await list()).toMatchObject([{ delivered_size: 10, delivered_at: START, last_error: null }]);
  });

  test('gets the newest checkpoint when it is set, and not the older ones', async () => {
    await grow(1);
    await grow(1);
    const saved = await putBucket();
    await deliver();

    expect(names(bucket.objects.keys())).toEqual(['README.md', '0000000000000002.txt']);
    expect(saved).toMatchObject({ delivered_size: 2, delivered_at: START, next_size: 3 });
  });

  test('without Object Lock is not saved, and the message says so', async () => {
    bucket.has_lock = false;

    await expect(putBucket()).rejects.toMatchObject({
      status: 422,
      error_class: 'checkpoint_destination_rejected',
      message: expect.stringContaining('has no Object Lock'),
    });
    expect(await list()).toEqual([]);
    expect(audited).toEqual([]);
  });

  test('keeps its secret key encrypted, out of lists and out of the audit log', async () => {
    const saved = await putBucket();
    const row = await database.admin_db('audit_checkpoint_destinations').where({ org_id }).first();

    expect(row.secret_access_key_ct).toBeInstanceOf(Buffer);
    expect(JSON.stringify([saved, await list(), audited, row.target])).not.toContain('canary');
    expect(row.secret_access_key_ct.toString()).not.toContain('canary');
    const detail = { kind: 's3', folder: 'evidence', bucket: bucket.name, lock_mode: 'compliance', lock_days: 365 };
    expect(audited).toEqual([{ action: 'checkpoint_destination.updated', detail }]);
  });

  test('that fails is tried later and later, shows why, and then gets everything in order', async () => {
    await putBucket();
    bucket.access_key_ids.clear();
    await grow(1);
    await deliver();
    expect(await list()).toMatchObject([
      { last_error: expect.stringContaining('Grant'), failed_at: START, due_at: new Date(+START + MINUTE_MS) },
    ]);
    now = new Date(+START + MINUTE_MS);
    await grow(1);
    await deliver();
    expect(await list()).toMatchObject([{ failures: 2, due_at: new Date(+now + 2 * MINUTE_MS) }]);

    bucket.access_key_ids.add(KEY_ID);
    await deliver();
    expect(names(bucket.objects.keys())).toEqual(['README.md']);
    now = new Date(+now + 2 * MINUTE_MS);
    await deliver();
    expect(names(bucket.objects.keys())).toEqual(['README.md', '0000000000000001.txt', '0000000000000002.txt']);
    expect(await list()).toMatchObject([{ delivered_size: 2, last_error: null, failed_at: null, failures: 0 }]);
  });

  test('that has got a checkpoint when the process was killed does not get it again', async () => {
    await putBucket();
    await grow(1);
    bucket.failures.push('drop-after');
    await deliver();
    now = new Date(+START + MINUTE_MS);
    await deliver();

    expect(bucket.writes).toBe(2);
    expect(await list()).toMatchObject([{ delivered_size: 1, last_error: null }]);
  });

  test('in which another file has the name of a checkpoint is an error, and the file stays', async () => {
    await putBucket();
    bucket.objects.set(pathTo(1), { text: 'forged', mode: undefined, until: undefined });
    await grow(1);
    await deliver();

    expect(bucket.objects.get(pathTo(1))?.text).toBe('forged');
    expect(await list()).toMatchObject([{ delivered_size: null, last_error: expect.stringContaining('another file') }]);
  });

  test('with a new key continues where it was, and another one starts with the newest checkpoint', async () => {
    await putBucket();
    await grow(1);
    await grow(1);
    bucket.access_key_ids.add('AKIAOTHER');
    await putBucket({ access_key_id: 'AKIAOTHER' });
    await deliver();
    expect(names(bucket.objects.keys()).toSorted()).toEqual([
      '0000000000000001.txt',
      '0000000000000002.txt',
      'README.md',
    ]);

    expect(await putBucket({ folder: 'other' })).toMatchObject({ delivered_size: 2, next_size: 3 });
  });

  test('that is set again as it is writes no audit entry, and one with another secret key does', async () => {
    await putBucket();
    await putBucket();
    expect(audited).toHaveLength(1);

    await checkpoints.destinations.put(user, org_id, toBucket(), `${SECRET}-2`);
    expect(audited).toHaveLength(2);
  });

  test.each([
    [{ cloud_account_id: newId(), access_key_id: KEY_ID }, 'either cloud_account_id or access_key'],
    [{ access_key_id: null }, 'either cloud_account_id or access_key'],
    [{ cloud_account_id: newId(), access_key_id: null }, 'cloud account is disabled or deleted'],
    [{ bucket: '10.0.0.1' }, 'bucket must be'],
  ])('is not saved with %j', async (change, message) => {
    await expect(putBucket(change)).rejects.toThrow(message);

    expect(await list()).toEqual([]);
  });
});

describe('a repository', () => {
  test('gets one commit for each checkpoint', async () => {
    await putRepository();
    await grow(2);
    await grow(1);
    await deliver();
    await deliver();

    expect(committed()).toEqual(['README.md', '0000000000000002.txt', '0000000000000003.txt']);
    expect(repo.commits.at(-1)?.message).toBe('Add the audit log checkpoint of 3 entries');
    const notes = [2, 3].map((size) => repo.files.get(`main:${pathTo(size)}`)?.toString());
    expect(notes).toEqual(await readNotes());
    expect(await list()).toMatchObject([{ delivered_size: 3, last_error: null }]);
  });

  test('gets nothing twice if the process is killed before it notes the delivery', async () => {
    await putRepository();
    await grow(1);
    await deliver();
    await database
      .admin_db('audit_checkpoint_destinations')
      .where({ org_id })
      .update({ next_size: 1, delivered_size: null, delivered_at: null });
    await deliver();

    expect(committed()).toEqual(['README.md', '0000000000000001.txt']);
    expect(await list()).toMatchObject([{ delivered_size: 1 }]);
  });

  test('whose token may not write is not saved', async () => {
    github.setToken(api_token, { grants: { contents: 'read', metadata: 'read' } });

    await expect(putRepository()).rejects.toMatchObject({ status: 422, message: expect.stringContaining('Contents') });
    expect(await list()).toEqual([]);
  });

  test('whose webhook configuration is deleted later shows that', async () => {
    await putRepository();
    await database
      .admin_db('audit_checkpoint_destinations')
      .where({ org_id })
      .update({ target: JSON.stringify({ ...TO_REPOSITORY, webhook_config_id: newId() }) });
    await grow(1);
    await deliver();

    expect(await list()).toMatchObject([{ last_error: expect.stringContaining('disabled or deleted') }]);
  });
});

test('a file from either place is a checkpoint that dpa audit verifies', async () => {
  await putBucket();
  await putRepository();
  await grow(3);
  await deliver();
  const key = checkpoints.signer?.verifierKeys(org_id)[0];

  const folder = await mkdtemp(join(tmpdir(), 'dpa-checkpoints-'));
  const path = join(folder, 'checkpoint.txt');
  for (const text of [bucket.objects.get(pathTo(3))?.text, repo.files.get(`main:${pathTo(3)}`)]) {
    await writeFile(path, text ?? '');
    expect(await readCheckpoint(path, key)).toMatchObject({ org_id, size: 3 });
  }
  await rm(folder, { recursive: true });
});

test('a destination that fails does not keep another one waiting', async () => {
  await putBucket();
  await putRepository();
  bucket.failures.push(500);
  await grow(1);
  await deliver();

  expect(await list()).toMatchObject([
    { target: { kind: 'git' }, delivered_size: 1 },
    { target: { kind: 's3' }, delivered_size: null, last_error: expect.any(String) },
  ]);
});

test('the outcome for a target that was replaced meanwhile is not noted', async () => {
  await putBucket();
  const before = await database.db.inOrg(org_id, (trx) => store.findDestination(trx, org_id, 's3'));
  now = new Date(+START + MINUTE_MS);
  await putBucket({ folder: 'other' });
  await database.db.inOrg(org_id, async (trx) => {
    await store.markDelivered(trx, before!, 5, now);
    await store.markFailed(trx, before!, { message: 'gone', due_at: now }, now);
  });

  expect(await list()).toMatchObject([{ last_error: null, failures: 0, next_size: 1, delivered_size: null }]);
});

test('a removed destination gets nothing more, and keeps what it has', async () => {
  await putBucket();
  await checkpoints.destinations.remove(user, org_id, 's3');
  await grow(1);
  await deliver();

  expect(names(bucket.objects.keys())).toEqual(['README.md']);
  expect(await list()).toEqual([]);
  await expect(checkpoints.destinations.remove(user, org_id, 's3')).rejects.toThrow('not found');
  expect(audited.map(({ action }) => action)).toEqual([
    'checkpoint_destination.updated',
    'checkpoint_destination.deleted',
  ]);
});

test('a deleted organization gets nothing', async () => {
  await putBucket();
  await grow(1);
  await database.admin_db('orgs').where({ id: org_id }).update({ deleted_at: now });
  await deliver();

  expect(names(bucket.objects.keys())).toEqual(['README.md']);
  expect(problems).toEqual([]);
});

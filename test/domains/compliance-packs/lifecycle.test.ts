/** What happens to a pack when its store fails, its worker is lost, it is deleted during its build, or its time is over. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fromBufferPromise } from 'yauzl';
import { StorageUnavailable } from '../../../server/lib/errors.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { startPacksProcess } from './process.ts';

const NO_SIGNAL = new AbortController().signal;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START = new Date('2026-03-01T00:00:00.000Z');

let database: TestDatabase;
let folder: string;
let packs: ReturnType<typeof startPacksProcess>;
let user: Principal;
let org_id: string;
let clock = START;
let onStep: (step: string) => void | Promise<void> = () => {};
let signed: string | null = null;
const presigned: unknown[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'packs-lifecycle-'));
  packs = startPacksProcess({
    url: database.url,
    blob_root: folder,
    pdf: false,
    now: () => clock,
    onStep: (step) => onStep(step),
    async presign(key, options) {
      presigned.push({ key, ...options });
      return signed;
    },
  });
  user = await makeUser(database.admin_db, 'ana@example.com');
});
afterAll(async () => {
  await packs.close();
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  org_id = await makeOrg(database.admin_db, { owner: user, plan: 'enterprise' });
  clock = START;
  onStep = () => {};
  signed = null;
  for (const list of [packs.ended, packs.queued, packs.audited, presigned]) list.splice(0);
});

async function request(): Promise<string> {
  const period = { period_start: '2026-02-01T00:00:00Z', period_end: '2026-02-02T00:00:00Z' };
  const { id } = await packs.requests.create(user, org_id, period, async () => {});
  packs.queued.splice(0);
  return id;
}

const run = (id: string) => packs.run({ org_id, id }, NO_SIGNAL);
const get = (id: string) => packs.requests.get(org_id, id);

async function countObjects(): Promise<number> {
  let count = 0;
  for await (const { key } of packs.blobs.list(`packs/${org_id}/`)) count += Number(key.length > 0);
  return count;
}

describe('a store that fails', () => {
  const fail = (name: string) => (step: string) => {
    if (step === name) throw new StorageUnavailable('the object store is not available');
  };

  test.each(['put', 'read back'])('at the step "%s" lets the next attempt finish the pack', async (step) => {
    onStep = fail(step);
    const id = await request();
    await run(id);
    expect(await get(id)).toMatchObject({ status: 'running', artifact_key: null, attempts: 1 });
    expect([packs.queued, packs.ended]).toEqual([[{ id, at: new Date(START.getTime() + 30_000) }], []]);

    await run(id); // before it is due
    expect((await get(id)).attempts).toBe(1);
    onStep = () => {};
    clock = new Date(START.getTime() + 30_000);
    await run(id);

    expect(await get(id)).toMatchObject({ status: 'done', attempts: 2, error_message: null });
    expect(packs.ended).toEqual([id]);
  });

  test('at every attempt ends the pack with the reason, and announces it once', async () => {
    onStep = fail('put');
    const id = await request();
    const waits: number[] = [];
    while ((await get(id)).status !== 'error') {
      await run(id);
      const next = packs.queued.pop()?.at;
      if (next === undefined) continue;
      waits.push(next.getTime() - clock.getTime());
      clock = next;
    }

    expect(await get(id)).toMatchObject({ status: 'error', error_message: 'the object store is not available' });
    expect(waits.slice(0, 2)).toEqual([30_000, 2 * MINUTE_MS]);
    expect([packs.ended, await countObjects()]).toEqual([[id], 0]);
  });

  test('at a download is an error of the store, after which the pack can still be downloaded', async () => {
    const id = await request();
    await run(id);
    onStep = fail('read back');
    await expect(packs.download(user, await get(id))).rejects.toMatchObject({ status: 503 });
    onStep = () => {};

    expect(await packs.download(user, await get(id))).toMatchObject({ url: null });
    expect((await get(id)).status).toBe('done');
  });

  test('during an expiry leaves a pack that can no longer be downloaded', async () => {
    const id = await request();
    await run(id);
    const { artifact_key } = await get(id);
    await packs.blobs.delete(artifact_key ?? '');
    clock = new Date(START.getTime() + 90 * DAY_MS);
    await packs.maintenance.expire();

    expect((await get(id)).status).toBe('expired');
  });
});

test('an organization that is renamed during a build has its old name in every file', async () => {
  const id = await request();
  onStep = async (step) => {
    if (step !== 'open findings.csv') return;
    await database
      .admin_db('orgs')
      .where({ id: org_id })
      .update({ display_name: 'Renamed', slug: `renamed-${id.slice(-12)}` });
  };
  const { display_name, slug } = await database.admin_db('orgs').where({ id: org_id }).first('display_name', 'slug');
  await run(id);
  const { status, artifact_key } = await get(id);
  const archive = await fromBufferPromise((await packs.blobs.get(artifact_key ?? '')) ?? Buffer.alloc(0), {
    lazyEntries: true,
  });
  const texts = new Map<string, string>();
  for await (const entry of archive.eachEntry()) {
    texts.set(entry.fileName, await text(await archive.openReadStreamPromise(entry)));
  }

  expect(status).toBe('done');
  expect(JSON.parse(texts.get('data.json') ?? '').org).toEqual({ id: org_id, slug, display_name });
  expect(texts.get('AUDIT_LOG_VERIFY.md')).toContain(slug);
  expect([...texts.values()].join('')).not.toMatch(/renamed/i);
});

test('an error of the program ends the pack at once, without details', async () => {
  onStep = (step) => {
    if (step === 'finish') throw new RangeError('secret detail');
  };
  const id = await request();
  await run(id);

  const { status, error_message } = await get(id);
  expect([status, error_message]).toEqual(['error', expect.not.stringContaining('secret')]);
  expect(packs.ended).toEqual([id]);
});

test.each(['open scans.csv', 'finish', 'put', 'read back'])(
  'a pack that is deleted before the step "%s" of its build leaves no file and is not announced',
  async (step) => {
    const id = await request();
    onStep = async (current) => {
      if (current !== step) return;
      onStep = () => {};
      await packs.requests.remove(user, org_id, id);
    };
    await run(id);

    expect([packs.ended, await countObjects()]).toEqual([[], 0]);
    await expect(get(id)).rejects.toMatchObject({ status: 404 });
  },
);

test('a pack whose worker is lost each time ends with an error, which is announced', async () => {
  const id = await request();
  for (let attempt = 1; attempt <= 5 && packs.ended.length === 0; attempt += 1) {
    await database
      .admin_db('audit_exports')
      .where({ id })
      .update({ status: 'running', attempts: attempt, heartbeat_at: clock, retry_at: null });
    clock = new Date(clock.getTime() + 16 * MINUTE_MS);
    await packs.maintenance.reconcile();
  }

  expect(await get(id)).toMatchObject({ status: 'error', error_message: expect.stringContaining('Request a new one') });
  expect(packs.ended).toEqual([id]);
});

describe('a download', () => {
  test('with a store that signs URLs is a URL for 60 seconds, and is recorded as such', async () => {
    const id = await request();
    await run(id);
    signed = 'https://bucket.example.com/packs/1.zip?signature=x';
    const pack = await get(id);
    packs.audited.splice(0);
    const { artifact_key, artifact_sha256 } = pack;

    expect(await packs.download(user, pack)).toEqual({ url: signed, artifact_sha256 });
    const filename = 'compliance-pack-acme-2026-02-01_2026-02-02.zip';
    expect(presigned).toEqual([{ key: artifact_key, seconds: 60, filename }]);
    expect(packs.audited).toEqual([{ action: 'audit_export.presigned', detail: { export_id: id } }]);
  });

  test('is possible until 90 days after the request, and then its file is gone', async () => {
    const id = await request();
    await run(id);
    clock = new Date(START.getTime() + 90 * DAY_MS - 1);
    await packs.maintenance.expire();
    const pack = await get(id);
    expect([pack.status, await countObjects()]).toEqual(['done', 1]);

    clock = new Date(START.getTime() + 90 * DAY_MS);
    await packs.maintenance.expire();

    const expired = await get(id);
    expect(expired).toMatchObject({ status: 'expired', artifact_key: null, artifact_sha256: null });
    expect(await countObjects()).toBe(0);
    await expect(packs.download(user, expired)).rejects.toMatchObject({ error_class: 'export_artifact_removed' });
    await expect(packs.download(user, pack)).rejects.toMatchObject({ error_class: 'export_artifact_removed' });
  });
});

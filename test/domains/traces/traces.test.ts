import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEmulator } from 'emulate';
import { type BlobStore, createBlobStore } from '../../../server/adapters/blob/index.ts';
import { bodyAad, unpackBody } from '../../../server/domains/traces/body.ts';
import { newId } from '../../../server/lib/ids.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { CANARY_FORMS } from '../../engine/redact/canary-forms.ts';
import { findFreePort } from '../../fakes/ports.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg } from '../../helpers/people.ts';
import { aTrace, DAY_MS, MINUTE_MS, makeScan, type TracesSetup, tracesSetup } from './setup.ts';

let database: TestDatabase;
let ours: string;
let theirs: string;
beforeAll(async () => {
  database = await openTestDatabase();
  ours = await makeOrg(database.admin_db);
  theirs = await makeOrg(database.admin_db);
});
afterAll(() => database.close());

describe.each(['folder', 's3'] as const)('traces with bodies in %s', (kind) => {
  let blobs: BlobStore;
  let close: () => Promise<void>;
  let setup: TracesSetup;
  beforeAll(async () => {
    ({ blobs, close } = kind === 'folder' ? await openFolder() : await openS3());
  });
  beforeEach(async () => {
    await database.admin_db('traces').delete();
    for (const key of await listKeys(blobs)) await blobs.delete(key);
    setup = tracesSetup(database, blobs);
  });
  afterAll(() => close());

  test('a recorded trace can be read only by its own organization', async () => {
    const scan_run_id = await makeScan(database, ours);
    const given = aTrace(ours, { scan_run_id });

    const id = await setup.traces.record(given);

    const { body, ...row } = given;
    expect(id).toMatch(/^trc-[0-9a-f]{24}$/);
    expect(await setup.traces.get(ours, id)).toMatchObject({ status: 'ready', trace: { ...row, id }, body });
    await expect(setup.traces.get(theirs, id)).rejects.toMatchObject({ status: 404 });
    expect(await listKeys(blobs)).toEqual([`traces/${ours}/${id}`]);
  });

  test('a body can be decrypted only under its own organization and id, and reveals nothing while encrypted', async () => {
    const [one, two] = [await setup.traces.record(aTrace(ours)), await setup.traces.record(aTrace(ours))];
    const sealed = (await blobs.get(`traces/${ours}/${one}`)) as Buffer;
    await blobs.put(`traces/${ours}/${two}`, sealed);

    expect(sealed.toString('latin1')).not.toContain('Explain');
    expect(await setup.traces.get(ours, two)).toMatchObject({ status: 'failed', body: null });
    expect(setup.warnings).toHaveLength(1);
  });

  test('bodies are deleted after 30 days, rows after 400', async () => {
    const old = await setup.traces.record(aTrace(ours));
    setup.pass(DAY_MS);
    const young = await setup.traces.record(aTrace(ours));

    setup.pass(29 * DAY_MS - 1);
    await setup.traces.maintenance.deleteOld();
    expect(await setup.traces.get(ours, old)).toMatchObject({ status: 'ready' });
    setup.pass(1);
    // Also before the sweep has run.
    expect(await setup.traces.get(ours, old)).toMatchObject({ status: 'expired' });
    setup.pass(1);
    await setup.traces.maintenance.deleteOld();

    expect(await setup.findRow(old)).toMatchObject({ status: 'expired', has_body: false, model: 'model-1' });
    expect(await listKeys(blobs)).toEqual([`traces/${ours}/${young}`]);
    setup.pass(370 * DAY_MS);
    await setup.traces.maintenance.deleteOld();
    await expect(setup.traces.get(ours, old)).rejects.toMatchObject({ status: 404 });
    expect(await setup.traces.get(ours, young)).toMatchObject({ status: 'expired' });
    expect(await listKeys(blobs)).toEqual([]);
  });

  test('a body without a row is deleted, unless its row may still be written', async () => {
    const kept = await setup.traces.record(aTrace(ours));
    const stray = `traces/${ours}/trc-${'0'.repeat(24)}`;
    await blobs.put(stray, Buffer.from('x'));
    await blobs.put('plans/other', Buffer.from('x'));

    setup.clock.now = new Date();
    await setup.traces.maintenance.deleteOrphans();
    expect(await listKeys(blobs)).toContain(stray);
    setup.clock.now = new Date(Date.now() + 2 * 3_600_000);
    await setup.traces.maintenance.deleteOrphans();

    expect(await listKeys(blobs)).toEqual([`traces/${ours}/${kept}`]);
    expect(await blobs.get('plans/other')).toBeDefined();
  });
});

describe('a failing blob store', () => {
  let memory: Map<string, Buffer>;
  beforeEach(async () => {
    memory = new Map();
    await database.admin_db('traces').delete();
  });

  test('a failing store leaves the row and does not affect the caller', async () => {
    const { traces, findRow, warnings } = tracesSetup(database, {
      ...inMemory(memory),
      put: () => Promise.reject(new Error('disk full')),
    });

    const id = await traces.record(aTrace(ours));

    expect(await findRow(id)).toMatchObject({ status: 'failed' });
    expect(await traces.get(ours, id)).toMatchObject({ status: 'failed', body: null, trace: { model: 'model-1' } });
    expect(warnings).toHaveLength(1);
  });

  test('a hanging store is not waited for, and a late write is removed', async () => {
    const store = inMemory(memory);
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const slow = {
      ...store,
      put: async (key: string, bytes: Uint8Array) => {
        await arrival;
        await store.put(key, bytes);
      },
    };
    const { traces, pass, findRow } = tracesSetup(database, slow, 20);

    const id = await traces.record(aTrace(ours));
    arrive();
    await new Promise(setImmediate);

    expect(await findRow(id)).toMatchObject({ status: 'failed', has_body: true });
    expect(memory.size).toBe(1);
    pass(3_600_001);
    await traces.maintenance.deleteOld();
    expect(memory.size).toBe(0);
    expect(await findRow(id)).toMatchObject({ status: 'failed', has_body: false });
  });

  test('a failed deletion of one body does not stop the others, and is retried at the next run', async () => {
    const store = inMemory(memory);
    let stuck = '';
    const { traces, pass, findRow } = tracesSetup(database, {
      ...store,
      delete: async (key) => (key.endsWith(stuck) ? Promise.reject(new Error('locked')) : store.delete(key)),
    });
    const ids = await Promise.all(Array.from({ length: 250 }, () => traces.record(aTrace(ours))));
    stuck = ids[0] as string;

    pass(31 * DAY_MS);
    await traces.maintenance.deleteOld();
    expect([...memory.keys()]).toEqual([`traces/${ours}/${stuck}`]);
    expect(await findRow(stuck)).toMatchObject({ status: 'expired', has_body: true });
    pass(400 * DAY_MS);
    await traces.maintenance.deleteOld();
    expect(await database.admin_db('traces').pluck('id')).toEqual([stuck]);
    stuck = 'none';
    await traces.maintenance.deleteOld();

    expect(memory.size).toBe(0);
    expect(await findRow(ids[0] as string)).toBeUndefined();
  });

  test('an outage during a deletion leaves nothing that the next run does not find', async () => {
    const store = inMemory(memory);
    let left = 5;
    const { traces, pass } = tracesSetup(database, {
      ...store,
      delete: async (key) => (left-- > 0 ? store.delete(key) : Promise.reject(new Error('gone'))),
    });
    for (let i = 0; i < 20; i += 1) await traces.record(aTrace(ours));

    pass(31 * DAY_MS);
    await traces.maintenance.deleteOld();
    expect(memory.size).toBe(15);
    left = 100;
    await traces.maintenance.deleteOld();

    expect(memory.size).toBe(0);
    expect(await database.admin_db('traces').where({ has_body: true })).toEqual([]);
  });
});

describe('a trace whose writer died', () => {
  test('a pending trace fails after ten minutes, and its body is deleted', async () => {
    const memory = new Map<string, Buffer>();
    const { traces, pass, findRow } = tracesSetup(database, inMemory(memory));
    const id = await traces.record(aTrace(ours));
    await database.admin_db('traces').where({ id }).update({ status: 'pending' });

    pass(10 * MINUTE_MS);
    await traces.maintenance.failStuck();
    expect(await traces.get(ours, id)).toMatchObject({ status: 'pending' });
    pass(1);
    await traces.maintenance.failStuck();
    expect(await traces.get(ours, id)).toMatchObject({ status: 'failed' });
    pass(51 * MINUTE_MS);
    await traces.maintenance.deleteOld();

    expect(memory.size).toBe(0);
    expect(await findRow(id)).toMatchObject({ has_body: false });
  });

  test('a writer that resumes late removes its body', async () => {
    const memory = new Map<string, Buffer>();
    const store = inMemory(memory);
    const { traces, findRow } = tracesSetup(database, {
      ...store,
      async put(key, bytes) {
        // The sweep ran while the writer was paused, and found no body.
        await database.admin_db('traces').update({ status: 'failed', has_body: false });
        await store.put(key, bytes);
      },
    });

    const id = await traces.record(aTrace(ours));

    expect(await findRow(id)).toMatchObject({ status: 'failed' });
    expect(memory.size).toBe(0);
  });
});

describe('a read during the sweep', () => {
  test('a read during the sweep finds the trace expired, not broken', async () => {
    const memory = new Map<string, Buffer>();
    const store = inMemory(memory);
    let sweep = async () => {};
    const { traces, pass } = tracesSetup(database, {
      ...store,
      async get(key) {
        await sweep();
        return store.get(key);
      },
    });
    const id = await traces.record(aTrace(ours));
    sweep = async () => {
      pass(31 * DAY_MS);
      await traces.maintenance.deleteOld();
    };

    expect(await traces.get(ours, id)).toMatchObject({ status: 'expired' });
  });

  test('a trace is never shown as complete without its body', async () => {
    const memory = new Map<string, Buffer>();
    const { traces, pass } = tracesSetup(database, inMemory(memory));
    const ids = await Promise.all(Array.from({ length: 100 }, () => traces.record(aTrace(ours))));

    pass(30 * DAY_MS - 1);
    const sweep = (async () => {
      await new Promise(setImmediate);
      pass(2);
      await traces.maintenance.deleteOld();
    })();
    const states = await Promise.all(ids.map((id) => traces.get(ours, id)));
    await sweep;

    expect(states.filter(({ status }) => status !== 'ready' && status !== 'expired')).toEqual([]);
  });
});

describe('the traces of a scan run', () => {
  test('traces are listed oldest first, at most 500, and only those of the run', async () => {
    const { traces, pass } = tracesSetup(database, inMemory(new Map()));
    const scan_run_id = await makeScan(database, ours);
    const other = await makeScan(database, ours);
    const first = await traces.record(aTrace(ours, { scan_run_id }));
    pass(1);
    const second = await traces.record(aTrace(ours, { scan_run_id, kind: 'classify', cached: true }));
    await traces.record(aTrace(ours, { scan_run_id: other }));

    expect((await traces.listByScan(ours, scan_run_id)).map(({ id, cached }) => [id, cached])).toEqual([
      [first, false],
      [second, true],
    ]);
    await expect(traces.listByScan(theirs, scan_run_id)).rejects.toMatchObject({ status: 404 });
    await expect(traces.listByScan(ours, newId())).rejects.toMatchObject({ status: 404 });

    await database.admin_db.raw(
      `insert into traces select 'trc-' || lpad(to_hex(n), 24, '0'), org_id, scan_run_id, kind, status, has_body, model,
         input_tokens, output_tokens, latency_ms, cached, fallback, prompt_version, inputs, error, created_at + n * interval '1 s'
       from traces, generate_series(1, 600) n where id = ?`,
      [first],
    );
    const listed = await traces.listByScan(ours, scan_run_id);
    expect(listed).toHaveLength(500);
    expect(listed[0]?.id).toBe(first);
  });

  test('traces are kept after their run is deleted', async () => {
    const { traces } = tracesSetup(database, inMemory(new Map()));
    const scan_run_id = await makeScan(database, ours);
    const id = await traces.record(aTrace(ours, { scan_run_id }));

    await database.sweeper_db('scan_runs').where({ id: scan_run_id }).delete();

    expect(await traces.get(ours, id)).toMatchObject({ status: 'ready', trace: { scan_run_id: null } });
  });
});

test('numbers and names made up by a provider are stored as far as they are valid', async () => {
  const { traces } = tracesSetup(database, inMemory(new Map()));

  const id = await traces.record(
    aTrace(ours, {
      model: `m\0${'x'.repeat(1_000)}`,
      error: '\ud800 broken',
      input_tokens: Number.NaN,
      output_tokens: 1e12,
      latency_ms: 12.6,
      cached: true,
    }),
  );

  const { trace } = await traces.get(ours, id);
  expect(trace).toMatchObject({ error: '\ufffd broken', input_tokens: null, output_tokens: 2_147_483_647 });
  expect(trace).toMatchObject({ latency_ms: 13, cached: false });
  expect(trace.model).toHaveLength(300);
});

describe('secrets', () => {
  /** In error, model and three texts, and in the parsed part in a text, a name and a list item. */
  const PLACES = 8;

  test.each(CANARY_FORMS)('%s reaches no row, body or log, wherever it occurred', async (_name, secret) => {
    const memory = new Map<string, Buffer>();
    const store = inMemory(memory);
    const { traces, warnings, findRow } = tracesSetup(database, store);
    const given = aTrace(ours, { error: `401: ${secret}`, model: secret });
    const text = `{"message":"key ${secret} is wrong"}`;
    const parsed = { narrative: text, [secret]: [{ note: secret }] };
    const body = { ...given.body, raw_response: text, user_prompt: text, system_prompt: text, parsed };

    const id = await traces.record({ ...given, body });

    const sealed = memory.get(`traces/${ours}/${id}`) as Buffer;
    const opened = createSealer([Buffer.alloc(32, 7)]).open(sealed, bodyAad(ours, id));
    const kept = JSON.stringify([await findRow(id), unpackBody(opened), warnings, [...memory.keys()]]);
    expect(kept).not.toContain(secret);
    expect(kept.split('(sensitive)').length - 1).toBe(PLACES);
  });
});

function inMemory(memory: Map<string, Buffer>): BlobStore {
  return {
    put: async (key, bytes) => void memory.set(key, Buffer.from(bytes)),
    get: async (key) => memory.get(key),
    delete: async (key) => void memory.delete(key),
    async *list(prefix) {
      for (const key of memory.keys()) if (key.startsWith(prefix)) yield { key, modified_at: new Date(0) };
    },
    check: async () => {},
  };
}

async function openFolder() {
  const root = await mkdtemp(join(tmpdir(), 'dpa-traces-'));
  return { blobs: createBlobStore({ kind: 'folder', root }), close: () => rm(root, { recursive: true }) };
}

async function openS3() {
  const seed = { aws: { s3: { buckets: [{ name: 'dpa' }] } } };
  const emulator = await createEmulator({ service: 'aws', port: await findFreePort(), seed });
  const credentials = { access_key_id: 'test', secret_access_key: 'test' };
  const settings = { bucket: 'dpa', region: 'us-east-1', endpoint: emulator.url, credentials };
  return { blobs: createBlobStore({ kind: 's3', ...settings }), close: async () => void (await emulator.close()) };
}

async function listKeys(blobs: BlobStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list('traces/')) keys.push(key);
  return keys.sort();
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createFolderStore } from '../../server/adapters/blob/folder.ts';
import { createTraces, type Traces } from '../../server/domains/traces/index.ts';
import { createSealer } from '../../server/lib/seal.ts';
import { aTrace } from '../domains/traces/setup.ts';
import type { Caller } from '../helpers/service.ts';
import { makeRecord, type ServiceFixtures, startFixtures } from './fixtures.ts';

const SUMMARY = [
  'id',
  'kind',
  'model',
  'input_tokens',
  'output_tokens',
  'latency_ms',
  'cached',
  'fallback',
  'created_at',
];
const RECORD = [...SUMMARY, 'status', 'prompt_version', 'org_id', 'scan_run_id', 'inputs', 'parsed', 'error'];
const FOR_ADMINS = ['system_prompt', 'user_prompt', 'raw_response'];

let fixtures: ServiceFixtures;
let traces: Traces;
let scan_run_id: string;
let id: string;
beforeAll(async () => {
  fixtures = await startFixtures();
  traces = await tracesOfService(fixtures);
  scan_run_id = await makeRecord(fixtures, 'scan_id', 'ours');
  id = await traces.record(aTrace(fixtures.ours, { scan_run_id }));
});
afterAll(() => fixtures.service.close());

const traceAt = (trace_id = id, org = fixtures.ours) => `/api/v2/orgs/${org}/traces/${trace_id}`;
const listFields = (body: object) => Object.keys(body).sort();
const sorted = (names: readonly string[]) => [...names].sort();

describe('access to traces', () => {
  const callers: [name: string, caller: () => Caller | undefined][] = [
    ['a viewer', () => fixtures.people.viewer],
    ['a member', () => fixtures.people.member],
    ['an owner', () => fixtures.people.owner],
    ['a key', () => fixtures.keys['traces:read']],
  ];

  test.each(callers)('%s gets the trace without prompts and raw response', async (_name, caller) => {
    const { status, body } = await caller()!.get(traceAt());

    expect([status, body.status]).toEqual([200, 'ready']);
    expect(listFields(body)).toEqual(sorted(RECORD));
    expect(JSON.stringify(body)).not.toContain('Explain the plan.');
  });

  test('a platform admin gets the whole trace, as a member of the organization or not', async () => {
    const { status, body } = await fixtures.people.root.get(traceAt());

    expect(status).toBe(200);
    expect(listFields(body)).toEqual(sorted([...RECORD, ...FOR_ADMINS]));
    const { body: given, ...row } = aTrace(fixtures.ours, { scan_run_id });
    expect(body).toMatchObject({ ...row, ...given });
  });

  test('a key of a platform admin has no platform admin rights', async () => {
    const org = await fixtures.people.root.post('/api/v2/orgs', { slug: 'root-org', display_name: 'Root' });
    const made = await fixtures.people.root.post(`/api/v2/orgs/${org.body.id}/api-keys`, {
      name: 'k',
      scopes: ['read'],
    });
    const key = fixtures.service.withHeaders({ 'x-api-key': made.body.key });

    expect((await key.get(traceAt())).status).toBe(404);
    const own = await traces.record(aTrace(org.body.id));
    expect(listFields((await key.get(traceAt(own, org.body.id))).body)).toEqual(sorted(RECORD));
  });

  test('a non-member gets the same response as for an unknown id', async () => {
    const shown = ({ status, body }: { status: number; body: object }) => ({
      status,
      body: { ...body, request_id: '' },
    });
    const foreign = await fixtures.people.stranger.get(traceAt());
    const within = await fixtures.people.stranger.get(traceAt(id, fixtures.theirs));
    const unknown = await fixtures.people.stranger.get(traceAt(`trc-${'0'.repeat(24)}`, fixtures.theirs));

    expect(foreign.status).toBe(404);
    expect(shown(foreign)).toEqual(shown(unknown));
    expect(shown(within)).toEqual(shown(unknown));
  });

  test('a platform admin finds a trace only in its own organization', async () => {
    expect((await fixtures.people.root.get(traceAt(id, fixtures.theirs))).status).toBe(404);
    const path = `/api/v2/orgs/${fixtures.theirs}/scans/${scan_run_id}/traces`;
    expect((await fixtures.people.root.get(path)).status).toBe(404);
  });
});

describe('the status of a trace', () => {
  const set = (trace_id: string, values: object) =>
    fixtures.service.admin_db('traces').where({ id: trace_id }).update(values);

  test('a trace is 202 while its body is being stored', async () => {
    const pending = await traces.record(aTrace(fixtures.ours));
    await set(pending, { status: 'pending' });

    const { status, body, headers } = await fixtures.people.root.get(traceAt(pending));

    expect(status).toBe(202);
    expect(body).toEqual({ id: pending, kind: 'narrative', status: 'pending', created_at: expect.any(String) });
    expect(headers.get('retry-after')).toBe('5');
  });

  test.each(['viewer', 'root'] as const)(
    'a trace is 200 without texts if its body could not be stored, for %s',
    async (person) => {
      const failed = await traces.record(aTrace(fixtures.ours, { error: 'the model did not answer' }));
      await set(failed, { status: 'failed' });

      const { status, body } = await fixtures.people[person].get(traceAt(failed));

      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'failed', parsed: null, error: 'the model did not answer' });
      expect(listFields(body)).toEqual(sorted(person === 'root' ? [...RECORD, ...FOR_ADMINS] : RECORD));
    },
  );

  test.each([
    ['by the sweep', { status: 'expired' }],
    ['by the clock', { created_at: new Date(Date.now() - 30 * 86_400_000) }],
  ])('a trace is 410 with the summary after it has expired %s', async (_how, values) => {
    const expired = await traces.record(aTrace(fixtures.ours));
    await set(expired, values);

    const { status, body } = await fixtures.people.root.get(traceAt(expired));

    expect([status, body.error_class]).toEqual([410, 'trace_expired']);
    expect(listFields(body)).toEqual(sorted(['error', 'error_class', 'request_id', 'trace']));
    expect(listFields(body.trace)).toEqual(sorted(SUMMARY));
  });

  test('a malformed trace id is 404', async () => {
    expect((await fixtures.people.root.get(traceAt('trc-1'))).status).toBe(404);
  });
});

test('traces of a scan are listed as summaries, including expired ones, also for a platform admin', async () => {
  const gone = await traces.record(aTrace(fixtures.ours, { scan_run_id, kind: 'classify' }));
  await fixtures.service.admin_db('traces').where({ id: gone }).update({ status: 'expired' });
  const path = `/api/v2/orgs/${fixtures.ours}/scans/${scan_run_id}/traces`;

  for (const caller of [fixtures.people.viewer, fixtures.people.root, fixtures.keys['traces:read']]) {
    const { status, body } = await caller!.get(path);
    expect(status).toBe(200);
    expect(body.map((trace: { id: string }) => trace.id)).toEqual([id, gone]);
    for (const trace of body) expect(listFields(trace)).toEqual(sorted(SUMMARY));
  }
  expect((await fixtures.people.stranger.get(path)).status).toBe(404);
});

/** A trace like those of the service: in its database, its folder, and with its key. */
async function tracesOfService({ service: { admin_db, data_dir } }: ServiceFixtures): Promise<Traces> {
  const key = Buffer.from(await readFile(join(data_dir, 'master-key'), 'utf8'), 'base64');
  return createTraces({
    db: { inOrg: (_org, work) => admin_db.transaction(work), readInOrg: (_org, read) => read(admin_db) },
    sweep_db: admin_db,
    blobs: createFolderStore(join(data_dir, 'blobs')),
    sealer: createSealer([key]),
    scans: { assertExists: async () => {} },
    now: () => new Date(),
    log: { warn: () => {} },
  });
}

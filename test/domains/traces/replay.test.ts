import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  applyProposals,
  buildFixPrompt,
  buildPrompt,
  type FixReading,
  type Reading,
  readAnswer,
  readFixAnswer,
  type SendValues,
} from '../../../engine/explain/index.ts';
import { analyzePlan, type PlanAnalysis } from '../../../engine/index.ts';
import type { BlobStore } from '../../../server/adapters/blob/types.ts';
import { createScans } from '../../../server/domains/scans/index.ts';
import { replayTrace, type TraceBody } from '../../../server/domains/traces/index.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { buildAnswer } from '../../engine/explain/model.ts';
import { buildPlan, GRAVE } from '../../engine/explain/plans.ts';
import { aSubject, ask } from '../../engine/fix/advice.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg } from '../../helpers/people.ts';
import { aTrace, makeScan, tracesSetup } from './setup.ts';

const ANSWER = buildAnswer({
  what_will_happen: 'The database `aws_db_instance.main` is deleted. A call to https://evil.example is made.',
  why_it_matters: 'What it holds is lost.',
  proposals: [{ address: 'aws_sqs_queue.jobs["a.b"]', level: 'critical', reason: 'Messages could be lost.' }],
});

let database: TestDatabase;
let org_id: string;
const memory = new Map<string, Buffer>();
beforeAll(async () => {
  database = await openTestDatabase();
  org_id = await makeOrg(database.admin_db);
});
beforeEach(() => memory.clear());
afterAll(() => database.close());

interface Call {
  raw_response?: string | null;
  send_values?: SendValues;
  plan?: string;
}

/** An analysis whose narrative a model wrote, with its trace. */
async function called({ raw_response = ANSWER, send_values = 'redacted', plan = buildPlan(GRAVE) }: Call = {}) {
  const analysis = analyzePlan(plan);
  const { system, user, inputs, known, prompt_version } = buildPrompt(analysis, { send_values });
  const read = raw_response === null ? { unusable: 'no response' } : readAnswer(raw_response, analysis, known);
  const parsed: Reading | null = 'unusable' in read ? null : read;
  const result = parsed === null ? analysis : applyProposals(analysis, parsed.proposals, parsed.overall);
  const scan_run_id = await makeScan(database, org_id);
  await setResult(scan_run_id, result);
  const { traces } = tracesSetup(database, blobs());
  const body = { system_prompt: system, user_prompt: user, raw_response, parsed, inputs };
  const id = await traces.record(aTrace(org_id, { scan_run_id, prompt_version, body }));
  return { id, scan_run_id, analysis, result, parsed, body, traces };
}

async function setResult(id: string, result: PlanAnalysis): Promise<void> {
  const ended = { status: 'done', finished_at: new Date(), result_json: JSON.stringify(result) };
  await database.admin_db('scan_runs').where({ id }).update(ended);
}

function replay(id: string, key = 7) {
  const { db, platform_db, sweeper_db: sweep_db } = database;
  const scans = createScans({ db, sweep_db, now: () => new Date(), getOrgPlan: async () => 'free' });
  return replayTrace({ platform_db, scans, blobs: blobs(), sealer: createSealer([Buffer.alloc(32, key)]) }, id);
}

describe('replaying a trace', () => {
  test.each([
    ['a partly used response', {}],
    ['names only', { send_values: 'names_only' }],
    ['an unusable response', { raw_response: 'invalid JSON' }],
    ['no response', { raw_response: null }],
    ['no changes', { plan: buildPlan([]) }],
  ] as [string, Call][])('the replay of %s reports "same"', async (_name, call) => {
    const { id } = await called(call);

    expect(await replay(id)).toMatchObject({
      verdict: 'same',
      not_compared: null,
      steps: [
        { name: 'prompt', differences: [] },
        { name: 'answer', differences: [] },
      ],
    });
  });

  test('the replay handles a response of which parts were dropped and which raised a level', async () => {
    const { parsed, result } = await called();

    expect(parsed?.dropped.length).toBeGreaterThan(0);
    expect(result.changes.some(({ risk }) => risk.raised_by === 'llm')).toBe(true);
  });

  test('the replay detects a result that was changed later', async () => {
    const { id, scan_run_id, result } = await called();
    const changes = result.changes.filter(({ address }) => address !== 'aws_db_instance.main');
    await setResult(scan_run_id, { ...result, changes });

    const found = await replay(id);

    expect(found).toMatchObject({ verdict: 'different', steps: [{ name: 'prompt' }] });
    expect(JSON.stringify(found)).toContain('/inputs/digest');
  });

  test('the replay detects a response of which a different part was used', async () => {
    const { body, traces, scan_run_id } = await called();
    const parsed = { ...(body.parsed as Reading), narrative: 'All is well.' };
    const id = await traces.record(aTrace(org_id, { scan_run_id, body: { ...body, parsed } }));

    expect(await replay(id)).toMatchObject({
      verdict: 'different',
      steps: [
        { name: 'prompt', differences: [] },
        { name: 'answer', differences: [{ at: '/narrative' }] },
      ],
    });
  });

  test('the replay detects a prompt whose text does not match its hash', async () => {
    const { body, traces, scan_run_id } = await called();
    const user_prompt = body.user_prompt.replace('aws_db_instance', 'aws_db_instant');
    const id = await traces.record(aTrace(org_id, { scan_run_id, body: { ...body, user_prompt } }));

    expect(await replay(id)).toMatchObject({ verdict: 'different', steps: [{ differences: [{}] }, {}] });
  });

  test('the replay cannot verify a response with withheld parts', async () => {
    const secret = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
    const { id } = await called({
      raw_response: buildAnswer({
        what_will_happen: `The token ${secret} is used.`,
        why_it_matters: 'A queue is changed.',
      }),
    });

    const found = await replay(id);

    expect(JSON.stringify(found)).not.toContain(secret);
    expect(found.verdict).not.toBe('different');
  });

  test.each([
    ['of another kind', { kind: 'iac-gen' }, 'of kind iac-gen'],
    ['remembered', { kind: 'classify', cached: true }, 'came from the cache'],
    ['that has expired', { status: 'expired' }, 'its status is expired'],
    ['without a scan run', { scan_run_id: null }, 'scan run no longer exists'],
    ['of another release', { prompt_version: 'narrative-0' }, 'unknown prompt version "narrative-0"'],
  ])('the replay says why it cannot verify a trace %s', async (_name, values, why) => {
    const { id } = await called();
    await database.admin_db('traces').where({ id }).update(values);

    expect(await replay(id)).toEqual({ verdict: 'unknown', why: expect.stringContaining(why) });
  });

  test('the replay says why it cannot verify without body, key or trace', async () => {
    const { id } = await called();

    expect(await replay(id, 8)).toMatchObject({ why: expect.stringContaining('master key') });
    memory.clear();
    expect(await replay(id)).toMatchObject({ why: expect.stringContaining('missing') });
    expect(await replay(`trc-${'0'.repeat(24)}`)).toMatchObject({
      why: expect.stringContaining('the trace does not exist'),
    });
  });
});

function blobs(): BlobStore {
  return {
    put: async (key, bytes) => void memory.set(key, Buffer.from(bytes)),
    get: async (key) => memory.get(key),
    delete: async (key) => void memory.delete(key),
    async *list() {},
    check: async () => {},
  };
}

describe('replaying a trace of a fix job', () => {
  const { proposal, user, buildAnswer: saying } = ask(aSubject());
  const good = saying({ order: ['b', 'a'], confidence: 0.8 });

  async function advised(raw_response: string | null, more: Partial<TraceBody> = {}): Promise<string> {
    const { system, inputs } = buildFixPrompt(aSubject(), proposal, { send_values: 'redacted' });
    const read = raw_response === null ? { unusable: 'no response' } : readFixAnswer(raw_response, user);
    const parsed = 'unusable' in read ? null : read;
    const body = { system_prompt: system, user_prompt: user, raw_response, parsed, inputs, ...more };
    const { traces } = tracesSetup(database, blobs());
    return traces.record(aTrace(org_id, { kind: 'plan-noise-fix', prompt_version: 'fix-1', body }));
  }

  test.each([[good], ['invalid JSON'], [null]])('the replay of %s reports "same"', async (raw_response) => {
    expect(await replay(await advised(raw_response))).toMatchObject({
      verdict: 'same',
      not_compared: null,
      steps: [{ differences: [] }, { differences: [] }],
    });
  });

  test('the replay detects a change in the used parts and in the prompt', async () => {
    const parsed = { ...(readFixAnswer(good, user) as FixReading), confidence: 0.9 };
    expect(await replay(await advised(good, { parsed }))).toMatchObject({
      verdict: 'different',
      steps: [{ differences: [] }, { differences: [{ at: '/confidence' }] }],
    });
    const user_prompt = user.replace('desired_count', 'desired_size');
    expect(await replay(await advised(good, { user_prompt }))).toMatchObject({
      verdict: 'different',
      not_compared: 'the response: it was given to a different prompt',
    });
  });

  test('the replay has nothing to verify if no model was called', async () => {
    const { traces } = tracesSetup(database, blobs());
    const id = await traces.record(aTrace(org_id, { kind: 'plan-noise-fix', model: null, prompt_version: 'rules' }));

    expect(await replay(id)).toEqual({ verdict: 'unknown', why: 'no model was called: only rules wrote it' });
  });
});

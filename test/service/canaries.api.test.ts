import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { json, type Reply, startWireServer, type WireServer } from '../adapters/llm/wire-server.ts';
import { buildAnswer } from '../engine/explain/model.ts';
import { findFreePort } from '../fakes/ports.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';
import {
  canariesIn,
  canary,
  countCanaries,
  FORMS,
  GONE,
  KEPT,
  planOfCanaries,
  recognizableSecret,
} from './canaries.ts';

/** Not a secret: anyone who can read a result can read it there. */
const SHOWN = 'plainly-visible';
/** Number of copies of each place in every plan. */
const TIMES = 5;

/** A model that repeats the secrets it received, or makes up others. */
function says({ content, refusal = null }: { content: string | null; refusal?: string | null }): Reply {
  return json(200, {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5.4-mini',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
}

/** An error that quotes the key and the prompt, like that of a careless gateway. */
function echo(status: number, headers: Record<string, string> = {}): Reply {
  return (response, { headers: sent, body }) => {
    const key = sent.authorization ?? sent['x-api-key'] ?? sent['api-key'];
    const message = `Incorrect API key: ${key}; ${recognizableSecret()}; the request was ${body}`;
    json(
      status,
      { type: 'error', error: { type: 'invalid_request_error', code: canary(), message } },
      headers,
    )(response, { headers: sent, body, method: '', url: '' });
  };
}

/** A usable answer that also contains secrets. */
const talkative = () =>
  says({
    content: buildAnswer({
      what_will_happen: `\`${GONE}\` is deleted. ${FORMS.map((form) => `The key is ${form(canary())}.`).join(' ')}`,
      why_it_matters: `The token ${recognizableSecret()} stops working.`,
      what_to_check: [`Check ${recognizableSecret()} first.`],
      notes: [{ address: GONE, note: `It holds ${recognizableSecret()}.` }],
      proposals: [{ address: GONE, level: 'high', reason: `The key ${recognizableSecret()} is in it.` }],
      overall: { level: 'high', reason: `Because of ${recognizableSecret()}.` },
    }),
  });

let service: TestService;
let model: WireServer;
let ana: Caller;
let root: Caller;
/** The output of each part of the service. */
const out: Record<string, string[]> = { prompts: [], results: [], traces: [], 'bodies of errors': [] };
const note = (part: string, ...what: unknown[]) => out[part]?.push(...what.map((one) => JSON.stringify(one)));

let orgs = 0;
async function makeOrg(config?: object): Promise<string> {
  orgs += 1;
  const made = await ana.post('/api/v2/orgs', { slug: `canary-${orgs}`, display_name: 'Canary' });
  const org = made.headers.get('location') ?? '';
  if (config !== undefined) note('results', await ok(ana.send('PUT', `${org}/llm-config`, config)));
  return org;
}

async function ok(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Starts a job and waits for its end. */
async function done(started: Promise<Answer>): Promise<Answer['body']> {
  const { headers, status, body } = await started;
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  const job = (await service.waitForJob(ana, headers.get('location') ?? '')).body;
  if (job.status !== 'done') throw new Error(JSON.stringify(job));
  return job;
}

/** Analyzes a plan full of canaries with these model responses, and collects everything that anyone can read of it. */
async function analyze(reply: Reply, config?: object) {
  const org = await makeOrg(config);
  model.reply(reply);
  const job = await done(ana.post(`${org}/analyze`, { plan_json: planOfCanaries(TIMES, SHOWN) }));
  const scan = await ok(ana.get(`${org}/scans/${job.result.scan_run.id}`));
  for (const { url, body } of model.requests) note('prompts', url, body);
  note('results', job, scan, await ok(ana.get(`${org}/scans`)));
  await readTraces(org, job.result.trace_ids);
  return { org, result: job.result };
}

async function readTraces(org: string, ids: string[]): Promise<void> {
  for (const id of ids) {
    note('traces', await ok(ana.get(`${org}/traces/${id}`)), await ok(root.get(`${org}/traces/${id}`)));
  }
}

async function refused(answer: Promise<Answer>): Promise<void> {
  const { status, body } = await answer;
  expect(status).toBeGreaterThanOrEqual(400);
  note('bodies of errors', body);
}

/** Every row of every table, with bytes decoded as text. */
async function database(): Promise<string[]> {
  const { rows } = await service.admin_db.raw(`
    select format('select t::text as row from %I.%I t', schemaname, tablename) as sql from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const texts: string[] = [];
  for (const { sql } of rows) {
    const found: { rows: { row: string }[] } = await service.admin_db.raw(sql);
    texts.push(...found.rows.map(({ row }) => row.replace(/\\\\x([0-9a-f]+)/g, (_, hex) => fromHex(hex))));
  }
  return texts;
}

function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString('latin1');
}

async function blobs(): Promise<string[]> {
  const files = await readdir(join(service.data_dir, 'blobs'), { recursive: true, withFileTypes: true });
  const paths = files.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return Promise.all(paths.map((path) => readFile(path, 'latin1')));
}

describe('secrets of plans, accounts, providers and responses', () => {
  beforeAll(async () => {
    model = await startWireServer();
    const internal_port = await findFreePort();
    service = await startTestService({
      LLM_PLATFORM_PROVIDER: 'openai',
      LLM_PLATFORM_API_KEY: `sk-proj-${canary()}${canary()}`,
      LLM_ENDPOINT_OPENAI: model.url,
      LLM_ENDPOINT_ANTHROPIC: model.url,
      LLM_ENDPOINT_AZURE_OPENAI: model.url,
      INTERNAL_PORT: String(internal_port),
    });
    root = await service.signIn('root'); // the first caller becomes the platform admin
    await root.get('/api/v2/admin/me');
    ana = await service.signIn('ana');

    const anthropic = { provider: 'anthropic', api_key: canary() };
    const azure = { provider: 'azure_openai', azure_endpoint: 'https://ours.openai.azure.com' };
    const own = { ...azure, azure_deployment: 'plans', azure_api_key: canary() };
    const { org, result } = await analyze(talkative());
    const ends = [
      result,
      (await analyze(says({ content: `Sure! ${recognizableSecret()}` }))).result,
      (await analyze(says({ content: null, refusal: `I received ${recognizableSecret()}` }))).result,
      (await analyze(echo(401))).result,
      (await analyze(echo(429, { 'retry-after': '0' }))).result,
      (await analyze(echo(400), anthropic)).result,
      (await analyze(echo(429, { 'retry-after': '0' }), own)).result,
    ].map(({ narrative_status }) => narrative_status);
    expect(ends).toEqual(['ready', 'fallback', 'fallback', 'fallback', 'fallback', 'skipped', 'skipped']);

    model.reply(talkative());
    const { noise } = result.changes.find(({ address }: { address: string }) => address === KEPT);
    for (const fingerprint of noise.fingerprints) {
      const fix = await done(ana.send('POST', `${org}/plan-noise/${fingerprint}/fix`));
      note('results', fix);
      await readTraces(org, [fix.result.trace_id]);
    }
    for (const { body } of model.requests) note('prompts', body);
    note('results', await ok(ana.get(`${org}/plan-noise`)));

    await failAtTheDoor();
    out['log lines'] = service.log_lines.map((line) => JSON.stringify(line));
    out['rows of the database'] = await database();
    out['stored files'] = await blobs();
    out.metrics = [await (await fetch(`http://127.0.0.1:${internal_port}/metrics`)).text()];
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  async function failAtTheDoor(): Promise<void> {
    const own = await makeOrg({ provider: 'anthropic', api_key: canary() });
    model.reply(echo(401));
    note('results', await ok(ana.send('POST', `${own}/llm-config/validate`)));
    await refused(ana.send('PUT', `${own}/llm-config`, { provider: 'nobody', api_key: canary() }));
    await refused(ana.send('PUT', `${own}/llm-config`, `{"provider":"anthropic","api_key":"${canary()}"`));
    await refused(ana.post(`${own}/analyze`, { plan_json: planOfCanaries(1, SHOWN).slice(0, -9) }));
    await refused(ana.post(`${own}/analyze`, { plan_json: JSON.stringify({ format_version: recognizableSecret() }) }));
    await refused(ana.post(`${own}/analyze`, planOfCanaries(1, SHOWN)));
  }

  test('there are more than a thousand secrets', () => {
    expect(countCanaries()).toBeGreaterThan(1_000);
  });

  test.each([
    ['prompts', GONE],
    ['results', SHOWN],
    ['traces', GONE],
    ['bodies of errors', 'error'],
    ['log lines', 'analyzePlan'],
    ['rows of the database', SHOWN],
    ['stored files', ''],
    ['metrics', 'dpa_jobs_total'],
  ])('no secret is in %s, where other values are found', (part, shown) => {
    const text = (out[part] ?? []).join('\n');

    expect(text.includes(shown)).toBe(true);
    expect(text.length).toBeGreaterThan(100);
    expect(canariesIn(text)).toEqual([]);
  });

  test('a leaked secret would be found', async () => {
    await service.admin_db('outbox').insert({
      id: '01890000-0000-7000-8000-000000000000',
      topic: 'analyze',
      payload: { leak: canary() },
      published_at: new Date(),
    });

    expect(canariesIn((await database()).join('\n'))).toHaveLength(1);
  });
});

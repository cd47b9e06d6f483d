import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createFolderStore } from '../../server/adapters/blob/folder.ts';
import { replayTrace } from '../../server/domains/traces/index.ts';
import { createSealer } from '../../server/lib/seal.ts';
import { completeWith, json, type Reply, startWireServer, type WireServer } from '../adapters/llm/wire-server.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const REFUSED = json(400, { error: { message: 'no', type: 'invalid_request_error' } });
const SECRET = '2024-01-01T00:00:00Z';

const buildUpdate = (attribute: string) => ({
  address: `aws_glue_job.${attribute}`,
  mode: 'managed',
  type: 'aws_glue_job',
  name: attribute,
  provider_name: 'registry.terraform.io/hashicorp/aws',
  change: {
    actions: ['update'],
    before: { [attribute]: SECRET },
    after: { [attribute]: '2024-02-02T00:00:00Z' },
    after_unknown: {},
  },
});
const buildPlan = (...attributes: string[]) =>
  JSON.stringify({ format_version: '1.2', resource_changes: attributes.map(buildUpdate) });

let service: TestService;
let model: WireServer;
let ana: Caller;
/** Answers about patterns; other prompts are rejected. */
let classifies: Reply;
const isClassifyRequest = (body: string) => body.includes('noise_verdicts');
const questions = () => model.requests.filter(({ body }) => isClassifyRequest(body));

beforeAll(async () => {
  model = await startWireServer();
  service = await startTestService({
    LLM_PLATFORM_PROVIDER: 'openai',
    LLM_PLATFORM_API_KEY: 'sk-platform',
    LLM_ENDPOINT_OPENAI: model.url,
  });
  ana = await service.signIn('ana');
});
beforeEach(() => {
  classifies = completeWith({ verdicts: [{ id: 1, verdict: 'likely_benign' }] });
  model.reply((response, request) => (isClassifyRequest(request.body) ? classifies : REFUSED)(response, request));
});
afterAll(async () => {
  await service.close();
  await model.close();
});

let orgs = 0;
async function makeOrg(): Promise<string> {
  orgs += 1;
  const made = await ana.post('/api/v2/orgs', { slug: `words-${orgs}`, display_name: `Words ${orgs}` });
  return made.headers.get('location') ?? '';
}

async function analyze(org: string, plan_json = buildPlan('made_at')) {
  const { headers } = await ana.post(`${org}/analyze`, { plan_json });
  const { result } = (await service.waitForJob(ana, headers.get('location') ?? '')).body;
  const { body } = await ana.get(`${org}/scans/${result.scan_run.id}/traces`);
  return { result, traces: body.filter(({ kind }: { kind: string }) => kind === 'classify') };
}

test('the model is asked once about an unknown pattern, and the answer is cached', async () => {
  const org = await makeOrg();

  const first = await analyze(org);
  const second = await analyze(org);

  expect(questions()).toHaveLength(1);
  expect(questions()[0]?.body).not.toContain(SECRET);
  for (const { result } of [first, second]) {
    expect(result).toMatchObject({ risk_level: 'low', plan_noise: { known_benign: 1 } });
    expect(result.changes[0]).toMatchObject({ noise: { classification: 'likely_benign', matched_rule_id: null } });
  }
  expect(first.traces).toMatchObject([{ cached: false, fallback: false, model: 'gpt-5.4-mini', input_tokens: 120 }]);
  expect(second.traces).toMatchObject([
    { cached: true, fallback: false, model: 'gpt-5.4-mini', input_tokens: null, latency_ms: 0 },
  ]);
  expect(second.result.trace_ids).toContain(second.traces[0].id);
  expect(await replay(first.traces[0].id)).toMatchObject({ verdict: 'same', not_compared: null });
  expect(await replay(second.traces[0].id)).toMatchObject({ verdict: 'unknown' });
});

test('the model is asked only about patterns that are not cached, and such a trace is not marked as cached', async () => {
  const org = await makeOrg();
  await analyze(org);

  const { result, traces } = await analyze(org, buildPlan('made_at', 'kept_at'));

  expect(questions()).toHaveLength(2);
  expect(questions()[1]?.body).toContain('kept_at');
  expect(questions()[1]?.body).not.toContain('made_at');
  expect(result.plan_noise.known_benign).toBe(2);
  expect(traces).toMatchObject([{ cached: false }]);
});

test('another organization, or another account of the same one, gets nothing from the cache', async () => {
  const org = await makeOrg();
  await analyze(org);
  const own = await makeOrg();
  await ana.send('PUT', `${own}/llm-config`, { provider: 'openai', api_key: 'sk-own' });
  classifies = completeWith({ verdicts: [{ id: 1, verdict: 'novel' }] });

  expect((await analyze(own)).result.plan_noise.known_benign).toBe(0);
  await ana.send('PUT', `${org}/llm-config`, { provider: 'openai', api_key: 'sk-own-too' });
  expect((await analyze(org)).result.plan_noise.known_benign).toBe(0);
  expect(questions()).toHaveLength(3);
});

test.each<[string, Reply]>([
  ['fails', REFUSED],
  ['answers something else', completeWith({ verdicts: [{ id: 7, verdict: 'likely_benign' }] })],
])('if a model %s, the pattern stays novel and the model is asked again next time', async (_, reply) => {
  const org = await makeOrg();
  classifies = reply;

  const failed = await analyze(org);
  expect(failed.result).toMatchObject({ risk_level: 'low', plan_noise: { known_benign: 0 } });
  expect(failed.traces).toMatchObject([{ cached: false, fallback: true }]);
  expect(questions()).toHaveLength(1);

  classifies = completeWith({ verdicts: [{ id: 1, verdict: 'likely_benign' }] });
  expect((await analyze(org)).result).toMatchObject({ risk_level: 'low', plan_noise: { known_benign: 1 } });
});

test('if rules know every pattern, no model is called', async () => {
  const { traces } = await analyze(await makeOrg(), buildPlan());

  expect(questions()).toEqual([]);
  expect(traces).toEqual([]);
});

async function replay(id: string) {
  const { admin_db, data_dir } = service;
  const key = Buffer.from(await readFile(join(data_dir, 'master-key'), 'utf8'), 'base64');
  const scans = { analysisRun: { result: async () => undefined } };
  const blobs = createFolderStore(join(data_dir, 'blobs'));
  return replayTrace({ platform_db: admin_db, scans, blobs, sealer: createSealer([key]) }, id);
}

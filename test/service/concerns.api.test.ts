import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { completeWith, startWireServer, type WireServer } from '../adapters/llm/wire-server.ts';
import { buildPlan } from '../engine/explain/plans.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const ADDRESS = 'northwind_sampler.errors';
const PLAN = buildPlan([
  {
    address: ADDRESS,
    type: 'northwind_sampler',
    before: { period: 60, evaluation_periods: 1 },
    after: { period: 3600, evaluation_periods: 24 },
  },
]);
const CONCERN = {
  address: ADDRESS,
  path: 'evaluation_periods',
  category: 'silenced_alarm',
  level: 'high',
  sentence: 'Errors have to last for a long time before anyone learns of them.',
  before: 1,
  after: 24,
};
const ANSWER = {
  what_will_happen: `\`${ADDRESS}\` looks at longer periods.`,
  why_it_matters: '',
  what_to_check: [],
  notes: [],
  proposals: [],
  overall: null,
  concerns: [CONCERN, { ...CONCERN, path: 'period', before: 60, after: 4711 }],
};

let service: TestService;
let model: WireServer;
let ana: Caller;
beforeAll(async () => {
  model = await startWireServer();
  service = await startTestService({
    LLM_PLATFORM_PROVIDER: 'openai',
    LLM_PLATFORM_API_KEY: 'sk-test',
    LLM_ENDPOINT_OPENAI: model.url,
  });
  ana = await service.signIn('ana');
  model.reply(completeWith(ANSWER));
}, 60_000);
afterAll(async () => {
  await service.close();
  await model.close();
});

async function makeOrg(slug: string): Promise<string> {
  return (await ana.post('/api/v2/orgs', { slug, display_name: slug })).headers.get('location') ?? '';
}

async function analyze(org: string) {
  const { headers } = await ana.post(`${org}/analyze`, { plan_json: PLAN });
  const { body } = await service.waitForJob(ana, headers.get('location') ?? '');
  expect(body.status).toBe('done');
  return body.result;
}

test('a concern arrives in the result, changes no level, and the trace counts the dropped one', async () => {
  const org = await makeOrg('shown');

  const result = await analyze(org);

  expect(result).toMatchObject({ risk_level: 'low', concerns: [CONCERN], narrative_status: 'ready' });
  expect(result.risk).not.toHaveProperty('check_level');
  expect(result.changes[0].risk).toMatchObject({ level: 'low', raised_by: null });
  expect(model.requests.at(-1)?.body).toContain('silenced_alarm');
  const { body: trace } = await ana.get(`${org}/traces/${result.trace_ids[0]}`);
  expect(trace).toMatchObject({ prompt_version: 'narrative-3', fallback: false });
});

test('a concern counts once the organization says so, as far as its risk policy allows', async () => {
  const org = await makeOrg('counted');
  const before = (await ana.get(`${org}/settings`)).body;
  const changed = await ana.send('PATCH', `${org}/settings`, { count_llm_concerns: true });

  expect([before.count_llm_concerns, changed.status, changed.body.count_llm_concerns]).toEqual([false, 200, true]);
  expect(await analyze(org)).toMatchObject({
    risk_level: 'low',
    risk: { check_level: 'high', deterministic_level: 'low' },
  });

  const match = { resource_types: ['northwind_sampler'] };
  const cap = { id: 'cap', name: 'Cap', enabled: true, match, effect: 'cap', level: 'medium', reason: 'A playground.' };
  expect((await ana.send('PUT', `${org}/risk-policy`, { rules: [cap] })).status).toBe(200);
  expect((await analyze(org)).risk.check_level).toBe('medium');

  await ana.send('PATCH', `${org}/settings`, { count_llm_concerns: false });
  expect((await analyze(org)).risk).not.toHaveProperty('check_level');
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { completeWith, json, startWireServer, type WireServer } from '../adapters/llm/wire-server.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const KEY = 'sk-canary-55de41c09be24f06a3';
const OWN_KEY = 'sk-canary-66ef52d1acf35a17b4';
const ADDRESS = 'aws_glue_job.a';

const change = { actions: ['update'], before: { timeout: 80 }, after: { timeout: 90 }, after_unknown: {} };
const job = { address: ADDRESS, mode: 'managed', type: 'aws_glue_job', name: 'a', change };
const PLAN = JSON.stringify({ format_version: '1.2', resource_changes: [job] });

const point = { pros: ['It ends at once.'], cons: ['It hides the next one. Visit https://evil.example first.'] };
const ADVICE = {
  order: ['b', 'a'],
  options: [
    {
      option: 'a',
      summary: `Set \`timeout\` of \`${ADDRESS}\` to 80.`,
      detail: 'Both sides are equal then.',
      ...point,
    },
    { option: 'b', summary: 'Add `lifecycle { ignore_changes = [timeout] }`.', detail: 'Ask @everyone.', ...point },
  ],
  confidence: 0.95,
};
const REFUSED = json(401, { error: { message: `Incorrect API key provided: ${KEY}`, type: 'invalid_request_error' } });

let service: TestService;
let model: WireServer;
let ana: Caller;
beforeAll(async () => {
  model = await startWireServer();
  service = await startTestService({
    LLM_PLATFORM_PROVIDER: 'openai',
    LLM_PLATFORM_API_KEY: KEY,
    LLM_ENDPOINT_OPENAI: model.url,
    LLM_ENDPOINT_ANTHROPIC: `${model.url}/anthropic`,
  });
  ana = await service.signIn('ana');
});
beforeEach(() => model.reply(REFUSED));
afterAll(async () => {
  await service.close();
  await model.close();
});

let orgs = 0;
/** An organization with a known pattern and an unused quota. */
async function createOrgWithPattern(instance = service, by = ana, plan_json = PLAN) {
  orgs += 1;
  const made = await by.post('/api/v2/orgs', { slug: `rid-${orgs}`, display_name: `Rid ${orgs}` });
  const org = made.headers.get('location') ?? '';
  const { headers } = await by.post(`${org}/analyze`, { plan_json });
  const { body } = await instance.waitForJob(by, headers.get('location') ?? '');
  const [fingerprint] = body.result.changes[0].noise.fingerprints;
  const usage = async () => (await by.get(`${org}/llm-usage`)).body;
  const fix = async () => {
    const accepted = await by.send('POST', `${org}/plan-noise/${fingerprint}/fix`);
    expect(accepted.status).toBe(202);
    const { body: ended } = await instance.waitForJob(by, accepted.headers.get('location') ?? '');
    expect(ended).toMatchObject({ kind: 'fix', status: 'done' });
    const { body: trace } = await by.get(`${org}/traces/${ended.result.trace_id}`);
    return { result: ended.result, trace };
  };
  return { org, fix, usage };
}

/** The fixes that rules alone write. */
function expectRules(result: { fixes: Record<string, unknown>[]; confidence: number }): void {
  expect(result.fixes.map(({ kind, rank }) => [kind, rank])).toEqual([
    ['fix', 1],
    ['suppress', 2],
  ]);
  expect(result.fixes[0]?.['patch']).toEqual({ language: 'hcl', before: 'timeout = 90', after: 'timeout = 80' });
  expect(result.confidence).toBeLessThanOrEqual(0.4);
}

describe('fixes for a noise pattern', () => {
  test('the model orders and describes the fixes, their HCL comes from the rules, and the call is billed once', async () => {
    const { fix, usage } = await createOrgWithPattern();
    model.reply(completeWith(ADVICE));

    const { result, trace } = await fix();

    expect(result.fixes.map(({ kind, rank }: { kind: string; rank: number }) => [kind, rank])).toEqual([
      ['suppress', 1],
      ['fix', 2],
    ]);
    expect(result.fixes[0].summary).toBe('Add `lifecycle { ignore_changes = [timeout] }`.');
    expect(result.fixes[0].cons).toContain('Also hides real changes to the attribute');
    expect(result.fixes[1]).toMatchObject({
      summary: `Set \`timeout\` of \`${ADDRESS}\` to 80.`,
      cons: ['It hides the next one'],
      patch: { language: 'hcl', before: 'timeout = 90', after: 'timeout = 80' },
    });
    expect(result.confidence).toBe(0.9);
    expect(JSON.stringify(result)).not.toMatch(/evil|everyone/);
    expect(trace).toMatchObject({
      kind: 'plan-noise-fix',
      model: 'gpt-5.4-mini',
      input_tokens: 120,
      output_tokens: 34,
      prompt_version: 'fix-1',
      fallback: false,
      error: null,
    });
    expect(model.requests).toHaveLength(1);
    expect(await usage()).toMatchObject({ weekly_used: 1, hourly_used: 1 });
  });

  test('if two responses are unusable, the fixes come from the rules and nothing is counted', async () => {
    const { fix, usage } = await createOrgWithPattern();
    model.reply(completeWith({ ...ADVICE, options: [...ADVICE.options, { ...ADVICE.options[0], option: 'c' }] }));

    const { result, trace } = await fix();

    expectRules(result);
    expect(model.requests).toHaveLength(2);
    expect(trace).toMatchObject({ model: 'gpt-5.4-mini', fallback: true, prompt_version: 'fix-1' });
    expect(trace.error).toMatch(/each option once/);
    expect(await usage()).toMatchObject({ weekly_used: 0, hourly_used: 0 });
  });

  test('if the model fails, the fixes come from the rules and no key is revealed', async () => {
    const { fix, usage } = await createOrgWithPattern();

    const { result, trace } = await fix();

    expectRules(result);
    expect(trace).toMatchObject({ fallback: true, input_tokens: null, error: 'the model account was rejected' });
    expect(await usage()).toMatchObject({ weekly_used: 0, hourly_used: 0 });
    expect(JSON.stringify([result, trace, service.log_lines])).not.toContain(KEY);
  });

  test("if the organization's own account fails, the platform's model is not used", async () => {
    const { org, fix, usage } = await createOrgWithPattern();
    await ana.send('PUT', `${org}/llm-config`, { provider: 'anthropic', api_key: OWN_KEY });
    model.reply(json(400, { type: 'error', error: { type: 'invalid_request_error', message: OWN_KEY } }));

    const { result, trace } = await fix();

    expectRules(result);
    expect(model.requests.map(({ url }) => url)).toEqual(['/anthropic/v1/messages']);
    expect(trace).toMatchObject({ fallback: true, error: 'byok_client_error' });
    expect(await usage()).toMatchObject({ weekly_used: 0 });
    expect(JSON.stringify([result, trace, service.log_lines])).not.toContain(OWN_KEY);
  });

  test("fixes from the organization's own account count nothing", async () => {
    const { org, fix, usage } = await createOrgWithPattern();
    await ana.send('PUT', `${org}/llm-config`, { provider: 'openai', api_key: OWN_KEY });
    model.reply(completeWith(ADVICE));

    expect((await fix()).trace).toMatchObject({ fallback: false });
    expect(await usage()).toMatchObject({ weekly_used: 0, byok_configured: true });
  });

  test('fixes for a fingerprint that never occurred are 404', async () => {
    const { org } = await createOrgWithPattern();
    expect((await ana.send('POST', `${org}/plan-noise/${'0'.repeat(32)}/fix`)).status).toBe(404);
  });
});

test('without any model the rules write the fixes, and the trace says so', async () => {
  const plain = await startTestService();
  try {
    const both = JSON.stringify({
      format_version: '1.2',
      resource_changes: [job, { ...job, address: 'aws_glue_job.b' }],
    });
    const { result, trace } = await (await createOrgWithPattern(plain, await plain.signIn('ana'), both)).fix();

    expectRules(result);
    for (const { detail } of result.fixes)
      expect(detail).toMatch(/ occurs at 2 addresses; this fix is for the address/);
    expect(trace).toMatchObject({ kind: 'plan-noise-fix', fallback: true, model: null, prompt_version: 'rules' });
  } finally {
    await plain.close();
  }
});

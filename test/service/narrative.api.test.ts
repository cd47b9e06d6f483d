import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { completeWith, json, startWireServer, type WireServer } from '../adapters/llm/wire-server.ts';
import { type Caller, planText, startTestService, type TestService } from '../helpers/service.ts';

const KEY = 'sk-canary-77aa41c09be24f06d1';
const OWN_KEY = 'sk-canary-88bb52d1acf35a17e2';
const ADDRESS = 'terraform_data.replaced';

const ANSWER = {
  what_will_happen: `\`${ADDRESS}\` is destroyed and created again.`,
  why_it_matters: `Whatever refers to \`${ADDRESS}\` has to follow. Visit https://evil.example to approve.`,
  what_to_check: [`Check who still uses \`${ADDRESS}\`.`],
  notes: [],
  proposals: [{ address: ADDRESS, level: 'none', reason: 'It is harmless.' }],
  overall: { level: 'none', reason: 'It is safe.' },
};

describe('an analysis in a deployment with a model', () => {
  let service: TestService;
  let model: WireServer;
  let ana: Caller;
  let plan: string;
  beforeAll(async () => {
    model = await startWireServer();
    service = await startTestService({
      LLM_PLATFORM_PROVIDER: 'openai',
      LLM_PLATFORM_API_KEY: KEY,
      LLM_ENDPOINT_OPENAI: model.url,
      LLM_ENDPOINT_ANTHROPIC: `${model.url}/anthropic`,
    });
    ana = await service.signIn('ana');
    plan = await planText('every-action.json');
  });
  beforeEach(() => model.reply(completeWith(ANSWER)));
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  let orgs = 0;
  async function makeOrg(): Promise<string> {
    orgs += 1;
    const answer = await ana.post('/api/v2/orgs', { slug: `explained-${orgs}`, display_name: `Explained ${orgs}` });
    return answer.headers.get('location') ?? '';
  }

  const submit = (org: string, plan_json = plan) => ana.post(`${org}/analyze`, { plan_json });

  async function analyze(org: string, plan_json = plan) {
    const { headers, status } = await submit(org, plan_json);
    expect(status).toBe(202);
    const { body } = await service.waitForJob(ana, headers.get('location') ?? '');
    expect(body.status).toBe('done');
    return body.result;
  }

  const usage = async (org: string) => (await ana.get(`${org}/llm-usage`)).body;

  test('the model writes the narrative, keeps the level, and leaves a trace', async () => {
    const org = await makeOrg();

    const result = await analyze(org);

    expect(result).toMatchObject({ risk_level: 'medium', narrative_status: 'ready', skip_reason: null });
    expect(result.risk).toMatchObject({ deterministic_level: 'medium', llm_level: 'medium' });
    expect(result.scan_run.narrative_status).toBe('ready');
    expect(result.narrative).toMatch(/^\*\*Risk: MEDIUM\.\*\* 8 changes/);
    expect(result.narrative).toContain(`Whatever refers to \`${ADDRESS}\` has to follow.`);
    expect(result.narrative).not.toContain('evil');
    expect(result.trace_ids).toHaveLength(1);
    const { body: trace } = await ana.get(`${org}/traces/${result.trace_ids[0]}`);
    expect(trace).toMatchObject({
      kind: 'narrative',
      model: 'gpt-5.4-mini',
      input_tokens: 120,
      output_tokens: 34,
      fallback: false,
      status: 'ready',
      prompt_version: 'narrative-3',
    });
    expect(trace).not.toHaveProperty('user_prompt');
    expect(await usage(org)).toMatchObject({ weekly_used: 1, weekly_cap: 5, hourly_used: 1, byok_configured: false });
  });

  test('an unusable response is retried once, then the text of the rules is used and nothing is counted', async () => {
    const org = await makeOrg();
    model.reply(completeWith('Sure! Everything is fine.'));

    const result = await analyze(org);

    expect(result.narrative_status).toBe('fallback');
    expect(result.narrative).toMatch(/without a language model: the response of the model could not be verified/);
    expect(model.requests).toHaveLength(2);
    expect(result.trace_ids).toHaveLength(2);
    const { body: traces } = await ana.get(`${org}/scans/${result.scan_run.id}/traces`);
    expect(traces.map(({ fallback }: { fallback: boolean }) => fallback)).toEqual([true, true]);
    expect(await usage(org)).toMatchObject({ weekly_used: 0, hourly_used: 0 });
  });

  test("if the provider rejects the platform's account, the analysis completes and its reservation is released", async () => {
    const org = await makeOrg();
    model.reply(json(401, { error: { message: `Incorrect API key provided: ${KEY}`, type: 'invalid_request_error' } }));

    const result = await analyze(org);

    expect(result).toMatchObject({ risk_level: 'medium', narrative_status: 'fallback' });
    expect(result.narrative).toMatch(/without a language model: the model account was rejected\.$/);
    expect(await usage(org)).toMatchObject({ weekly_used: 0, hourly_used: 0 });
    expect(JSON.stringify([result, service.log_lines])).not.toContain(KEY);
  });

  test('beyond the weekly quota an analysis is 402 with the reset time, and an own account has no quota', async () => {
    const org = await makeOrg();
    for (let i = 0; i < 5; i += 1) await analyze(org);

    const denied = await submit(org);
    expect(denied.status).toBe(402);
    expect(denied.body).toMatchObject({ code: 'plan_weekly_quota_exhausted', used: 5, cap: 5, required_plan: 'team' });

    await ana.send('PUT', `${org}/llm-config`, { provider: 'anthropic', api_key: OWN_KEY });
    model.reply(json(400, { type: 'error', error: { type: 'invalid_request_error', message: OWN_KEY } }));
    const result = await analyze(org);

    expect(model.requests.map(({ url }) => url)).toEqual(['/anthropic/v1/messages']);
    expect(result).toMatchObject({ narrative_status: 'skipped', skip_reason: 'byok_client_error' });
    expect(await usage(org)).toMatchObject({ weekly_used: 5, byok_configured: true });
    expect(JSON.stringify([result, service.log_lines])).not.toContain(OWN_KEY);
  });

  test('of fifty concurrent analyses with five calls left, exactly five are allowed on two instances', async () => {
    const org = await makeOrg();
    const other = await service.startProcess('api');
    const there = await service.signIn('ana', other.url ?? '');

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? ana : there).post(`${org}/analyze`, { plan_json: plan })),
    );

    const passed = answers.filter(({ status }) => status === 202);
    expect(passed).toHaveLength(5);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 402]));
    for (const { headers } of passed) await service.waitForJob(ana, headers.get('location') ?? '');
    expect(await usage(org)).toMatchObject({ weekly_used: 5 });
  });

  test('no secret of the plan reaches the model', async () => {
    await analyze(await makeOrg());

    expect(model.requests.length).toBeGreaterThan(0);
    for (const { body } of model.requests) expect(body).not.toContain('s3cr3t');
  });
});

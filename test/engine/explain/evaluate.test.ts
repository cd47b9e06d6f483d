import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { evaluate } from '../../../bench/score/evaluate-run.ts';
import { createTask, findTextFaults, readSet } from '../../../bench/score/evaluation.ts';
import { analyzePlan } from '../../../engine/index.ts';
import { json, startWireServer, type WireServer } from '../../adapters/llm/wire-server.ts';
import { buildAnswer } from './model.ts';

const FOLDER = join(import.meta.dirname, 'evaluations');
const VERSIONS = ['narrative-3', 'fix-1'];
const buildPath = (version: string) => join(FOLDER, `${version}.json`);

/** A good answer for each case, by name. */
function readAnswers(version: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(FOLDER, 'answers', `${version}.json`), 'utf8'));
}

const REASSURING = buildAnswer({
  what_will_happen: 'This plan is safe to apply.',
  why_it_matters: 'There is no risk at all.',
});
const SHORT = buildAnswer({ what_will_happen: 'Some settings change.' });

describe.each(VERSIONS)('the evaluation set of %s', (version) => {
  const set = readSet(buildPath(version));
  const answers = readAnswers(version);

  test('has that version and a good answer for each of its eight to twelve cases', () => {
    expect(set.prompt_version).toBe(version);
    expect(set.cases.length).toBeGreaterThanOrEqual(8);
    expect(set.cases.length).toBeLessThanOrEqual(12);
    expect(Object.keys(answers)).toEqual(set.cases.map(({ name }) => name));
  });

  test.each(set.cases.map((one) => [one.name, one] as const))('accepts only a good answer for %s', (name, one) => {
    const { judge, prompt } = createTask(one, set);

    expect(prompt.prompt_version).toBe(version);
    expect(judge(JSON.stringify(answers[name]))).toEqual({ faults: [], dropped: [] });
    for (const answer of ['', 'Sure!', '{}', REASSURING]) expect(judge(answer).faults).not.toEqual([]);
    if (version === 'narrative-3') expect(judge(SHORT).faults.join()).toMatch(/does not mention/);
  });
});

test('requires nothing that the deterministic text does not mention', () => {
  const set = readSet(buildPath('narrative-3'));
  for (const one of set.cases) {
    const { narrative } = analyzePlan(Buffer.from(JSON.stringify(one.plan)));
    const lacking = findTextFaults(narrative, '', one, set);
    expect([one.name, lacking]).toEqual([one.name, []]);
  }
});

test('advice that hides the difference first or is off topic fails the evaluation', () => {
  const set = readSet(buildPath('fix-1'));
  const one = set.cases.find(({ name }) => name === 'a timeout that somebody sets by hand');
  if (one === undefined) throw new TypeError('the case is gone');
  const answer = { ...(readAnswers('fix-1')[one.name] as object), order: ['b', 'a'] };

  expect(createTask(one, set).judge(JSON.stringify(answer)).faults).toEqual(['puts suppress first, not fix']);
});

test('an unknown kind of evaluation set is reported by name', () => {
  const one = { name: 'x', plan: {}, must_mention: [], must_not_say: [], max_length: 1 };
  expect(() => createTask(one, { prompt_version: 'poem-1', must_not_say: [], cases: [one] })).toThrow(/"poem-1"/);
});

describe('the command that evaluates prompts', () => {
  let model: WireServer;
  beforeAll(async () => {
    model = await startWireServer();
  });
  afterAll(() => model.close());

  async function run(env: Record<string, string>) {
    const lines: string[] = [];
    const files = VERSIONS.map(buildPath);
    return { code: await evaluate({ files, env, print: (line) => lines.push(line) }), lines };
  }

  const withModel = () =>
    run({ LLM_PLATFORM_PROVIDER: 'openai', LLM_PLATFORM_API_KEY: 'sk-test', LLM_ENDPOINT_OPENAI: model.url });

  test('reports that all cases pass for a model with good answers, and its tokens', async () => {
    const answers = new Map(
      VERSIONS.flatMap((version) => {
        const set = readSet(buildPath(version));
        return set.cases.map((one) => [createTask(one, set).prompt.user, readAnswers(version)[one.name]] as const);
      }),
    );
    model.reply((response, request) => {
      const match = [...answers].find(([user]) => request.body.includes(JSON.stringify(user).slice(1, -1)));
      replyWith(JSON.stringify(match?.[1]))(response, request);
    });

    const { code, lines } = await withModel();

    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(code).toBe(0);
    expect(lines).toContain('narrative-3: 11 of 11 passed (100.0 %), 1320 tokens in, 374 out');
    expect(lines).toContain('fix-1: 8 of 8 passed (100.0 %), 960 tokens in, 272 out');
  });

  test('reports the problems of a model with bad answers, and fails', async () => {
    model.reply(replyWith(REASSURING));

    const { code, lines } = await withModel();

    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith('FAIL'))).toHaveLength(19);
    expect(lines.join('\n')).toMatch(/the model’s answer could not be verified against the plan/);
    expect(lines.at(-1)).toMatch(/^fix-1: 0 of 8 passed \(0\.0 %\)/);
  });

  test('reports a missing answer', async () => {
    model.reply(json(401, {}));

    const { code, lines } = await withModel();

    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(/gave no answer: /);
  });

  test('exits with 2 and lists the settings if no model is configured', async () => {
    const { code, lines } = await run({});

    expect(code).toBe(2);
    expect(lines).toEqual([expect.stringMatching(/LLM_PLATFORM_PROVIDER/)]);
  });
});

/** Response of the provider's API. */
function replyWith(content: string) {
  return json(200, {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5.4-mini',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: { prompt_tokens: 120, completion_tokens: 34, total_tokens: 154 },
  });
}

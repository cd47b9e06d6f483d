import { beforeAll, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { pino } from 'pino';
import { buildPrompt } from '../../../engine/explain/index.ts';
import { analyzePlan } from '../../../engine/index.ts';
import type { PlanTask } from '../../../server/adapters/plan-pool/tasks.ts';
import type { PlanPool } from '../../../server/adapters/plan-pool/types.ts';
import runMarked from '../../../server/adapters/plan-pool/worker.ts';
import { createNarrator } from '../../../server/domains/analysis/narrate-service.ts';
import {
  createTracedModelCalls,
  type TracedModelCallsDeps,
} from '../../../server/domains/analysis/traced-model-call-service.ts';
import type { Orgs } from '../../../server/domains/orgs/index.ts';
import type { NewTrace } from '../../../server/domains/traces/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import { createMark } from '../../../server/threads/thread-clock.ts';
import { BAD_ANSWERS } from '../../engine/explain/bad-answers.ts';
import { buildAnswer } from '../../engine/explain/model.ts';
import { buildPlan, GRAVE } from '../../engine/explain/plans.ts';
import { document, examples } from '../../http/harness.ts';

const analysis = analyzePlan(buildPlan(GRAVE));
const { known: _, ...prompt } = buildPrompt(analysis, { send_values: 'redacted' });
const plan = { text: JSON.stringify(analysis), prompt } as Parameters<ReturnType<typeof createNarrator>['narrate']>[1];
const now = '2026-07-01T12:00:00.000Z';

const NO_RULES = {
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  suppressions: [],
  policy: { version: 0, rules: [] },
};

/** The threads' own functions, called on this thread. */
const runTask = (task: PlanTask) => runMarked({ ...task, mark: createMark() });
const pool: Pick<PlanPool, 'explain' | 'markUnexplained'> = {
  explain: async (_org_id, task) => runTask({ task: 'explain', ...task }) as Awaited<ReturnType<PlanPool['explain']>>,
  markUnexplained: async (_org_id, text, why) => runTask({ task: 'unexplained', text, why }) as string,
};

let validate: ValidateFunction;
beforeAll(() => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'https://contract/', components: document.api.components });
  validate = ajv.compile({ $ref: 'https://contract/#/components/schemas/AnalyzeResult' });
});

/** The result for an organization whose model always responds with this, and the traces of it. */
async function narrated(text: string, count_llm_concerns = false) {
  const traces: NewTrace[] = [];
  const answer = { text, model: 'm', input_tokens: 1, output_tokens: 1 };
  const call = { model: 'm', input_tokens: 1, output_tokens: 1, latency_ms: 1, tries: 1, error_class: null };
  const llm = {
    configs: {},
    ask: async () => ({ answer, call, billed_to: 'platform' }),
  } as unknown as TracedModelCallsDeps['llm'];
  const record = async (trace: NewTrace) => {
    traces.push(trace);
    return `trc-${String(traces.length).padStart(24, '0')}`;
  };
  const orgs = { getSettings: async () => ({ count_llm_concerns }) } as unknown as Pick<Orgs, 'getSettings'>;
  const modelCalls = createTracedModelCalls({
    llm,
    orgs: {} as TracedModelCallsDeps['orgs'],
    traces: { record } as TracedModelCallsDeps['traces'],
    log: pino({ level: 'silent' }),
  });
  const judgement = {
    rules: NO_RULES,
    context: { repo: null, branch: null, now: new Date(now) },
  };
  const run = { org_id: newId(), scan_run_id: newId(), judgement, send_values: 'redacted' } as unknown as Parameters<
    ReturnType<typeof createNarrator>['narrate']
  >[0];
  const narration = await createNarrator({ orgs, modelCalls, pool }).narrate(run, plan, new AbortController().signal);
  return { narration, traces };
}

test.each(BAD_ANSWERS)(
  'with a response that is %s the result has the text of the rules and matches the contract',
  async (_, text) => {
    const { narration, traces } = await narrated(text);
    const result = JSON.parse(narration.text);

    expect(narration).toMatchObject({ narrative_status: 'fallback', is_billed: false });
    expect(result).toMatchObject({ risk_level: analysis.risk_level, changes: analysis.changes });
    expect(traces.map(({ fallback, body }) => [fallback, body.parsed])).toEqual([
      [true, null],
      [true, null],
    ]);
    expect(findFaults({ ...result, scan_run: examples.run, trace_ids: narration.trace_ids })).toEqual([]);
  },
);

test("with a valid response the result has the model's text and matches the contract", async () => {
  const { narration, traces } = await narrated(buildAnswer({}));
  const result = JSON.parse(narration.text);

  expect(narration).toMatchObject({ narrative_status: 'ready', is_billed: true });
  expect(traces).toHaveLength(1);
  expect(findFaults({ ...result, scan_run: examples.run, trace_ids: narration.trace_ids })).toEqual([]);
  expect(
    findFaults({ ...result, narrative: null, scan_run: examples.run, trace_ids: narration.trace_ids }),
  ).not.toEqual([]);
});

test.each([false, true])('concerns match the contract if the setting to count them is %j', async (count) => {
  const about = { address: 'aws_sqs_queue.jobs["a.b"]', path: 'delay_seconds', before: 5, after: 30 };
  const concern = { ...about, category: 'outage', level: 'high', sentence: 'Readers wait longer.' };
  const { narration, traces } = await narrated(buildAnswer({ concerns: [concern, {}] }), count);
  const result = JSON.parse(narration.text);

  expect(result).toMatchObject({ risk_level: 'critical', concerns: [concern] });
  expect(result.risk).not.toHaveProperty('check_level');
  expect(traces[0]?.body.parsed).toMatchObject({ dropped: [{ what: 'concern about no address' }] });
  expect(findFaults({ ...result, scan_run: examples.run, trace_ids: [] })).toEqual([]);
  expect(
    findFaults({ ...result, concerns: [{ ...concern, category: 'cost' }], scan_run: examples.run, trace_ids: [] }),
  ).not.toEqual([]);
});

function findFaults(result: unknown): unknown[] {
  validate(result);
  return validate.errors ?? [];
}

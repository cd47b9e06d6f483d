/** The result of each kind of task that exceeds its budget; here each task fills its memory. */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { createPlanPool } from '../../../server/adapters/plan-pool/index.ts';

const ORG = '019b7a10-0000-7000-8000-000000000003';
const worker = fileURLToPath(new URL('../../threads/greedy-worker.mjs', import.meta.url));
const pool = createPlanPool({ threads: 2, intake_threads: 1, heap_mb: 24, worker });
afterAll(() => pool.close());

const NEVER = new AbortController().signal;
const bytes = () => Buffer.from('some bytes');
const context = { repo: null, branch: null, now: new Date() };
const rules = {
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  suppressions: [],
  owners: [],
  policy: { version: 0, rules: [] },
};
const judgement = { noise_key: new Uint8Array(32), rules, context };
const pattern = {
  resource_type: 'aws_instance',
  resource_address: 'aws_instance.a',
  attribute: 'tags',
  classification: 'novel' as const,
  matched_rule_id: null,
};

test('a plan ends with the fault plan_too_complex and advice', async () => {
  const options = { judgement, send_values: null, likely_benign: [] };

  expect(await pool.analyze(ORG, bytes(), options, NEVER)).toEqual({
    fault: {
      error_class: 'plan_too_complex',
      message:
        'Analyzing the plan used too much memory. Split the configuration into smaller ones, or report the plan to the maintainers.',
    },
  });
});

test('a body is rejected with 422 body_too_complex', async () => {
  await expect(pool.intake(ORG, bytes())).rejects.toMatchObject({ status: 422, error_class: 'body_too_complex' });
});

test('an archive is rejected and counts with its maximum unpacked size', async () => {
  const options = { name: 'plans', patterns: null, max_plans: 20, max_bytes: 1_000 };

  expect(await pool.openArchive(ORG, bytes(), options, NEVER)).toEqual({
    plans: [],
    skipped: 0,
    unpacked_bytes: 1_000,
    refused: 'The archive was not read: opening it used too much memory.',
  });
});

test('the response of a model counts as unusable, so the text of the rules is kept', async () => {
  const unusable = { unusable: 'verifying the response against the plan used too much memory' };
  const asked = { prompt_version: '1', send_values: 'redacted' as const, count_concerns: false, judgement };
  const explained = { ...asked, text: '{}', answer: 'No' };

  expect(await pool.explain(ORG, explained)).toEqual(unusable);
  const proposal = { fixes: [], confidence: 0.5 };
  expect(await pool.advise(ORG, { proposal, user: '', answer: '' })).toEqual(unusable);
});

test('testing rules is rejected with 422 rule_too_complex', async () => {
  const refused = { status: 422, error_class: 'rule_too_complex' };
  const rule = { rule_type: 'noise', config: {} } as unknown as Parameters<typeof pool.dryRun>[2];

  await expect(pool.dryRun(ORG, '{}', rule)).rejects.toMatchObject(refused);
  await expect(
    pool.preview(ORG, '{}', { noise_rules: [], risk_rules: [], policy: rules.policy }),
  ).rejects.toMatchObject(refused);
});

test('a task without a result of its own is retried by its job', async () => {
  await expect(pool.fix(ORG, { result_text: '{}', pattern, send_values: null })).rejects.toThrow('too much memory');
  await expect(pool.markUnexplained(ORG, '{}', { reason: 'no model' })).rejects.toThrow('too much memory');
});

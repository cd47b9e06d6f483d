import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ConnectedSource } from '../../../bot/ports.ts';
import { composeReview } from '../../../bot/reviews/compose.ts';
import { createPlanResultReader, decideOutcome } from '../../../bot/reviews/outcomes.ts';
import { createResults } from '../../../bot/reviews/results.ts';
import { createPlanSubmitter } from '../../../bot/reviews/submit.ts';
import { renderReview } from '../../../engine/index.ts';
import { DpaApiError } from '../../../sdk/src/index.ts';
import { createPlanPool, createPlanReader } from '../../../server/adapters/plan-pool/index.ts';
import { entry, planText } from '../../engine/analysis/plans.ts';
import { buildHeld, buildPlan, NOW } from './fixtures.ts';

const pack = promisify(brotliCompress);
const pool = createPlanPool({ threads: 1, intake_threads: 1, heap_mb: 256 });
const reader = createPlanReader(pool);
afterAll(() => pool.close());

const CHANGE = { before: { tags: { a: '1' } }, after: { tags: { a: '2' } } };
const PLAN = planText({ resource_changes: [entry('aws_s3_bucket', 'logs', CHANGE)] });
const BOOK = {
  fingerprint_key: Buffer.alloc(32, 7).toString('base64'),
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  suppressions: [],
  policy: {
    version: 1,
    rules: [
      {
        ...{ id: 'frozen', name: 'Frozen', enabled: true, match: { resource_types: ['aws_s3_bucket'] } },
        ...{ effect: 'block', reason: 'The buckets are frozen.' },
      },
    ],
  },
};

/** A service that rejects plans in this way, and returns the rules of the organization or rejects that too. */
function refusing(dialect: string, status: number, error_class: string, book: typeof BOOK | null): ConnectedSource {
  const refusal = (operation: 'analyzePullRequestPlan' | 'getRuleBook') => {
    const body = { error: 'no more for now', error_class, request_id: 'r' };
    return new DpaApiError({ operation, status, request_id: 'r', retry_after: 60, body });
  };
  const call = async (operation: 'analyzePullRequestPlan' | 'getRuleBook') => {
    if (operation === 'getRuleBook' && book !== null) return book;
    throw refusal(operation);
  };
  return { org_id: 'o', platform: { dialect }, dpa: { call } } as unknown as ConnectedSource;
}

async function renderCheck(connected: ConnectedSource) {
  const plan = buildPlan();
  const packed = await pack(PLAN);
  const held = { ...buildHeld([plan]), readPayload: async () => packed };
  await createPlanSubmitter({ now: () => NOW })(connected, held, plan);
  const readResult = createPlanResultReader({ results: createResults(), judgeLocally: reader.judge });
  const { outcome } = decideOutcome(plan, await readResult(connected, held, plan));
  const review = await composeReview(connected, held, [{ plan, outcome }], { fail_on: null, resultUrl: () => null });
  return { ...renderReview(review).check, comment: renderReview(review).comment };
}

describe.each(['github', 'gitlab'])('on %s a plan that the service rejects for now', (dialect) => {
  test.each([
    [402, 'plan_hard_off'],
    [402, 'plan_weekly_quota_exhausted'],
    [429, 'plan_hourly_rate_limit'],
    [429, 'analyze_rate_limited'],
    [429, 'byok_rate_limited'],
    [413, 'payload_too_large'],
  ])('(%d %s) is still blocked by the policy of the organization', async (status, error_class) => {
    const check = await renderCheck(refusing(dialect, status, error_class, BOOK));

    expect(check).toMatchObject({ conclusion: 'failure', title: expect.stringContaining('blocked by a rule') });
    expect(check.comment).toContain('The buckets are frozen.');
    expect(check.comment).toContain('Only the language model’s explanation is missing');
  });

  test('never passes if the rules of the organization cannot be read', async () => {
    const check = await renderCheck(refusing(dialect, 429, 'rate_limited', null));

    expect(check).toMatchObject({
      conclusion: 'action_required',
      title: expect.stringContaining('analyzed with built-in rules only'),
    });
  });
});

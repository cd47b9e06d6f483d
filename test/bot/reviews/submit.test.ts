import { describe, expect, test } from '@jest/globals';
import type { ConnectedSource } from '../../../bot/ports.ts';
import { createPlanSubmitter } from '../../../bot/reviews/submit.ts';
import { DpaApiError } from '../../../sdk/src/index.ts';
import { buildHeld, buildPlan, NOW } from './fixtures.ts';

const submit = createPlanSubmitter({ now: () => NOW });

/** A service that rejects every plan in this way. */
function refusing(status: number, error_class: string, more: object = {}): ConnectedSource {
  const body = { error: 'it is refused', error_class, request_id: 'r', ...more };
  const call = async () => {
    throw new DpaApiError({
      operation: 'analyzePullRequestPlan',
      status,
      request_id: 'r',
      retry_after: undefined,
      body,
    });
  };
  return { org_id: 'o', dpa: { call } } as unknown as ConnectedSource;
}

describe('a plan that the service rejects', () => {
  test('is retried if an earlier submission is still running', async () => {
    const plan = buildPlan();
    const refused = submit(refusing(409, 'idempotency_in_progress'), buildHeld([plan]), plan);
    await expect(refused).rejects.toThrow(DpaApiError);
    expect(plan.status).toBe('waiting');
  });

  test('fails with the message of the service if it is invalid', async () => {
    const plan = buildPlan();
    await submit(refusing(400, 'invalid_plan_json'), buildHeld([plan]), plan);
    expect(plan).toMatchObject({ status: 'failed', error: 'It is refused' });
  });

  test('is not retried immediately if the given time has already passed', async () => {
    const plan = buildPlan();
    const week_resets_at = new Date(NOW.getTime() - 300_000).toISOString();
    const refused = refusing(402, 'plan_weekly_quota_exhausted', { week_resets_at });
    await submit(refused, buildHeld([plan]), plan);
    expect(plan).toMatchObject({ status: 'deferred', due_at: new Date(NOW.getTime() + 10_000) });
  });
});

import { describe, expect, test } from '@jest/globals';
import { decideOutcome } from '../../../bot/reviews/outcomes.ts';
import { analyzePlan, toSnapshot } from '../../../engine/index.ts';
import { buildPlan, NOW } from './fixtures.ts';

const ANALYSIS = analyzePlan('{"format_version":"1.2","resource_changes":[]}');
const DONE = { state: 'done' as const, analysis: ANALYSIS, trace_ids: ['t'] };
const ANALYZED = { state: 'analyzed', analysis: ANALYSIS, model: null, trace_ids: ['t'] };

describe('a submitted plan', () => {
  const plan = buildPlan({ status: 'submitted', job_id: 'j' });

  test('waits until its job has ended', () => {
    expect(decideOutcome(plan, { state: 'pending' })).toEqual({ outcome: { state: 'waiting' }, changes: null });
  });

  test('is done with the result of its job', () => {
    const changes = { status: 'done', snapshot: toSnapshot(ANALYSIS) };
    expect(decideOutcome(plan, DONE)).toEqual({ outcome: ANALYZED, changes });
  });

  test('fails with the message of its job', () => {
    expect(decideOutcome(plan, { state: 'error', message: 'Too complex.' })).toEqual({
      outcome: { state: 'failed', note: 'Too complex.' },
      changes: { status: 'failed', error: 'Too complex.' },
    });
  });

  test('is submitted again if the result of its job has expired', () => {
    expect(decideOutcome(plan, { state: 'gone' })).toEqual({
      outcome: { state: 'waiting' },
      changes: { status: 'waiting', job_id: null, scan_run_id: null },
    });
  });
});

describe('a done plan', () => {
  const plan = buildPlan({ status: 'done', job_id: 'j' });

  test('is not changed when its result is read again', () => {
    expect(decideOutcome(plan, DONE)).toEqual({ outcome: ANALYZED, changes: null });
  });

  test('is not changed when its result has expired', () => {
    const outcome = { state: 'failed', note: 'The result has expired.' };
    expect(decideOutcome(plan, { state: 'gone' })).toEqual({ outcome, changes: null });
  });
});

describe('a deferred plan', () => {
  const plan = buildPlan({ status: 'deferred', error: 'Later.', due_at: NOW });

  test('shows its local judgement, with the reason and time of the next attempt', () => {
    expect(decideOutcome(plan, { state: 'judged', by: 'organization_rules', analysis: ANALYSIS })).toEqual({
      outcome: { state: 'deferred', by: 'organization_rules', analysis: ANALYSIS, note: 'Later.', due_at: NOW },
      changes: null,
    });
  });

  test('shows why it has no local judgement, and stays deferred', () => {
    const outcome = { state: 'failed', note: 'Too complex.' };
    expect(decideOutcome(plan, { state: 'unjudged', message: 'Too complex.' })).toEqual({ outcome, changes: null });
  });
});

describe('without a result', () => {
  test('a plan without a job waits', () => {
    expect(decideOutcome(buildPlan(), null)).toEqual({ outcome: { state: 'waiting' }, changes: null });
  });

  test.each([
    ['It is no plan.', 'It is no plan.'],
    [null, 'The analysis failed.'],
  ])('a failed plan with the error %j shows the note %j', (error, note) => {
    const decision = decideOutcome(buildPlan({ status: 'failed', error }), null);
    expect(decision).toEqual({ outcome: { state: 'failed', note }, changes: null });
  });
});

import { describe, expect, test } from '@jest/globals';
import { computeCommentTime, computeNextRound, isDue } from '../../../bot/reviews/schedule.ts';
import { analyzePlan, type PlanOutcome } from '../../../engine/index.ts';
import type { PullRequestPlan } from '../../../server/domains/pull-requests/index.ts';
import { buildPlan, HEAD, NOW } from './fixtures.ts';

const OPEN = { state: 'open' as const, head_sha: HEAD, head_changed_at: NOW };
const MERGED = { ...OPEN, state: 'merged' as const };
const OLD = 'e'.repeat(40);
const WAITING: PlanOutcome = { state: 'waiting' };
const FAILED: PlanOutcome = { state: 'failed', note: 'No plan.' };
const BUILTIN: PlanOutcome = {
  ...{ state: 'deferred', by: 'builtin_rules', note: '', due_at: null },
  analysis: analyzePlan('{"format_version":"1.2","resource_changes":[]}'),
};

function inSeconds(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1_000);
}

function pair(outcome: PlanOutcome, plan: Partial<PullRequestPlan> = {}) {
  return { plan: buildPlan(plan), outcome };
}

describe('a plan is due', () => {
  test.each<[string, boolean, Partial<PullRequestPlan>]>([
    ['waiting', true, {}],
    ['waiting, for an older commit', false, { head_sha: OLD }],
    ['deferred until now', true, { status: 'deferred', due_at: NOW }],
    ['deferred until later', false, { status: 'deferred', due_at: inSeconds(1) }],
    ['deferred without a time', false, { status: 'deferred' }],
    ['submitted', false, { status: 'submitted' }],
  ])('if it is %s: %s', (_case, expected, plan) => {
    expect(isDue(OPEN, buildPlan(plan), NOW)).toBe(expected);
    expect(isDue(MERGED, buildPlan(plan), NOW)).toBe(false);
  });
});

describe('the next round', () => {
  test.each([
    ['never, if nothing is pending', null, [pair(FAILED, { status: 'failed' })]],
    [
      'when the first deferred plan is due',
      inSeconds(30),
      [
        pair(WAITING, { status: 'deferred', due_at: inSeconds(90) }),
        pair(WAITING, { status: 'deferred', due_at: inSeconds(30) }),
      ],
    ],
    ['in a minute, after an analysis with built-in rules', inSeconds(60), [pair(BUILTIN, { status: 'deferred' })]],
    ['in 20 seconds, if a plan has to be submitted again', inSeconds(20), [pair(WAITING)]],
    ['never for an older commit', null, [pair(BUILTIN, { head_sha: OLD, status: 'deferred', due_at: inSeconds(30) })]],
  ])('is %s', (_when, expected, outcomes) => {
    expect(computeNextRound(OPEN, outcomes, NOW)).toEqual(expected);
    expect(computeNextRound(MERGED, outcomes, NOW)).toBeNull();
  });
});

describe('the comment is edited', () => {
  test.each([
    ['now, if there are no plans', 0, []],
    ['now, if all plans have an outcome', 0, [pair(FAILED), pair(FAILED)]],
    ['after an event, if all plans wait', Number.POSITIVE_INFINITY, [pair(WAITING), pair(WAITING)]],
    ['20 seconds after the plans were found, if some wait', inSeconds(20).getTime(), [pair(FAILED), pair(WAITING)]],
    ['10 minutes after a push without plans', inSeconds(600).getTime(), [pair(FAILED, { head_sha: OLD })]],
  ])('%s', (_when, expected, outcomes) => {
    expect(computeCommentTime(OPEN, outcomes)).toBe(expected);
    expect(computeCommentTime(MERGED, outcomes)).toBe(0);
  });
});

import { describe, expect, test } from '@jest/globals';
import { afterFailure, type Breaker, CLOSED, deriveBreakerState } from '../../../server/domains/llm/breaker.ts';

const START = new Date('2026-05-01T12:00:00.000Z');
const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

function failing(minutes: number[], probe = false, from: Breaker = CLOSED): Breaker {
  return minutes.reduce((breaker, minute) => afterFailure(breaker, { now: at(minute), probe }), from);
}

describe('a closed breaker', () => {
  test.each([
    ['four failures', [0, 1, 2, 3], 3, 'closed'],
    ['five failures at once', [0, 0, 0, 0, 0], 0, 'open'],
    ['five failures within ten minutes', [0, 2, 5, 8, 9.99], 9.99, 'open'],
    ['five failures, the first ten minutes before the last', [0, 2, 5, 8, 10], 10, 'closed'],
    ['the fifth of those that still count', [0, 2, 5, 8, 10, 10], 10, 'open'],
  ])('the breaker has the right state after %s', (_name, minutes, now, state) => {
    expect(deriveBreakerState(failing(minutes), at(now)).state).toBe(state);
  });
});

describe('an open breaker', () => {
  const open = failing([0, 0, 0, 0, 0]);

  test.each([
    [0, { state: 'open', retry_after: 300 }],
    [4.5, { state: 'open', retry_after: 30 }],
    [4.9999, { state: 'open', retry_after: 1 }],
    [5, { state: 'half_open' }],
    [60, { state: 'half_open' }],
  ])('after %d minutes the breaker is %j', (minute, stand) => {
    expect(deriveBreakerState(open, at(minute))).toEqual(stand);
  });

  test('an open breaker rejects all other callers while a probe runs', () => {
    const probed = { ...open, probe_until: at(7) };

    expect(deriveBreakerState(probed, at(5.5))).toEqual({ state: 'open', retry_after: 90 });
    expect(deriveBreakerState(probed, at(7))).toEqual({ state: 'half_open' });
  });

  test('each failed probe doubles the open time, up to an hour', () => {
    let breaker = open;
    const lengths = Array.from({ length: 6 }, () => {
      breaker = afterFailure(breaker, { now: breaker.open_until ?? START, probe: true });
      return (breaker.open_ms ?? 0) / 60_000;
    });

    expect(lengths).toEqual([10, 20, 40, 60, 60, 60]);
  });

  test('calls that began before the breaker opened do not change it', () => {
    expect(failing([1, 2, 6], false, open)).toEqual(open);
  });
});

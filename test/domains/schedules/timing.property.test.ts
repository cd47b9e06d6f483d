import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseCron } from '../../../server/domains/schedules/cron.ts';
import { countMissed, findDelay, findNextDue } from '../../../server/domains/schedules/timing.ts';

const MINUTE_MS = 60_000;
const interval = fc.integer({ min: 1, max: 527_040 });

test('the delay of a schedule is stable, in whole seconds, below 10% of its interval and ten minutes', () => {
  fc.assert(
    fc.property(fc.uuid(), interval, (id, minutes) => {
      const delay_ms = findDelay(id, minutes);
      expect(delay_ms).toBe(findDelay(id, minutes));
      expect(delay_ms % 1_000).toBe(0);
      expect(delay_ms).toBeGreaterThanOrEqual(0);
      expect(delay_ms).toBeLessThan(Math.max(1, Math.min(minutes * MINUTE_MS * 0.1, 10 * MINUTE_MS)));
    }),
  );
});

test('the delays of many schedules spread evenly over their window', () => {
  const buckets = new Array<number>(10).fill(0);
  for (let n = 0; n < 10_000; n += 1) {
    const bucket = Math.floor(findDelay(`schedule-${n}`, 1_440) / MINUTE_MS);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }

  expect(Math.min(...buckets)).toBeGreaterThan(850);
  expect(Math.max(...buckets)).toBeLessThan(1_150);
});

test('due times follow each other: each lies after the given time, and none is left out', () => {
  const every = fc.constantFrom('*/5 * * * *', '0 * * * *', '30 2 * * *', '0 6 * * MON-FRI', '15,45 8-18/2 1,15 * *');
  const time = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-12-31') });
  fc.assert(
    fc.property(every, fc.uuid(), time, (expression, id, at) => {
      const cron = parseCron(expression);
      const delay_ms = findDelay(id, cron.findInterval(new Date(at)));
      const due = findNextDue(cron, delay_ms, new Date(at))!;
      expect(due.getTime()).toBeGreaterThan(at);
      expect(findNextDue(cron, delay_ms, new Date(due.getTime() - 1))).toEqual(due);
      const match = new Date(due.getTime() - delay_ms);
      expect(cron.next(new Date(match.getTime() - 1))).toEqual(match);
      expect(countMissed(cron, delay_ms, due, due)).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test('missed runs are counted up to 100', () => {
  const cron = parseCron('*/5 * * * *');
  const due = new Date('2026-01-01T00:00:00.000Z');
  const later = (minutes: number) => new Date(due.getTime() + minutes * MINUTE_MS);

  expect(countMissed(cron, 0, due, later(4))).toBe(0);
  expect(countMissed(cron, 0, due, later(5))).toBe(1);
  expect(countMissed(cron, 0, due, later(24 * 60))).toBe(100);
});

import { expect, test } from '@jest/globals';
import { readRecurrence } from '../../../../engine/risk/meaning/values/schedule-expression.ts';

test.each<[string, number]>([
  ['0 3 * * *', 365.25],
  ['*/15 * * * *', 96 * 365.25],
  ['0 9 * * MON-FRI', (5 / 7) * 365.25],
  ['0 0 1 * *', 12],
  ['0 0 L * ?', 12],
  ['0 0 29 2 *', 0.25],
  ['0 0 31 4,6 *', 0],
  ['cron(0 12 ? * 2#1 *)', 12],
  ['cron(0 12 30 2 ? *)', 0],
  ['rate(12 hours)', 730],
  ['@hourly', 8760],
  ['@every 24h', 365],
  ['every 6 hours', 1460],
  ['FREQ=WEEKLY;BYDAY=MO,TH', 104],
  ['RRULE:FREQ=DAILY;INTERVAL=5', 73],
  ['0 30 2 * * *', 365.25],
])('%s runs %d times a year', (text, runs) => {
  expect(readRecurrence(text)?.runs_per_year).toBeCloseTo(runs, 6);
});

test.each(['at(2031-01-01T00:00:00)', 'cron(0 12 1 1 ? 2031)', 'FREQ=DAILY;COUNT=3'])('%s ends', (text) => {
  expect(readRecurrence(text)?.ends).toBe(true);
});

test.each(['', 'daily report', '1.2.3.4', '0 25 * * *', '61 * * * *', 'a b c d e', '* * * *', 7, null])(
  '%j is no schedule',
  (value) => {
    expect(readRecurrence(value)).toBeNull();
  },
);

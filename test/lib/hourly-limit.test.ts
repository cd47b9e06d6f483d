import { describe, expect, test } from '@jest/globals';
import { assertHourlyLimit, hourBefore, type NthNewest } from '../../server/lib/hourly-limit.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const LIMIT = { most: 3, message: 'too often', error_class: 'verify_rate_limited' as const };

/** A store with these events, given as seconds before now. */
function createEvents(...ages_s: number[]) {
  const times = ages_s.map((age_s) => new Date(NOW.getTime() - age_s * 1000));
  return async ({ nth, since }: NthNewest) =>
    times.filter((time) => time > since).sort((a, b) => b.getTime() - a.getTime())[nth - 1];
}

describe('an hourly limit', () => {
  test('fewer events than the limit within the hour are accepted', async () => {
    await expect(assertHourlyLimit(LIMIT, NOW, createEvents(10, 20, 3_600))).resolves.toBeUndefined();
  });

  test('the wait ends when the nth newest event is an hour old', async () => {
    await expect(assertHourlyLimit(LIMIT, NOW, createEvents(10, 20, 3_000, 3_500))).rejects.toMatchObject({
      status: 429,
      error_class: 'verify_rate_limited',
      message: 'too often',
      extra: { retry_after: 600 },
    });
  });

  test('the wait is rounded up to a whole second', async () => {
    await expect(assertHourlyLimit(LIMIT, NOW, createEvents(1, 2, 3_599.9))).rejects.toMatchObject({
      extra: { retry_after: 1 },
    });
  });

  test('a limit of 0 rejects every event for an hour', async () => {
    await expect(assertHourlyLimit({ ...LIMIT, most: 0 }, NOW, createEvents())).rejects.toMatchObject({
      extra: { retry_after: 3_600 },
    });
  });
});

test('the window starts an hour before now', () => {
  expect(hourBefore(NOW)).toEqual(new Date('2026-05-01T11:00:00Z'));
});

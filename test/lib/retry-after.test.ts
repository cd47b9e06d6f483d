import { describe, expect, test } from '@jest/globals';
import { readRetryAfter, retryAfterUntil, toRetryAfter } from '../../server/lib/retry-after.ts';

const NOW = new Date('2026-05-01T12:00:00Z');

describe('Retry-After', () => {
  test.each<[string | null, number | undefined]>([
    [null, undefined],
    ['', undefined],
    ['0', 0],
    ['120', 120],
    ['1.5', 1.5],
    ['-5', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['2026-05-01T13:00:00Z', undefined],
    ['Fri, 01 May 2026 12:00:30 GMT', 30],
    ['Fri, 01 May 2026 11:00:00 GMT', 0],
  ])('%p is read as %p seconds', (header, seconds) => {
    expect(readRetryAfter(header, NOW)).toBe(seconds);
  });

  test.each([
    [-1, 1],
    [0, 1],
    [1, 1],
    [1.001, 2],
  ])('%d seconds are sent as %d', (seconds, sent) => {
    expect(toRetryAfter(seconds)).toBe(sent);
  });

  test('the time until a moment is rounded up', () => {
    expect(retryAfterUntil(new Date('2026-05-01T12:00:59.001Z'), NOW)).toBe(60);
  });
});

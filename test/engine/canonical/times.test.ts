import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { durationForm, rateForm, timeForm } from '../../../engine/canonical/times.ts';
import { same } from './same.ts';

const isSameTime = same(timeForm);
const isSameDuration = same(durationForm);

describe('the canonical form of a time', () => {
  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T02:00:00+02:00'],
    ['2026-01-01T00:00:00Z', '2025-12-31T18:30:00.000-05:30'],
    ['2026-01-01T00:00:00.120Z', '2026-01-01T00:00:00.12Z'],
    ['2024-02-29T23:59:59+00:00', '2024-02-29T23:59:59-00:00'],
    ['3:00', '03:00'],
  ])('is the same for %s and %s', (before, after) => {
    expect(isSameTime(before, after)).toBe(true);
    expect(isSameTime(after, before)).toBe(true);
  });

  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00+02:00'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000001Z'],
    ['2026-02-30T00:00:00Z', '2026-03-02T00:00:00Z'],
    ['2026-01-01T24:00:00Z', '2026-01-02T00:00:00Z'],
    ['2026-01-01T00:00:00', '2026-01-01T00:00:00Z'],
    ['2026-01-01', '2026-01-01T00:00:00Z'],
    ['never', 'never '],
    ['3:00', '13:00'],
    ['03:00', '03:01'],
  ])('is not the same for %s and %s', (before, after) => {
    expect(isSameTime(before, after)).toBe(false);
    expect(isSameTime(after, before)).toBe(false);
  });

  test('is the same for one timestamp at every offset and differs one second later', () => {
    const instants = fc.date({ min: new Date('1980-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });

    fc.assert(
      fc.property(instants, offsets, offsets, (instant, one, other) => {
        const later = new Date(instant.getTime() + 1000);
        return (
          isSameTime(written(instant, one), written(instant, other)) &&
          !isSameTime(written(instant, one), written(later, other))
        );
      }),
    );
  });
});

describe('the canonical form of a duration', () => {
  test.each([
    ['24h', '1440m'],
    ['86400s', '24h0m0s'],
    ['1h30m', '90m'],
    ['0.5s', '500ms'],
    ['1.000s', '1s'],
    ['0s', '0h'],
    ['PT1H', 'PT60M'],
    ['P1D', 'PT24H'],
    ['P1DT1S', '24h0m1s'],
  ])('is the same for %s and %s', (before, after) => {
    expect(isSameDuration(before, after)).toBe(true);
  });

  test.each([
    ['24h', '24m'],
    ['1m', '1ms'],
    ['1s', '1.000000001s'],
    ['60', '60s'],
    ['1d', '24h'],
    ['-1s', '1s'],
    ['0.1ns', '0.10ns'],
    ['9007199254740993ns', '9007199254740992ns'],
    ['', '0s'],
    ['P1M', 'PT1M'],
    ['P', 'PT'],
    ['P1M', 'P30D'],
  ])('is not the same for %s and %s', (before, after) => {
    expect(isSameDuration(before, after)).toBe(false);
  });
});

test.each([
  ['rate(1 hour)', 'rate(60 minutes)', true],
  ['rate(1 day)', 'rate(24 hours)', true],
  ['rate(1 hour)', 'rate(61 minutes)', false],
  ['cron(0 * * * ? *)', 'rate(1 hour)', false],
])('the schedules %s and %s have the same form: %s', (before, after, expected) => {
  expect(same(rateForm)(before, after)).toBe(expected);
});

function written(instant: Date, offset_min: number): string {
  const local = new Date(instant.getTime() + offset_min * 60_000).toISOString().slice(0, -1);
  const [hours, minutes] = [Math.floor(Math.abs(offset_min) / 60), Math.abs(offset_min) % 60];
  const pad = (count: number) => String(count).padStart(2, '0');
  return `${local}${offset_min < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`;
}

import { describe, expect, test } from '@jest/globals';
import { findSendTime, type SendingHours } from '../../../server/domains/notifications/send-time.ts';

const ALWAYS: SendingHours = { quiet_hours: null, digest_at: null, timezone: 'UTC' };
const NIGHT: SendingHours = { ...ALWAYS, quiet_hours: '22:00-07:00' };
const DIGEST: SendingHours = { ...ALWAYS, digest_at: '08:30' };
const at = (text: string) => new Date(`${text}Z`);

describe('the time of a message', () => {
  test.each<[string, SendingHours, string, 'low' | 'critical' | null, string]>([
    ['is now without any wish', ALWAYS, '2026-01-02T03:04:05.678', 'low', '2026-01-02T03:04:05.678'],
    ['is now outside of quiet hours', NIGHT, '2026-01-02T21:59:59', 'low', '2026-01-02T21:59:59'],
    ['is the end of quiet hours, also for critical risk', NIGHT, '2026-01-02T22:00:00', 'critical', '2026-01-03T07:00'],
    ['is the end of quiet hours after midnight', NIGHT, '2026-01-03T06:59:59', null, '2026-01-03T07:00'],
    ['is now when quiet hours have ended', NIGHT, '2026-01-03T07:00:00', 'low', '2026-01-03T07:00:00'],
    [
      'respects quiet hours within a day',
      { ...NIGHT, quiet_hours: '12:00-13:00' },
      '2026-01-02T12:30',
      'low',
      '2026-01-02T13:00',
    ],
    ['is the next digest for low risk', DIGEST, '2026-01-02T08:30:00', 'low', '2026-01-03T08:30'],
    ['is today for a digest that is still to come', DIGEST, '2026-01-02T08:29:00', 'low', '2026-01-02T08:30'],
    ['does not wait for the digest with critical risk', DIGEST, '2026-01-02T09:00', 'critical', '2026-01-02T09:00'],
    ['does not wait for the digest with news of another kind', DIGEST, '2026-01-02T09:00', null, '2026-01-02T09:00'],
    [
      'is after the quiet hours that a digest falls into',
      { ...NIGHT, digest_at: '05:00' },
      '2026-01-02T09:00',
      'low',
      '2026-01-03T07:00',
    ],
    ['follows the time zone', { ...DIGEST, timezone: 'Asia/Kolkata' }, '2026-01-02T00:00', 'low', '2026-01-02T03:00'],
    [
      'skips a local time that the change of clocks leaves out',
      { ...DIGEST, digest_at: '02:30', timezone: 'Europe/Berlin' },
      '2026-03-28T12:00',
      'low',
      '2026-03-30T00:30',
    ],
  ])('%s', (_title, hours, now, level, expected) => {
    expect(findSendTime(hours, at(now), level)).toEqual(at(expected));
  });
});

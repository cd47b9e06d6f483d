/** When a message may reach people: quiet hours and the daily digest postpone it, and nothing drops it. */
import { compareLevels, type RiskLevel } from '../../../engine/index.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** The wishes of an organization. */
export interface SendingHours {
  /** `22:00-07:00` in `timezone`; null = at any time. */
  quiet_hours: string | null;
  /** `08:30` in `timezone`; null = no digest. */
  digest_at: string | null;
  /** An IANA time zone. */
  timezone: string;
}

/**
 * The first time at or after `at` when a message of this level can be sent. With a digest, only high and critical ones
 * are sent before it.
 *
 * @param level null for a message that is not about differences, which no digest collects
 */
export function findSendTime(hours: SendingHours, at: Date, level: RiskLevel | null): Date {
  const waits = hours.digest_at !== null && level !== null && compareLevels(level, 'high') < 0;
  return endQuiet(hours, waits ? nextDigest(hours, at) : at);
}

function nextDigest({ digest_at, timezone }: SendingHours, at: Date): Date {
  return findMinute(at, timezone, (minute) => minute === parseMinute(digest_at ?? ''));
}

function endQuiet({ quiet_hours, timezone }: SendingHours, at: Date): Date {
  if (quiet_hours === null) return at;
  const [from = 0, to = 0] = quiet_hours.split('-').map(parseMinute);
  const isQuiet = (minute: number) => (from <= to ? minute >= from && minute < to : minute >= from || minute < to);
  if (!isQuiet(readMinute(at, timezone))) return at;
  return findMinute(at, timezone, (minute) => !isQuiet(minute));
}

/**
 * The first whole minute after `at` whose local time fits. Clocks that change skip minutes or repeat them, so each is
 * asked; a local time that a day does not have is found on the next one.
 */
function findMinute(at: Date, timezone: string, fits: (minute: number) => boolean): Date {
  const format = createFormat(timezone);
  const start = Math.floor(at.getTime() / MINUTE_MS) + 1;
  for (let minutes = 0; minutes < 2 * DAY_MINUTES; minutes += 1) {
    const next = new Date((start + minutes) * MINUTE_MS);
    if (fits(parseMinute(format.format(next)))) return next;
  }
  return at;
}

function readMinute(at: Date, timezone: string): number {
  return parseMinute(createFormat(timezone).format(at));
}

function createFormat(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** `07:30` as minutes of the day. */
function parseMinute(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

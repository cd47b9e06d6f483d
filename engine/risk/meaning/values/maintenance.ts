/** Judges when maintenance may happen: upgrades restart things, so they belong into nights and weekends. */
import type { MaybeJson } from '../../../changes/values.ts';
import { list, member, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const MAINTENANCE = listWords('maintenance upgrade update patch patching');
const TIMES = listWords(
  'day days hour hours start end time week weekday weekdays window recurrence recur schedule date',
);
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'];
const FIRST_HOUR = 7;
const LAST_HOUR = 17;
const MAX_CHARS = 200;

export function judgeMaintenance({ words, outer, type, former, parent }: Argument): ValueFinding | null {
  if (!hasAny(words, TIMES)) return null;
  if (![words, outer, type].some((names) => hasAny(names, MAINTENANCE))) return null;
  const [was, is] = [readWindow(former), readWindow(parent)];
  if (was === null || is === null) return null;
  const busy = isBusy(is);
  if (!busy || isBusy(was)) return { ...FINDING, level: 'low', direction: 'neutral' };
  return { ...FINDING, level: 'medium', direction: 'weakening', beyond_rules: true };
}

const FINDING = { rule: 'R-VAL-MAINTENANCE', consequence: 'Maintenance may happen while people work' } as const;

interface Window {
  days: readonly string[];
  /** 0 to 23. */
  hour: number;
}

function isBusy({ days, hour }: Window): boolean {
  return hour >= FIRST_HOUR && hour <= LAST_HOUR && days.some((day) => WORKDAYS.includes(day));
}

function readWindow(block: MaybeJson): Window | null {
  const range = /^([a-z]{3}):(\d\d):\d\d-/i.exec(
    text(member(block, 'preferred_maintenance_window')).slice(0, MAX_CHARS),
  );
  if (range !== null) return { days: [range[1]!.toLowerCase()], hour: Number(range[2]) };
  const hour = readHour(block);
  const days = readDays(block);
  return hour === null || days.length === 0 ? null : { days, hour };
}

function readHour(block: MaybeJson): number | null {
  for (const name of ['hour', 'start_hour', 'hour_of_day', 'hours', 'start_time', 'start_date_time', 'time']) {
    const value = list(member(block, name))[0];
    if (typeof value === 'number') return value;
    const clock = /(?:^|[T ])(\d{1,2}):\d\d/.exec(text(value).slice(0, MAX_CHARS));
    if (clock !== null) return Number(clock[1]);
  }
  return null;
}

function readDays(block: MaybeJson): string[] {
  const recurrence = text(member(block, 'recurrence') ?? member(block, 'recur_every')).slice(0, MAX_CHARS);
  if (recurrence !== '') return readRecurrence(recurrence);
  for (const name of ['day_of_week', 'days_of_week', 'weekdays', 'day', 'days']) {
    const found = list(member(block, name)).flatMap((value) => readDay(value));
    if (found.length > 0) return found;
  }
  return text(member(block, 'frequency')).toLowerCase() === 'daily' ? DAYS : [];
}

/** `FREQ=WEEKLY;BYDAY=SA,SU`, `Week Saturday`, `Day`. */
function readRecurrence(recurrence: string): string[] {
  const [, by_day] = /BYDAY=([A-Z,]{2,20})/.exec(recurrence) ?? [];
  if (by_day !== undefined)
    return by_day.split(',').flatMap((short) => DAYS.filter((day) => day.startsWith(short.toLowerCase())));
  const named = recurrence.toLowerCase().split(/[ ,]+/).flatMap(readDay);
  if (named.length > 0) return named;
  return /DAILY|^\d{0,3}\s?Days?$/i.test(recurrence) ? DAYS : [];
}

/** A name, or a number from 1 for Monday to 7 for Sunday; 0 is Sunday as well. */
function readDay(value: MaybeJson): string[] {
  if (typeof value === 'number') return value >= 0 && value <= 7 ? [DAYS[value % 7]!] : [];
  const short = text(value).slice(0, 3).toLowerCase();
  return DAYS.includes(short) ? [short] : [];
}

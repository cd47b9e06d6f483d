import { dropTrailing } from '../lib/trim.ts';
import { asciiLower } from './values.ts';

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const TIME_OF_DAY = /^([01]?\d|2[0-3]):[0-5]\d$/;
const DURATION = /^(?:\d{1,12}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/;
const ISO_DURATION = /^P(?=[\dT])(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;
const RATE = /^rate\((\d{1,9}) (minute|hour|day)s?\)$/;
const WINDOW = /^(?:[a-z]{3}:)?\d{1,2}:\d\d-(?:[a-z]{3}:)?\d{1,2}:\d\d$/i;
const UTC = new Set(['UTC', 'Etc/UTC', 'Etc/UCT', 'Etc/Zulu', 'Zulu', 'Etc/Universal']);
const UNIT_NS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const RATE_MINUTES: ReadonlyMap<string, number> = new Map([
  ['minute', 1],
  ['hour', 60],
  ['day', 1440],
]);

/**
 * Normalizes a timestamp with all its digits (`2026-01-01T02:00:00.0+02:00`), or a time of day (`3:00`).
 *
 * @returns null for any other text and for invalid dates
 * @see RFC 3339
 */
export function timeForm(text: string): string | null {
  return TIME_OF_DAY.test(text) ? text.padStart(5, '0') : toInstantForm(text);
}

/** Returns milliseconds since 1970 without the fraction of the second, then the fraction without trailing zeros. */
function toInstantForm(text: string): string | null {
  const [, local, fraction = '', sign, hours, minutes] = INSTANT.exec(text) ?? [];
  if (local === undefined) return null;
  const written = new Date(`${local}Z`);
  // Date rolls over an invalid day or hour instead of failing.
  if (Number.isNaN(written.getTime()) || !written.toISOString().startsWith(local)) return null;
  const offset_ms = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000;
  return `${written.getTime() + (sign === '-' ? offset_ms : -offset_ms)}.${dropTrailing(fraction, '0')}`;
}

/**
 * Normalizes a duration to nanoseconds: `24h`, `1440m`, `1h30m`, `0.5s`, and in ISO 8601, `PT24H` and `P1D`.
 *
 * @returns null for any other text, including months and years, which have no fixed length
 */
export function durationForm(text: string): string | null {
  const length = text.startsWith('P') ? readIsoNanoseconds(text) : readNanoseconds(text);
  return length === null ? null : String(length);
}

function readIsoNanoseconds(text: string): bigint | null {
  const match = ISO_DURATION.exec(text);
  if (match === null) return null;
  const [days = 0n, hours = 0n, minutes = 0n, seconds = 0n] = match.slice(1).map((count) => BigInt(count ?? 0));
  return (((days * 24n + hours) * 60n + minutes) * 60n + seconds) * 1_000_000_000n;
}

function readNanoseconds(text: string): bigint | null {
  if (text.length > 40 || !DURATION.test(text)) return null;
  let sum = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/(\d{1,12})(?:\.(\d{1,9}))?([a-zµ]{1,2})/g)) {
    const scale = 10n ** BigInt(fraction.length);
    const scaled = BigInt(whole + fraction) * (UNIT_NS.get(unit) ?? 0n);
    if (scaled % scale !== 0n) return null;
    sum += scaled / scale;
  }
  return sum;
}

/** Normalizes an AWS rate: `rate(1 hour)` and `rate(60 minutes)`; null for any other text, including cron. */
export function rateForm(text: string): string | null {
  const [, count, unit = ''] = RATE.exec(text) ?? [];
  return count === undefined ? null : String(Number(count) * (RATE_MINUTES.get(unit) ?? 0));
}

/** Normalizes a weekly or daily AWS window (`Sun:05:00-Sun:06:00`, `3:00-4:00`); null for any other text. */
export function windowForm(text: string): string | null {
  if (!WINDOW.test(text)) return null;
  return asciiLower(text).replace(/(^|[:-])(\d)(?=:)/g, '$10$2');
}

/** Normalizes the aliases of UTC; returns any other time zone name unchanged. */
export function zoneForm(text: string): string {
  return UTC.has(text) ? 'UTC' : text;
}

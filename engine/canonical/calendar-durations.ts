/** Durations that say their unit, in any notation, also with months and years, which have no length in seconds. */

/** `1h30m`, `1.5s`, `7d`. */
const COMPACT = /^(?:\d{1,9}(?:\.\d{1,6})?(?:ms|s|m|h|d|w))+$/;
const COMPACT_PART = /(\d{1,9})(?:\.(\d{1,6}))?(ms|s|m|h|d|w)/g;
/** `3 days`, `1 hour 30 minutes`. */
const WORDS =
  /^\d{1,9} ?(?:second|minute|min|hour|day|week|month|year)s?(?:,? \d{1,9} ?(?:second|minute|min|hour|day|week|month|year)s?)*$/i;
const WORDS_PART = /(\d{1,9}) ?(second|minute|min|hour|day|week|month|year)/gi;
/** `P1Y2M10DT2H30M`, `P2W`, `PT1.5S`. */
const ISO =
  /^P(?=[\dT])(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,6}))?S)?)?$/;

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['second', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['minute', 60_000],
  ['h', 3_600_000],
  ['hour', 3_600_000],
  ['d', 86_400_000],
  ['day', 86_400_000],
  ['w', 604_800_000],
  ['week', 604_800_000],
]);
const UNIT_MONTHS: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['year', 12],
]);

/**
 * Normalizes a duration to months and milliseconds: `72h`, `3d`, `PT72H` and `3 days`; `P7Y` and `84 months`.
 *
 * @returns null for any other text, also for a number without a unit
 */
export function calendarDurationForm(text: string): string | null {
  if (text.length > 80 || !/\d/.test(text)) return null;
  const length = text.startsWith('P') ? readIso(text) : readParts(text);
  return length === null || !length.every(Number.isSafeInteger) ? null : length.join('/');
}

type Length = [months: number, milliseconds: number];

function readParts(text: string): Length | null {
  if (COMPACT.test(text)) {
    const parts = [...text.matchAll(COMPACT_PART)];
    return [
      0,
      sum(parts.map(([, whole = '', fraction = '', unit = '']) => scale(whole, fraction, UNIT_MS.get(unit)!))),
    ];
  }
  if (!WORDS.test(text)) return null;
  const parts = [...text.matchAll(WORDS_PART)].map(
    ([, count, unit = '']) => [Number(count), unit.toLowerCase()] as const,
  );
  return [
    sum(parts.map(([count, unit]) => count * (UNIT_MONTHS.get(unit) ?? 0))),
    sum(parts.map(([count, unit]) => count * (UNIT_MS.get(unit) ?? 0))),
  ];
}

function readIso(text: string): Length | null {
  const [match, years, months, weeks, days, hours, minutes, seconds, fraction = ''] = ISO.exec(text) ?? [];
  if (match === undefined) return null;
  const count = (digits: string | undefined, unit: string) => Number(digits ?? 0) * UNIT_MS.get(unit)!;
  return [
    Number(years ?? 0) * 12 + Number(months ?? 0),
    sum([
      ...[count(weeks, 'w'), count(days, 'd'), count(hours, 'h'), count(minutes, 'm')],
      scale(seconds ?? '0', fraction, UNIT_MS.get('s')!),
    ]),
  ];
}

/** `1.5` of a unit; not an integer if milliseconds cannot represent it. */
function scale(whole: string, fraction: string, unit: number): number {
  return (Number(whole + fraction) * unit) / 10 ** fraction.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

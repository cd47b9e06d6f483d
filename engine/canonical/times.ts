const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const TIME_OF_DAY = /^([01]?\d|2[0-3]):[0-5]\d$/;
const DURATION = /^(?:\d{1,12}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/;
const UNIT_NS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/**
 * Whether two texts name one instant (`2026-01-01T00:00:00Z`, `2026-01-01T02:00:00.0+02:00`), to the last digit, or one
 * time of day (`3:00`, `03:00`). A date that no calendar has is never the same as another text.
 *
 * @see RFC 3339
 */
export function isSameTime(before: string, after: string): boolean {
  if (TIME_OF_DAY.test(before) && TIME_OF_DAY.test(after)) return before.padStart(5, '0') === after.padStart(5, '0');
  const instant = instantOf(before);
  return instant !== undefined && instant === instantOf(after);
}

/** Milliseconds since 1970 to the whole second, then the fraction without its last zeros. */
function instantOf(text: string): string | undefined {
  const [, local, fraction = '', sign, hours, minutes] = INSTANT.exec(text) ?? [];
  if (local === undefined) return undefined;
  const written = new Date(`${local}Z`);
  // A day or an hour too many rolls over instead of failing.
  if (Number.isNaN(written.getTime()) || !written.toISOString().startsWith(local)) return undefined;
  const offset_ms = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000;
  return `${written.getTime() + (sign === '-' ? offset_ms : -offset_ms)}.${fraction.replace(/0+$/, '')}`;
}

/** Whether two texts name one length of time: `24h`, `1440m`, `86400s`, `1h30m`, `0.5s`. Compared in whole nanoseconds. */
export function isSameDuration(before: string, after: string): boolean {
  const length = nanosecondsOf(before);
  return length !== undefined && length === nanosecondsOf(after);
}

function nanosecondsOf(text: string): bigint | undefined {
  if (text.length > 40 || !DURATION.test(text)) return undefined;
  let sum = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/(\d+)(?:\.(\d+))?([a-zµ]+)/g)) {
    const scale = 10n ** BigInt(fraction.length);
    const scaled = BigInt(whole + fraction) * (UNIT_NS.get(unit) ?? 0n);
    if (scaled % scale !== 0n) return undefined;
    sum += scaled / scale;
  }
  return sum;
}

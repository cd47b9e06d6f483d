const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How much older `from` is than `to`, both RFC 3339: in days and in words, such as `3 days ago`. */
export function findAge(from: string, to: string): { days: number; ago: string } {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  const days = ms / DAY_MS;
  if (ms < HOUR_MS) return { days, ago: 'less than an hour ago' };
  return { days, ago: days < 2 ? formatAgo(ms / HOUR_MS, 'hour') : formatAgo(days, 'day') };
}

function formatAgo(count: number, unit: string): string {
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}

/** The fixed UTC windows in which calls to the platform's models are counted. */
export interface QuotaWindows {
  week_start: Date;
  week_resets_at: Date;
  hour_start: Date;
  hour_resets_at: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-01 was a Thursday, so the first Monday was four days later. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/**
 * The ISO week and the clock hour of a time. Weeks start on Monday at 00:00, also across New Year.
 *
 * @see ISO 8601; the interface specification, Limits
 */
export function quotaWindows(now: Date): QuotaWindows {
  const week = Math.floor((now.getTime() - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
  const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return {
    week_start: new Date(week),
    week_resets_at: new Date(week + WEEK_MS),
    hour_start: new Date(hour),
    hour_resets_at: new Date(hour + HOUR_MS),
  };
}

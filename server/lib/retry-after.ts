/**
 * Reads the header `Retry-After`: seconds, which some services send with decimals, or an HTTP date.
 *
 * @returns seconds from now, 0 for a date in the past; undefined if the header is missing or invalid
 * @see RFC 9110, section 10.2.3
 */
export function readRetryAfter(header: string | null, now: Date): number | undefined {
  return header === null ? undefined : (parseDecimal(header) ?? secondsUntil(header, now));
}

/** A number without sign and exponent; undefined if `text` is not one. */
export function parseDecimal(text: string): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function secondsUntil(date: string, now: Date): number | undefined {
  // Date.parse accepts almost anything; HTTP dates start with a day of the week.
  const at = /^[A-Z][a-z]{2}/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}

/** Whole seconds for `Retry-After`, rounded up, at least 1. */
export function toRetryAfter(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

/** The same for the time from `now` until `at`. */
export function retryAfterUntil(at: Date, now: Date): number {
  return toRetryAfter((at.getTime() - now.getTime()) / 1000);
}

/** Clouds accept tokens from clocks that differ by a few minutes. */
const TOLERANCE_MS = 120_000;

/**
 * Why a token may have been rejected: the clock of this server is wrong.
 *
 * @param headers of the response that rejected it; `Date` is the time of the cloud
 * @returns a sentence with what to do; null if the clocks agree, or the cloud did not send its time
 */
export function describeClockSkew(headers: Headers, now: Date): string | null {
  const difference_ms = now.getTime() - Date.parse(headers.get('date') ?? '');
  if (!(Math.abs(difference_ms) > TOLERANCE_MS)) return null;
  const minutes = Math.round(Math.abs(difference_ms) / 60_000);
  const direction = difference_ms > 0 ? 'ahead of' : 'behind';
  return `The clock of this server is ${minutes} minutes ${direction} that of the cloud. ${CORRECT_CLOCK}`;
}

/** What the operator has to do about it. */
export const CORRECT_CLOCK = 'The operator of this service has to correct it, for example with NTP.';

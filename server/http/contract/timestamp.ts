/** @see RFC 3339, section 5.6; without leap seconds, which no clock of JavaScript shows */
const FORM = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A moment with any offset, in the one form that the service writes: UTC, milliseconds, `Z`.
 *
 * @returns undefined for what has not this form, or a day that its month does not have
 */
export function toTimestamp(text: string): string | undefined {
  const written = text.toUpperCase();
  const date = FORM.exec(written)?.[1];
  // Date.parse takes 30 February for 2 March.
  if (date === undefined || !toIso(`${date}T00:00:00Z`)?.startsWith(date)) return undefined;
  return toIso(written);
}

function toIso(text: string): string | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

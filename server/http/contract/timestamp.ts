/** @see RFC 3339, section 5.6; without leap seconds, which no clock of JavaScript shows */
const FORM = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Normalizes a time with any offset to the form that the service writes: UTC, milliseconds, `Z`.
 *
 * @returns undefined if it does not have this form, or the day does not exist
 */
export function toTimestamp(text: string): string | undefined {
  const written = text.toUpperCase();
  const date = FORM.exec(written)?.[1];
  // Date.parse reads 30 February as 2 March.
  if (date === undefined || !toIso(`${date}T00:00:00Z`)?.startsWith(date)) return undefined;
  return toIso(written);
}

function toIso(text: string): string | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

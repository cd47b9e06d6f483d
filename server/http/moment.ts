/**
 * A moment with any offset in the one form that the service writes: UTC, milliseconds, `Z`. The contract check has the
 * form of RFC 3339; what is left to find here is a moment that no clock of JavaScript shows, such as a leap second.
 *
 * @returns undefined when there is no such moment
 */
export function toMoment(text: string): string | undefined {
  const time = Date.parse(text.toUpperCase());
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const RULE = /^(?:RRULE:)?FREQ=[A-Z]{1,12}(?:;[A-Z]{1,12}=[A-Z0-9+,:-]{1,200}){0,12}$/i;
/** Parts whose values are a set. */
const SET = /^BY[A-Z]{1,12}$/;
const DEFAULTS: ReadonlySet<string> = new Set(['INTERVAL=1', 'WKST=MO']);

/**
 * Normalizes a recurrence rule of a calendar: the order of its parts, and of the days in a part, has no meaning.
 *
 * @returns null for any other text
 * @see RFC 5545, section 3.3.10
 */
export function recurrenceForm(text: string): string | null {
  if (!RULE.test(text)) return null;
  const parts = text
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')
    .map(sortValues);
  return parts
    .filter((part) => !DEFAULTS.has(part))
    .sort()
    .join(';');
}

function sortValues(part: string): string {
  const [name = '', value = ''] = part.split('=', 2);
  return SET.test(name) ? `${name}=${[...new Set(value.split(','))].sort().join(',')}` : part;
}

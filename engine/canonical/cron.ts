/** Cron expressions that run at the same times. */

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Field {
  min: number;
  max: number;
  names: readonly string[];
  /** A restricted day of the month and a restricted weekday add up, so a list of all days is not the same as `*`. */
  is_day: boolean;
}

const FIELDS: readonly Field[] = [
  { min: 0, max: 59, names: [], is_day: false },
  { min: 0, max: 23, names: [], is_day: false },
  { min: 1, max: 31, names: [], is_day: true },
  { min: 1, max: 12, names: MONTHS, is_day: false },
  { min: 0, max: 7, names: DAYS, is_day: true },
];
const PART = /^(\*|[0-9a-z]{1,4})(?:-([0-9a-z]{1,4}))?(?:\/(\d{1,2}))?$/;

/** Schedules of AWS: minutes to months as elsewhere, weekdays from Sunday as 1, and a year. */
const AWS_CRON = /^cron\(([^()]{1,150})\)$/i;
const AWS_FIELDS: readonly Field[] = [
  ...FIELDS.slice(0, 4),
  { min: 1, max: 7, names: DAYS, is_day: true },
  { min: 1970, max: 2199, names: [], is_day: false },
];

/**
 * Normalizes `cron(…)` as AWS writes schedules.
 *
 * @returns null for any other text, and for days such as `L`, `15W` and `MON#2`
 */
export function awsCronForm(text: string): string | null {
  const fields = AWS_CRON.exec(text.trim())?.[1]?.trim().toLowerCase().split(/\s+/);
  return fields === undefined ? null : writeFields(fields, AWS_FIELDS);
}

/**
 * Normalizes a cron expression of five fields, in which Sunday is 0 or 7, or its nickname, such as `@daily`.
 *
 * @returns null for any other text, also for the dialects of AWS and Quartz, which have more fields
 */
export function cronForm(text: string): string | null {
  if (text.length > 200) return null;
  const lower = text.trim().toLowerCase();
  const fields = (NICKNAMES.get(lower) ?? lower).split(/\s+/);
  return writeFields(fields, FIELDS);
}

/** Normalizes a cron expression of Quartz: seconds first, then as AWS writes schedules, with or without a year. */
export function quartzForm(text: string): string | null {
  const fields = text.trim().toLowerCase().split(/\s+/);
  return writeFields(fields, [FIELDS[0]!, ...AWS_FIELDS].slice(0, Math.max(fields.length, 6)));
}

const WITH_ZONE = /^USING CRON (.{1,150}) (\S{1,60})$/i;

/** Normalizes a schedule of Snowflake: `USING CRON 0 6 * * MON UTC`. */
export function zonedCronForm(text: string): string | null {
  const [, schedule, zone] = WITH_ZONE.exec(text) ?? [];
  const form = schedule === undefined ? null : cronForm(schedule);
  return form === null ? null : `${form} ${zone}`;
}

function writeFields(texts: readonly string[], fields: readonly Field[]): string | null {
  if (texts.length !== fields.length) return null;
  const written = texts.map((text, at) => writeField(text, fields[at]!));
  return written.includes(null) ? null : written.join(' ');
}

function writeField(text: string, field: Field): string | null {
  if (text === '*' || (text === '?' && field.is_day)) return '*';
  if (field.is_day && text.startsWith('*')) return text;
  const values = new Set<number>();
  for (const part of text.split(',')) if (!addPart(part, field, values)) return null;
  if (!field.is_day && values.size === field.max - field.min + 1) return '*';
  return [...values].sort((a, b) => a - b).join(',');
}

function addPart(text: string, field: Field, values: Set<number>): boolean {
  const [, start = '', end, step] = PART.exec(text) ?? [];
  const [from, to] = readRange(field, start, end, step !== undefined);
  const width = Number(step ?? 1);
  if (from === null || to === null || from > to || width === 0) return false;
  for (let value = from; value <= to; value += width)
    values.add(field.max === 7 && field.min === 0 && value === 7 ? 0 : value);
  return true;
}

function readRange(
  field: Field,
  start: string,
  end: string | undefined,
  has_step: boolean,
): [number | null, number | null] {
  const { min, max } = field;
  if (start === '*') return [end === undefined ? min : null, max];
  const from = readNumber(field, start);
  if (end !== undefined) return [from, readNumber(field, end)];
  return [from, has_step ? max : from];
}

function readNumber({ names, min, max }: Field, text: string): number | null {
  const named = names.indexOf(text);
  const value = named < 0 ? Number(text || 'none') : named + min;
  return Number.isInteger(value) && value >= min && value <= max ? value : null;
}

import { InvalidInput } from '../../lib/errors.ts';

/** What a cron expression matches. Numbers are sorted; Sunday is 0. */
export interface CronFields {
  minutes: number[];
  hours: number[];
  days_of_month: number[];
  months: number[];
  days_of_week: number[];
  /**
   * Whether a day must match both day fields. If neither of them starts with `*`, one is enough: the rule of Vixie cron,
   * which also counts a step such as `*` with `/2` as a star.
   */
  needs_both_days: boolean;
}

interface Field {
  /** For messages. */
  name: string;
  min: number;
  max: number;
  /** Names of numbers, the first for `min`. */
  names: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MINUTE: Field = { name: 'minute', min: 0, max: 59, names: [] };
const HOUR: Field = { name: 'hour', min: 0, max: 23, names: [] };
const DAY_OF_MONTH: Field = { name: 'day of the month', min: 1, max: 31, names: [] };
const MONTH: Field = { name: 'month', min: 1, max: 12, names: MONTHS };
/** 7 is Sunday, too. */
const DAY_OF_WEEK: Field = { name: 'day of the week', min: 0, max: 7, names: DAYS };
const FIELD_COUNT = 5;

/**
 * Reads a cron expression of five fields: minute, hour, day of the month, month, day of the week.
 *
 * @throws InvalidInput `invalid_cron` that names the field, the text and what to write instead
 * @see the contract decisions, D52
 */
export function parseCronFields(expression: string): CronFields {
  const texts = expression.trim().split(/\s+/);
  if (texts[0]?.startsWith('@') === true) {
    throw invalidCron(expression, `nicknames such as "${texts[0]}" are not supported; write the five fields`);
  }
  if (texts.length !== FIELD_COUNT) {
    const advice = texts.length === 6 ? '; leave out the seconds' : '';
    throw invalidCron(
      expression,
      `it has ${texts.length} fields instead of five (minute, hour, day of the month, month, day of the week)${advice}`,
    );
  }
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = texts;
  const parse = (text: string, field: Field) => parseField(expression, text, field);
  return {
    minutes: parse(minute, MINUTE),
    hours: parse(hour, HOUR),
    days_of_month: parse(day, DAY_OF_MONTH),
    months: parse(month, MONTH),
    days_of_week: sortUnique(parse(weekday, DAY_OF_WEEK).map((number) => number % 7)),
    needs_both_days: day.startsWith('*') || weekday.startsWith('*'),
  };
}

/** The error of an expression. @param problem ends the sentence "is not a usable cron expression: …" */
export function invalidCron(expression: string, problem: string): InvalidInput {
  const message = `"${expression}" is not a usable cron expression: ${problem}`;
  const details = [{ path: '/body/schedule', message: problem, code: 'invalid_cron' }];
  return new InvalidInput(message, 'invalid_cron', { details });
}

function parseField(expression: string, text: string, field: Field): number[] {
  return sortUnique(text.split(',').flatMap((item) => parseItem(expression, item, field)));
}

/** `*`, a number or a range, and a step after a star or a range. */
function parseItem(expression: string, item: string, field: Field): number[] {
  const fail = (problem: string) => invalidCron(expression, problem);
  const [extent = '', step_text, ...rest] = item.split('/');
  if (rest.length > 0) throw fail(`"${item}" in the field ${field.name} has two steps`);
  const [from, to] = parseExtent(extent, field, fail);
  if (step_text === undefined) return listNumbers(from, to, 1);
  if (extent !== '*' && !extent.includes('-')) {
    throw fail(`the step of "${item}" needs a range: write "${extent}-${field.max}/${step_text}" or "*/${step_text}"`);
  }
  const step = /^\d{1,4}$/.test(step_text) ? Number(step_text) : 0;
  if (step < 1 || step > field.max) {
    throw fail(`"${step_text}" is not a step of the field ${field.name}; use a number from 1 to ${field.max}`);
  }
  return listNumbers(from, to, step);
}

function parseExtent(extent: string, field: Field, fail: (problem: string) => InvalidInput): [number, number] {
  // A star means each day of the week once.
  if (extent === '*') return [field.min, field === DAY_OF_WEEK ? 6 : field.max];
  const [first = '', last = first, ...rest] = extent.split('-');
  if (rest.length > 0) throw fail(`"${extent}" in the field ${field.name} is not a range; write it as "a-b"`);
  const from = parseNumber(first, field, fail);
  const to = parseNumber(last, field, fail);
  if (to >= from) return [from, to];
  // A week that ends with Sunday.
  if (field === DAY_OF_WEEK && to === 0) return [from, 7];
  throw fail(`the range "${extent}" in the field ${field.name} ends before it starts; write two ranges`);
}

function parseNumber(text: string, field: Field, fail: (problem: string) => InvalidInput): number {
  const named = field.names.indexOf(text.toUpperCase());
  if (named >= 0) return named + field.min;
  const number = /^\d{1,4}$/.test(text) ? Number(text) : -1;
  if (number >= field.min && number <= field.max) return number;
  const names = field.names.length === 0 ? '' : `, or ${field.names[0]} to ${field.names.at(-1)}`;
  const allowed = `use ${field.min} to ${field.max}${names}, "*", a list or a range`;
  throw fail(`"${text}" is not valid in the field ${field.name}; ${allowed}`);
}

function listNumbers(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

function sortUnique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

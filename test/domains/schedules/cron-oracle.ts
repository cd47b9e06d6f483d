/** Walks through time minute by minute; shares nothing with the implementation. */
import fc from 'fast-check';

const MINUTE_MS = 60_000;

export interface OracleField {
  text: string;
  matches: (value: number) => boolean;
}

/** minute, hour, day of the month, month, day of the week */
export type OracleFields = readonly [OracleField, OracleField, OracleField, OracleField, OracleField];

/** A field as a list of items, with what it matches. */
export function fieldArbitrary(min: number, max: number): fc.Arbitrary<OracleField> {
  const number = fc.integer({ min, max });
  const step = fc.integer({ min: 1, max });
  const star = fc.constant<OracleField>({ text: '*', matches: () => true });
  const stepped = step.map((by) => ({ text: `*/${by}`, matches: (value: number) => (value - min) % by === 0 }));
  const single = number.map((one) => ({ text: `${one}`, matches: (value: number) => value === one }));
  const range = fc.tuple(number, number, fc.option(step, { nil: undefined })).map(([a, b, by]) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    return {
      text: by === undefined ? `${from}-${to}` : `${from}-${to}/${by}`,
      matches: (value: number) => value >= from && value <= to && (value - from) % (by ?? 1) === 0,
    };
  });
  const list = fc.array(fc.oneof(single, range), { minLength: 1, maxLength: 4 }).map((items) => ({
    text: items.map(({ text }) => text).join(),
    matches: (value: number) => items.some((item) => item.matches(value)),
  }));
  return fc.oneof(star, stepped, list);
}

/** Every match from `from` (included) until `until` (excluded). */
export function walkMinutes([minute, hour, day, month, weekday]: OracleFields, from: Date, until: Date): number[] {
  const is_both = day.text.startsWith('*') || weekday.text.startsWith('*');
  const found: number[] = [];
  let today = -1;
  let is_today = false;
  for (let at = from.getTime(); at < until.getTime(); at += MINUTE_MS) {
    const number = Math.floor(at / 86_400_000);
    if (number !== today) {
      today = number;
      const date = new Date(at);
      const is_day = day.matches(date.getUTCDate());
      // 1970-01-01 was a Thursday.
      const of_week = (number + 4) % 7;
      const is_weekday =
        weekday.matches(of_week) || (of_week === 0 && !weekday.text.startsWith('*') && weekday.matches(7));
      is_today = month.matches(date.getUTCMonth() + 1) && (is_both ? is_day && is_weekday : is_day || is_weekday);
    }
    if (!is_today) continue;
    const of_day = Math.floor((at % 86_400_000) / MINUTE_MS);
    if (hour.matches(Math.floor(of_day / 60)) && minute.matches(of_day % 60)) found.push(at);
  }
  return found;
}

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseCron, parseUsableCron } from '../../../server/domains/schedules/cron.ts';
import { InvalidInput } from '../../../server/lib/errors.ts';
import { fieldArbitrary, type OracleFields, walkMinutes } from './cron-oracle.ts';

const JANUARY = new Date('2026-01-01T00:00:00.000Z');

function listRuns(expression: string, count: number, after = JANUARY): string[] {
  const cron = parseCron(expression);
  const runs: string[] = [];
  for (let at = cron.next(after); at !== undefined && runs.length < count; at = cron.next(at)) {
    runs.push(at.toISOString().slice(0, 16));
  }
  return runs;
}

describe('matches', () => {
  test.each([
    ['*/15 * * * *', ['2026-01-01T00:15', '2026-01-01T00:30']],
    ['0 0 * * 7', ['2026-01-04T00:00', '2026-01-11T00:00']],
    ['0 0 * * SUN', ['2026-01-04T00:00', '2026-01-11T00:00']],
    ['0 6 * jan-mar mon-fri', ['2026-01-01T06:00', '2026-01-02T06:00', '2026-01-05T06:00']],
    ['0 0 * * FRI-SUN', ['2026-01-02T00:00', '2026-01-03T00:00', '2026-01-04T00:00', '2026-01-09T00:00']],
    ['5-20/10 3,4 * * *', ['2026-01-01T03:05', '2026-01-01T03:15', '2026-01-01T04:05']],
    ['0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['  30   2 * * *  ', ['2026-01-01T02:30']],
  ])('%s', (expression, expected) => {
    expect(listRuns(expression, expected.length)).toEqual(expected);
  });

  test('two restricted day fields match if one of them does', () => {
    expect(listRuns('0 0 13 * FRI', 3)).toEqual(['2026-01-02T00:00', '2026-01-09T00:00', '2026-01-13T00:00']);
  });

  test('a day field that starts with a star does not widen the other one', () => {
    expect(listRuns('0 0 */2 * MON', 3)).toEqual(['2026-01-05T00:00', '2026-01-19T00:00', '2026-02-09T00:00']);
  });

  test('the next match lies after the given time, not at it', () => {
    const cron = parseCron('0 9 * * *');
    const nine = new Date('2026-03-01T09:00:00.000Z');

    expect(cron.next(nine)?.toISOString()).toBe('2026-03-02T09:00:00.000Z');
    expect(cron.next(new Date(nine.getTime() - 1))).toEqual(nine);
  });
});

describe('rejected expressions', () => {
  test.each([
    ['', 'it has 1 fields instead of five'],
    ['0 0 * *', 'it has 4 fields instead of five'],
    [
      '0 0 0 * * *',
      'it has 6 fields instead of five (minute, hour, day of the month, month, day of the week); leave out the seconds',
    ],
    ['@daily', 'nicknames such as "@daily" are not supported; write the five fields'],
    ['61 * * * *', '"61" is not valid in the field minute; use 0 to 59, "*", a list or a range'],
    ['0 24 * * *', '"24" is not valid in the field hour; use 0 to 23'],
    ['0 0 0 * *', '"0" is not valid in the field day of the month; use 1 to 31'],
    ['0 0 L * *', '"L" is not valid in the field day of the month'],
    ['0 0 15W * *', '"15W" is not valid in the field day of the month'],
    ['0 0 ? * *', '"?" is not valid in the field day of the month'],
    ['0 0 * FOO *', '"FOO" is not valid in the field month; use 1 to 12, or JAN to DEC'],
    ['0 0 * * MON#2', '"MON#2" is not valid in the field day of the week; use 0 to 7, or SUN to SAT'],
    ['0 0 * * 8', '"8" is not valid in the field day of the week'],
    ['H * * * *', '"H" is not valid in the field minute'],
    ['+5 * * * *', '"+5" is not valid in the field minute'],
    ['-5 * * * *', '"" is not valid in the field minute'],
    ['1,,2 * * * *', '"" is not valid in the field minute'],
    ['1.5 * * * *', '"1.5" is not valid in the field minute'],
    ['0 22-2 * * *', 'the range "22-2" in the field hour ends before it starts; write two ranges'],
    ['1-2-3 * * * *', '"1-2-3" in the field minute is not a range'],
    ['0/15 * * * *', 'the step of "0/15" needs a range: write "0-59/15" or "*/15"'],
    ['*/0 * * * *', '"0" is not a step of the field minute; use a number from 1 to 59'],
    ['*/90 * * * *', '"90" is not a step of the field minute'],
    ['*/5/5 * * * *', '"*/5/5" in the field minute has two steps'],
  ])('%s', (expression, problem) => {
    expect(() => parseCron(expression)).toThrow(problem);
  });

  test('an expression that never matches is rejected where it is entered', () => {
    for (const expression of ['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *']) {
      expect(() => parseUsableCron(expression, JANUARY)).toThrow('no date matches within four years');
      expect(parseCron(expression).next(JANUARY)).toBeUndefined();
    }
  });

  test('an arbitrary text is read or rejected as invalid_cron', () => {
    const word = fc.stringMatching(/^[0-9*/,\-A-Za-z#?@]{0,12}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 7 }), (words) => {
        try {
          parseCron(words.join(' '));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
          expect((error as InvalidInput).error_class).toBe('invalid_cron');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('against a walk through every minute of four years', () => {
  const FOUR_YEARS_LATER = new Date('2030-01-01T00:00:00.000Z');
  const fields: fc.Arbitrary<OracleFields> = fc.tuple(
    fieldArbitrary(0, 59),
    fieldArbitrary(0, 23),
    fieldArbitrary(1, 31),
    fieldArbitrary(1, 12),
    // 7 in a range or a list is Sunday; steps of a star count from 0 to 6.
    fieldArbitrary(0, 6),
  );
  const toText = (all: OracleFields) => all.map(({ text }) => text).join(' ');

  test('the next match after any time is the one that the walk finds', () => {
    const time = fc.integer({ min: JANUARY.getTime(), max: FOUR_YEARS_LATER.getTime() - 1 });
    fc.assert(
      fc.property(fields, fc.array(time, { minLength: 20, maxLength: 20 }), (all, times) => {
        const matches = walkMinutes(all, JANUARY, FOUR_YEARS_LATER);
        const cron = parseCron(toText(all));
        for (const after of times) {
          const expected = matches.find((at) => at > after);
          // Later matches are beyond the walk.
          if (expected !== undefined) expect(cron.next(new Date(after))?.getTime()).toBe(expected);
        }
        let at = new Date(JANUARY.getTime() - 1);
        for (const expected of matches.slice(0, 30)) {
          at = cron.next(at) ?? JANUARY;
          expect(at.getTime()).toBe(expected);
        }
      }),
      { numRuns: 30, seed: 4 },
    );
  });

  test('29 February is found in leap years only', () => {
    const at = (text: string, one: number) => ({ text, matches: (value: number) => value === one });
    const any = { text: '*', matches: () => true };
    const matches = walkMinutes([at('7', 7), at('4', 4), at('29', 29), at('2', 2), any], JANUARY, FOUR_YEARS_LATER);

    expect(matches).toEqual([Date.parse('2028-02-29T04:07:00.000Z')]);
    expect(parseCron('7 4 29 2 *').next(JANUARY)?.getTime()).toBe(matches[0]);
  });

  test('the shortest interval is the smallest gap of the walk through 366 days', () => {
    const until = new Date(JANUARY.getTime() + 367 * 86_400_000);
    fc.assert(
      fc.property(fields, (all) => {
        const matches = walkMinutes(all, JANUARY, until);
        const gaps = matches.slice(1).map((at, index) => (at - (matches[index] ?? 0)) / 60_000);
        const expected = gaps.reduce((smallest, gap) => Math.min(smallest, gap), 366 * 1440);
        expect(parseCron(toText(all)).findInterval(JANUARY)).toBe(expected);
      }),
      { numRuns: 50, seed: 4 },
    );
  });
});

test.each([
  ['* * * * *', 1],
  ['*/7 * * * *', 4],
  ['0 9 * * *', 1_440],
  ['0 9,17 * * MON', 480],
  ['59 23 * * *', 1_440],
  ['0,59 0,23 * * *', 1],
  ['0 0 1 * *', 28 * 1_440],
  ['0 0 29 2 *', 366 * 1_440],
])('the shortest interval of %s is %i minutes', (expression, minutes) => {
  expect(parseCron(expression).findInterval(JANUARY)).toBe(minutes);
});

import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { sameJson } from '../../../engine/lib/json-text.ts';
import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import { type Speller, speller } from '../equivalence/policies.ts';

const documents = fc
  .dictionary(
    fc.string({ minLength: 1, maxLength: 6, unit: 'binary' }),
    fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<JsonValue>(null, true, false, 0, 1, 10, '', '1', 'true', 'null'),
        fc.string({ maxLength: 6, unit: 'binary' }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')).map((object) => ({ ...object })),
      ),
    })).value,
    { minKeys: 1, maxKeys: 5 },
  )
  .map((object): JsonObject => ({ ...object }));

/** Documents that differ from the given one in one place. */
function edits(value: JsonValue): JsonValue[] {
  if (value === null || typeof value !== 'object') return otherScalars(value);
  if (Array.isArray(value)) {
    const swapped = value.length > 1 && JSON.stringify(value[0]) !== JSON.stringify(value[1]);
    return [
      [...value, null],
      ...(value.length > 0 ? [value.slice(1)] : [{}]),
      ...(swapped ? [[value[1] as JsonValue, value[0] as JsonValue, ...value.slice(2)]] : []),
      ...value.flatMap((item, i) => edits(item).map((other) => value.with(i, other))),
    ];
  }
  return [
    { ...value, 'a key more': null },
    ...Object.keys(value).flatMap((key) => {
      const { [key]: own, ...rest } = value;
      return [
        rest,
        { ...rest, [`${key}_`]: own as JsonValue },
        ...edits(own as JsonValue).map((o) => ({ ...value, [key]: o })),
      ];
    }),
  ];
}

function otherScalars(value: null | boolean | number | string): JsonValue[] {
  const others: JsonValue[] = typeof value === 'string' ? [`${value} `, null, [value]] : [String(value), '', [value]];
  return others.filter((other) => other !== value);
}

describe('two JSON texts', () => {
  test('are equal for different key order, whitespace and escapes', () => {
    fc.assert(
      fc.property(documents, speller, (document, by: Speller) =>
        sameJson(JSON.stringify(document), rewritten(document, by)),
      ),
      { numRuns: 500 },
    );
  });

  test('are not equal after any single edit', () => {
    fc.assert(
      fc.property(documents, speller, fc.nat(), (document, by: Speller, pick) => {
        const others = edits(document);
        const other = others[pick % others.length] as JsonValue;
        return !sameJson(JSON.stringify(document), rewritten(other, by));
      }),
      { numRuns: 1000 },
    );
  });
});

function rewritten(value: JsonValue, by: Speller): string {
  const blank = ['', ' ', '\n\t'][by.choose(3)];
  if (typeof value === 'string') return escaped(JSON.stringify(value), by) + blank;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) + blank;
  if (Array.isArray(value)) return `[${blank}${value.map((item) => rewritten(item, by)).join(',')}]${blank}`;
  const members = Object.keys(value).map(
    (key) => `${blank}${escaped(JSON.stringify(key), by)}:${rewritten(value[key] as JsonValue, by)}`,
  );
  if (by.choose(2) === 0) members.reverse();
  return `{${members.join(',')}}${blank}`;
}

/** Replaces some characters with Unicode escapes. */
function escaped(quoted: string, by: Speller): string {
  if (quoted.includes('\\')) return quoted;
  return quoted.replace(/[^"]/g, (unit) =>
    by.choose(4) === 0 ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit,
  );
}

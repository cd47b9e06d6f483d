import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../engine/lib/canonical-json.ts';
import type { JsonValue } from '../../../engine/model/result.ts';

describe('canonical JSON', () => {
  test('sorts keys by UTF-16 code units, removes whitespace and formats numbers as in ECMAScript', () => {
    const value: JsonValue = JSON.parse(
      '{ "\\u20ac": "Euro", "\\r": 1e21, "1": 1.50, "\\ud83d\\ude00": [ true, null ], "\\ufb33": -0 }',
    );

    expect(canonicalJson(value)).toBe('{"\\r":1e+21,"1":1.5,"€":"Euro","😀":[true,null],"\ufb33":0}');
  });

  test('treats __proto__ as an ordinary key', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
  });

  test('parses to the same value and does not depend on key order', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: JsonValue = JSON.parse(text);
        const canonical = canonicalJson(value);

        expect(canonicalJson(JSON.parse(canonical))).toBe(canonical);
        expect(canonicalJson(reversed(value))).toBe(canonical);
      }),
    );
  });
});

function reversed(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(entries.reverse());
}

import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AuditDetailError, auditDetailText } from '../../../engine/index.ts';

/** Characters of any Unicode plane except NUL. */
const text = fc.string({ unit: 'binary' }).map((some) => some.replaceAll('\0', ''));
const key = fc.oneof(
  text,
  fc.constantFrom('__proto__', 'constructor', 'toString', 'é', 'e\u0301', '\u2028', '10', '9'),
);

const { detail: anyDetail } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('detail'),
  ),
  list: fc.array(tie('value'), { maxLength: 5 }),
  detail: fc.dictionary(key, tie('value'), { noNullPrototype: true, maxKeys: 6 }).map(asParsed),
}));

/** Like the output of `JSON.parse`, in which `__proto__` can be an own key. */
function asParsed(object: object): unknown {
  return JSON.parse(JSON.stringify(object), (_key, value: unknown) => (Object.is(value, -0) ? 0 : value));
}

function nested(depth: number): unknown {
  return depth === 1 ? {} : { a: nested(depth - 1) };
}

describe('the canonical text of a detail', () => {
  test('parses to an equal detail with the same text', () => {
    fc.assert(
      fc.property(anyDetail, (detail) => {
        const written = auditDetailText(detail);

        // Jest's matchers would take ten times as long for this many details.
        deepStrictEqual(JSON.parse(written), detail);
        strictEqual(auditDetailText(JSON.parse(written)), written);
        strictEqual(Buffer.from(written, 'utf8').toString('utf8'), written);
      }),
      { numRuns: 10_000 },
    );
  });

  test('does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, fc.integer()), { selector: ([name]) => name }), (members) => {
        const forth = Object.fromEntries(members);
        const back = Object.fromEntries(members.toReversed());

        expect(auditDetailText(forth)).toBe(auditDetailText(back));
      }),
    );
  });

  test.each<[string, unknown, string]>([
    ['no member', {}, '{}'],
    [
      'keys by UTF-16 code units',
      { '\ufb33': 1, '\ud83d\ude00': 2, é: 3, a: 4, 10: 5, 9: 6 },
      '{"10":5,"9":6,"a":4,"é":3,"😀":2,"\ufb33":1}',
    ],
    ['unescaped line separators', { a: '\u2028\u2029' }, '{"a":"\u2028\u2029"}'],
    ['composed and decomposed characters as different texts', { a: 'é', b: 'e\u0301' }, '{"a":"é","b":"e\u0301"}'],
    ['control characters', { a: '\b\t\n\f\r\u0001\u001f\u007f' }, '{"a":"\\b\\t\\n\\f\\r\\u0001\\u001f\u007f"}'],
    ['__proto__ as a member', JSON.parse('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}'],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    [
      'the largest integers',
      { a: 2 ** 53 - 1, b: -(2 ** 53 - 1), c: 0 },
      '{"a":9007199254740991,"b":-9007199254740991,"c":0}',
    ],
    ['100 kB', { a: 'é'.repeat(50_000) }, `{"a":"${'é'.repeat(50_000)}"}`],
  ])('supports %s', (_what, detail, expected) => {
    expect(auditDetailText(detail)).toBe(expected);
  });

  test('can be nested 20 levels deep', () => {
    expect(auditDetailText(nested(20))).toBe(`${'{"a":'.repeat(19)}{}${'}'.repeat(19)}`);
  });
});

describe('a detail is rejected', () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;

  test.each<[string, unknown, RegExp]>([
    ['with a float', { a: [{ b: 1.5 }] }, /^detail\.a\[0\]\.b is not an integer within/],
    ['with an unsafe integer', { a: 2 ** 53 }, /^detail\.a is not an integer/],
    ['with -0', { a: -0 }, /^detail\.a is not an integer/],
    ['with NaN', { a: Number.NaN }, /^detail\.a is not an integer/],
    ['with infinity', { a: Number.POSITIVE_INFINITY }, /^detail\.a is not an integer/],
    ['with NUL', { a: 'x\0' }, /^detail\.a contains a NUL/],
    ['with NUL in a key', { 'x\0': 1 }, /^a key of detail contains a NUL/],
    ['with a lone surrogate', { a: ['\ud83d'] }, /^detail\.a\[0\] contains a lone/],
    ['with a lone surrogate in a key', { '\ude00': 1 }, /^a key of detail contains a lone/],
    ['with undefined', { a: undefined }, /^detail\.a is undefined/],
    ['with a hole', { a: new Array(1) }, /^detail\.a\[0\] is undefined/],
    ['with a function', { toJSON: () => 'x' }, /^detail\.toJSON is function/],
    ['with a bigint', { a: 1n }, /^detail\.a is bigint/],
    ['with a date', { a: new Date(0) }, /^detail\.a is an instance of a class/],
    ['with a map', { a: new Map() }, /^detail\.a is an instance of a class/],
    ['with a circular reference', loop, /nested more than 20 levels deep/],
    ['with 21 levels', nested(21), /nested more than 20 levels deep/],
    ['that is an array', [], /^detail must be a plain object/],
    ['that is null', null, /^detail must be a plain object/],
    ['that is a string', '{}', /^detail must be a plain object/],
  ])('%s', (_what, detail, message) => {
    expect(() => auditDetailText(detail)).toThrow(AuditDetailError);
    expect(() => auditDetailText(detail)).toThrow(message);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonError } from '../../../engine/json/errors.ts';
import { JsonScanner, type ScanHandler } from '../../../engine/json/scan.ts';

const IGNORE_ALL: ScanHandler = { key() {}, begin: () => false, end() {} };

function accepts(text: string, sizes: number[]): boolean {
  const scanner = new JsonScanner(IGNORE_ALL, Number.POSITIVE_INFINITY);
  const bytes = Buffer.from(text);
  try {
    let at = 0;
    for (let turn = 0; at < bytes.length && !scanner.done; turn += 1) {
      at += scanner.write(bytes.subarray(at, at + sizes[turn % sizes.length]!));
    }
    return scanner.done && bytes.subarray(at).toString().trim() === '';
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const whole = [1_000_000];
const text = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.json({ maxDepth: 6, stringUnit: 'binary' }),
  fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value, null, 2)),
);

/** Text in which a few bytes were removed or replaced by bytes with a meaning in JSON. */
const broken = fc
  .tuple(
    text,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]:,"\\u0-+.eEtrue fn1\t\u0001'.split(''), '')), {
      maxLength: 3,
    }),
  )
  .map(([source, edits]) => {
    let edited = `{"a":[[${source}]]}`;
    for (const [at, char] of edits) {
      const i = at % edited.length;
      edited = edited.slice(0, i) + char + edited.slice(i + 1);
    }
    return edited;
  });

/** Random tokens in random order. */
const tokens = fc
  .array(fc.constantFrom('{', '}', '[', ']', ':', ',', '"a"', '"\\n"', '0', '-1.5e3', '01', 'true', 'nul', ' '), {
    maxLength: 12,
  })
  .map((list) => `{"k":[[[${list.join('')}]]]}`);

describe('the byte scanner', () => {
  test('accepts the texts that JSON.parse accepts, for any chunks', () => {
    fc.assert(
      fc.property(text, sizes, (source, cut) => {
        const nested = `{"a":{"b":{"c":${source}}},"d":${source}}`;

        expect(accepts(nested, cut)).toBe(true);
        expect(accepts(nested, whole)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('rejects the texts that JSON.parse rejects, for any chunks', () => {
    fc.assert(
      fc.property(fc.oneof(broken, tokens), sizes, (source, cut) => {
        const expected = parses(source);

        expect(accepts(source, cut)).toBe(expected);
        expect(accepts(source, whole)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    '01',
    '-',
    '-01',
    '1.',
    '.5',
    '+1',
    '1e',
    '1e+',
    '1.5E-',
    '0x1',
    '1_0',
    'NaN',
    'tru',
    'nulll',
    'True',
    '"\u0000"',
    '"a\nb"',
    '"\\x"',
    '"\\u12g4"',
    '"\\',
    "'a'",
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '{1:2}',
    '[1 2]',
    '{,}',
    '[,1]',
    '}',
    ']',
  ])('rejects %j inside a value that is not captured', (source) => {
    expect(parses(source)).toBe(false);
    expect(accepts(`{"a":[[[${source}]]],"z":"${'-'.repeat(40)}"}`, whole)).toBe(false);
    expect(accepts(`{"a":[[[${source}]]],"z":"${'-'.repeat(40)}"}`, [1])).toBe(false);
  });

  test('accepts 200 levels and rejects 201', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

    expect(accepts(nested(200), whole)).toBe(true);
    expect(accepts(nested(201), whole)).toBe(false);
    expect(accepts(nested(201), [3])).toBe(false);
  });

  test('reports the byte and the offset of an error', () => {
    const scanner = new JsonScanner(IGNORE_ALL, 10);

    expect(() => scanner.write(Buffer.from('{"a": [1, }'))).toThrow('invalid at byte 10: unexpected "}"');
  });
});

describe('a handler', () => {
  type Interest = boolean | 'skip';
  function listEvents(source: string, sizes: number[], begin: (depth: number) => Interest, max = 1000): string[] {
    const events: string[] = [];
    const handler: ScanHandler = {
      deepest: 10,
      key: (depth, key) => events.push(`key ${depth} ${key.toText()}`),
      begin: (depth, kind) => {
        events.push(`begin ${depth} ${kind}`);
        return begin(depth);
      },
      end: (depth, _at, captured) => events.push(`end ${depth} ${captured?.toText() ?? '-'}`),
      tooLarge: () => events.push('too large'),
    };
    const scanner = new JsonScanner(handler, max);
    const bytes = Buffer.from(source);
    for (let at = 0, round = 0; at < bytes.length; round += 1) {
      at += scanner.write(bytes.subarray(at, at + sizes[round % sizes.length]!));
    }
    return events;
  }

  test.each([[whole], [[1]], [[3, 2]]])('captures and skips values at any depth in chunks of %j', (cut) => {
    const events = listEvents('{"a":[{"b":{"c":1}},[2,{"d":3}]]}', cut, (depth) => (depth < 2 ? false : depth === 2));

    expect(events).toEqual([
      'begin 0 object',
      'key 1 "a"',
      'begin 1 array',
      'begin 2 object',
      'end 2 {"b":{"c":1}}',
      'begin 2 array',
      'end 2 [2,{"d":3}]',
      'end 1 -',
      'end 0 -',
    ]);
    expect(listEvents('[[[[1]]],2]', cut, (depth) => (depth === 1 ? 'skip' : false))).toEqual([
      'begin 0 array',
      'begin 1 array',
      'end 1 -',
      'begin 1 scalar',
      'end 1 -',
      'end 0 -',
    ]);
  });

  test.each([[whole], [[1]], [[7]]])('gets no text of a value above the limit in chunks of %j', (cut) => {
    const events = listEvents(`["${'x'.repeat(50)}","y",{"z":[${'1,'.repeat(30)}1]}]`, cut, (depth) => depth === 1, 20);

    expect(events).toEqual([
      'begin 0 array',
      'begin 1 scalar',
      'too large',
      'end 1 -',
      'begin 1 scalar',
      'end 1 "y"',
      'begin 1 object',
      'too large',
      'end 1 -',
      'end 0 -',
    ]);
  });
});

import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { parseStrictJson } from '../../server/lib/strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

test('the strict parser reads the output of JSON.stringify like JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, 2), (value, spaces) => {
      const text = JSON.stringify(value, null, spaces);

      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('the strict parser rejects what JSON.parse rejects, and also duplicate member names', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u0061"',
    '"\\""',
    '"\\\\"',
    '"',
    '\\',
    ' ',
    '1',
    'null',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join('');
      const [strict, plain] = [outcome(() => parse(text)), outcome(() => JSON.parse(text))];

      if (plain === 'refused') expect(strict).toBe('refused');
      else if (strict === 'refused') expect(text.match(/"(a|\\u0061|\\"|\\\\)" *:/g)?.length).toBeGreaterThan(1);
      else expect(strict).toEqual(plain);
    }),
    { numRuns: 5_000 },
  );
});

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return 'refused';
  }
}

describe('a name can occur twice in different objects or as a value', () => {
  test.each([
    '{"a":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '{"a":["a","a"]}',
    '{"":1," ":2}',
    '{"a":1,"A":2}',
  ])('%s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

test('built-in property names of objects are accepted as member names', () => {
  const parsed = parse('{"__proto__":1,"constructor":2,"toString":3}') as object;

  expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor', 'toString']);
  expect(() => parse('{"__proto__":1,"__proto__":2}')).toThrow('occurs twice');
});

test('200 levels of nesting are accepted, 201 are not', () => {
  const nested = (depth: number) => '[{"a":'.repeat(depth / 2) + (depth % 2 ? '[]' : '1') + '}]'.repeat(depth / 2);

  expect(() => parse(nested(200))).not.toThrow();
  expect(() => parse(nested(201))).toThrow('nested deeper than 200 levels');
  expect(() => parseStrictJson(Buffer.from('[[1]]'), { max_depth: 1 })).toThrow('nested deeper than 1 levels');
});

test('a view into a larger buffer is read from its own start', () => {
  const view = new Uint8Array(Buffer.from('xx{"ä":1}xx')).subarray(2, 10);

  expect(parseStrictJson(view)).toEqual({ ä: 1 });
});

test('quotes and backslashes take time proportional to their number', () => {
  function countSteps(quotes: number): number {
    const body = Buffer.from(JSON.stringify({ plan: '\\"'.repeat(quotes) }));
    const reads = jest.spyOn(String.prototype, 'charCodeAt');
    parseStrictJson(body);
    const { length } = reads.mock.calls;
    reads.mockRestore();
    return length;
  }

  expect(countSteps(20_000)).toBeLessThan(2.1 * countSteps(10_000));
});

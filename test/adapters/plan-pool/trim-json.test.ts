import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { trimJson } from '../../../server/adapters/plan-pool/trim-json.ts';

const trim = (text: string): unknown => {
  const trimmed = trimJson(Buffer.from(text));
  return trimmed === null ? 'not JSON' : JSON.parse(Buffer.from(trimmed).toString());
};

test('a document of ordinary size is unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(trim(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('values nested deeper than any payload become null', () => {
  expect(JSON.stringify(trim(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBe(
    `${'['.repeat(12)}null${']'.repeat(12)}`,
  );
});

test('long texts, lists and objects are truncated', () => {
  const members = Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join(',');
  const trimmed = trim(`{"text":"${'x'.repeat(200_000)}","list":[${'1,'.repeat(20_000)}1],"object":{${members}}}`);

  const { text, list, object } = trimmed as { text: string; list: number[]; object: object };
  expect([text.length, list.length, Object.keys(object).length]).toEqual([100_000, 10_000, 10_000]);
});

test('a document with many small values is truncated as a whole', () => {
  const row = `[${'{},'.repeat(9_999)}{}]`;
  const trimmed = trim(`[${Array.from({ length: 40 }, () => row).join(',')}]`) as unknown[];

  expect(trimmed.filter((one) => one === null).length).toBeGreaterThan(15);
});

test('a member named __proto__ is treated like any other', () => {
  expect(Object.keys(trim('{"__proto__":{"polluted":true}}') as object)).toEqual(['__proto__']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('invalid JSON becomes null', () => {
  expect(trim('{')).toBe('not JSON');
});

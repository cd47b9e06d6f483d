import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../engine/documents/index.ts';
import { analyzePlan, type InsideDiff, type PlanAnalysis } from '../../../engine/index.ts';
import { buildPlan, type Entry } from '../explain/plans.ts';

const analyze = (entries: Entry[]): PlanAnalysis => analyzePlan(buildPlan(entries), { parsers: () => documentParsers });

function look(before: unknown, after: unknown, more: Partial<Entry> = {}): InsideDiff[] | undefined {
  const entry = { address: 'parcel_desk.a', type: 'parcel_desk', before: { rules: before }, after: { rules: after } };
  return analyze([{ ...entry, ...more }]).changes[0]?.attributes[0]?.inside;
}

const YAML = (replicas: number, password: string) =>
  `web:\n  replicas: ${replicas}\n  host: a.example\n  password: ${password}\n  ports: [80, 443]\n`;

describe('what differs inside a document', () => {
  test.each<[string, string, string, InsideDiff[]]>([
    [
      'JSON',
      '{"limits":{"cpu":1,"kinds":["a"]},"name":"x"}',
      '{"name":"x","limits":{"cpu":2,"kinds":["a","b"]}}',
      [
        { path: 'limits.cpu', before: 1, after: 2 },
        { path: 'limits.kinds[1]', before: null, after: 'b' },
      ],
    ],
    ['YAML', YAML(3, 'x'), YAML(1, 'x'), [{ path: 'web.replicas', before: 3, after: 1 }]],
    [
      'properties',
      'log.retention=30\nlog.level=info\n',
      'log.retention=1\nlog.level=info\n',
      [{ path: '["log.retention"]', before: '30', after: '1' }],
    ],
  ])('is listed for %s', (_, before, after, inside) => {
    expect(look(before, after)).toEqual(inside);
  });

  test('names the members of a block that comes or goes, and null for the side without it', () => {
    expect(look('{"a":1}', '{"a":1,"guard":{"on":true,"days":30}}')).toEqual([
      { path: 'guard.on', before: null, after: true },
      { path: 'guard.days', before: null, after: 30 },
    ]);
  });

  test.each([
    ['one that comes', ['a', 'b'], ['a', 'c', 'b'], [{ path: 'list[1]', before: null, after: 'c' }]],
    ['one that takes the place of another', ['a', 'b'], ['a', '*'], [{ path: 'list[1]', before: 'b', after: '*' }]],
    ['another order', ['a', 'b'], ['b', 'a'], [{ path: 'list', before: ['a', 'b'], after: ['b', 'a'] }]],
    ['a text that becomes a list', 'a', ['a', 'b'], [{ path: 'list[1]', before: null, after: 'b' }]],
  ])('has the items of a list one by one: %s', (_, before, after, inside) => {
    expect(look(JSON.stringify({ list: before }), JSON.stringify({ list: after }))).toEqual(inside);
  });

  test('does not contain a value whose name says that it is a secret, marked or not', () => {
    expect(look(YAML(3, 'sesame-1'), YAML(3, 'sesame-2'))).toBeUndefined();
    expect(JSON.stringify(look(YAML(3, 'sesame-1'), YAML(1, 'sesame-2')) ?? '')).not.toContain('sesame');
  });

  test('contains no part of a document that the plan marks as sensitive', () => {
    expect(look('{"a":1}', '{"a":2}', { before_sensitive: { rules: true }, after_sensitive: { rules: true } })).toBe(
      undefined,
    );
  });

  test('contains no value that the plan marks as sensitive elsewhere', () => {
    const marked = { secret_word: 'open-sesame-9' };
    const inside = look('{"a":"x"}', '{"a":"open-sesame-9"}', {
      before: { rules: '{"a":"x"}', ...marked },
      after: { rules: '{"a":"open-sesame-9"}', ...marked },
      before_sensitive: { secret_word: true },
      after_sensitive: { secret_word: true },
    });

    expect(JSON.stringify(inside ?? [])).not.toContain('open-sesame-9');
  });

  test('is not listed for encoded documents, for plain text, or if both mean the same', () => {
    const encode = (text: string) => Buffer.from(text).toString('base64');

    expect(look(encode(YAML(3, 'x')), encode(YAML(1, 'x')))).toBeUndefined();
    expect(look('one text', 'another text')).toBeUndefined();
    expect(look('{"a":1,"b":2}', '{"b":2,"a":1}')).toBeUndefined();
    expect(look(null, '{"a":1}')).toBeUndefined();
  });

  test('has at most 20 entries, texts of 200 characters and lists of 20 items', () => {
    const build = (value: (i: number) => unknown) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key_${i}`, value(i)])));
    const texts = look(
      build(() => 'a'),
      build(() => 'b'.repeat(500)),
    );
    const order = (from: number) => JSON.stringify({ list: Array.from({ length: 50 }, (_, i) => (i + from) % 50) });
    const [list] = look(order(0), order(1)) ?? [];

    expect(texts).toHaveLength(20);
    expect(Math.max(...texts!.map(({ after }) => String(after).length))).toBeLessThanOrEqual(200);
    expect(list?.after).toHaveLength(20);
  });

  test('is listed for the first hundred documents of a plan', () => {
    const entries = Array.from({ length: 130 }, (_, i) => ({
      address: `parcel_desk.a${i}`,
      type: 'parcel_desk',
      before: { rules: '{"limit":1}' },
      after: { rules: `{"limit":${i + 2}}` },
    }));
    const listed = analyze(entries).changes.filter(({ attributes }) => attributes[0]?.inside !== undefined);

    expect(listed).toHaveLength(100);
  });

  test('is found in documents of which the result shows only the beginning', () => {
    const padding = 'x'.repeat(2_000);
    const { attributes } = analyze([
      {
        address: 'parcel_desk.a',
        type: 'parcel_desk',
        before: { rules: JSON.stringify({ padding, limit: 5 }) },
        after: { rules: JSON.stringify({ padding, limit: 500 }) },
      },
    ]).changes[0]!;

    expect(attributes[0]).toMatchObject({ truncated: true, inside: [{ path: 'limit', before: 5, after: 500 }] });
  });
});

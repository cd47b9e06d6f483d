import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../engine/documents/index.ts';
import { createDocumentReader } from '../../../engine/documents/reader.ts';
import { analyzePlan } from '../../../engine/index.ts';

const repeat = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('');
const LEVELS = 100_000;

const ALIAS_BOMB = `a0: &a0 [x, x]\n${repeat(30, (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)}`;
const UNREAD: [string, string][] = [
  ['aliases that expand to a billion items', ALIAS_BOMB],
  ['YAML lists of 100,000 levels', `a: ${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}\nb: 1\n`],
  ['YAML maps of 100,000 levels that never end', `a: ${'{a: '.repeat(LEVELS)}\n`],
  ['block lists of 100,000 levels', `a:\n  ${'- '.repeat(LEVELS)}x\n`],
  ['JSON of 100,000 levels', `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`],
  ['100,000 YAML documents', '---\na: 1\n'.repeat(100_000)],
  ['30,000 YAML anchors', repeat(30_000, (i) => `k${i}: &a${i} v\n`)],
  ['gzip content that expands to 200 MB', gzipSync(Buffer.alloc(200_000_000, 'a: b\n')).toString('base64')],
];

describe('a document that would take too much time or memory', () => {
  test.each(UNREAD)('%s are listed as not evaluated', (_, text) => {
    const { not_evaluated } = analyze('a: b\nc: d\n', text);

    expect(not_evaluated.resources).toMatchObject([{ reason: 'too_large', paths: ['user_data'] }]);
  });

  test('a text above 1 MiB is listed as not evaluated', () => {
    const { not_evaluated } = analyze('a: b\n', 'a: b\n'.repeat(300_000));

    expect(not_evaluated.resources).toMatchObject([{ reason: 'too_large' }]);
  });

  test('compressed content inside a list of texts is listed, too', () => {
    const reader = createDocumentReader(() => documentParsers);
    const bomb = gzipSync(Buffer.alloc(20_000_000, 'a: b\n')).toString('base64');

    reader.read(bomb);

    expect(reader.isUnread(bomb)).toBe(true);
  });
});

describe('a document of ordinary size', () => {
  test.each([
    ['ninety aliases', `a: &a {k: v}\n${repeat(90, (i) => `m${i}: *a\n`)}`],
    ['a map of 60,000 keys', repeat(60_000, (i) => `key${i}: v\n`)],
    ['499 documents', '---\na: 1\n'.repeat(499)],
    ['brackets in quotes', `a: "${'['.repeat(20)}"\nb: c\n`],
    ['a cut gzip file', gzipSync('a: b\n'.repeat(999)).subarray(0, 30).toString('base64')],
  ])('%s are not listed', (_, text) => {
    expect(analyze('a: b\nc: d\n', text).not_evaluated.resources).toEqual([]);
  });

  test('a map that has a key twice is read as lines', () => {
    const reader = createDocumentReader(() => documentParsers);

    const document = reader.read('a: 1\nb:\n  c: 1\n  c: 2\n');

    expect(document).toMatchObject({ format: 'text', statements: ['a: 1', 'b:', 'c: 1', 'c: 2'] });
  });

  test('two maps may have the same key', () => {
    const reader = createDocumentReader(() => documentParsers);

    expect(reader.read('a:\n  c: 1\nb:\n  c: 2\n')?.tree).toEqual({ a: { c: 1 }, b: { c: 2 } });
  });

  test('keys of a map can be numbers that are not numbers', () => {
    const reader = createDocumentReader(() => documentParsers);

    expect(reader.read('a:\n  .nan: 1\n  1: 2\nb: 1\n')?.format).toBe('yaml');
  });
});

function analyze(before: string, after: string) {
  const change = { actions: ['update'], before: { user_data: before }, after: { user_data: after } };
  const entry = { address: 'aws_instance.x', type: 'aws_instance', name: 'x', mode: 'managed', change };
  const plan = JSON.stringify({ format_version: '1.2', resource_changes: [entry] });
  return analyzePlan(plan, { parsers: () => documentParsers });
}

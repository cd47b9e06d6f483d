import { afterAll, describe, expect, test } from '@jest/globals';
import { readLabels } from '../../bench/score/score-labels.ts';
import { type Pair, readPairs, scorePairs } from '../../bench/score/score-pairs.ts';
import type { PlanScore } from '../../bench/score/score-plan.ts';
import { createSets, writeTable } from './set-files.ts';

const LABEL_COLUMNS = 'file|expected|acceptable|reason|key_addresses|noise_expected|secrets';
const sets = createSets();
afterAll(sets.remove);

function readLine(line: string, head = LABEL_COLUMNS) {
  return readLabels(sets.write({ 'a.json': '{}', 'LABELS.tsv': writeTable(head, line) }));
}

describe('the labels of a set', () => {
  test('have one entry for each line, with addresses that contain an equals sign', () => {
    const labels = readLine('a.json|high|high-critical|why|x.y["a=b"]=low,medium; z.q=high|z.q=benign|one; two');

    expect(labels).toEqual([
      {
        ...{ file: 'a.json', expected: 'high', acceptable: 'high-critical', why: 'why' },
        key_addresses: [
          ['x.y["a=b"]', 'low,medium'],
          ['z.q', 'high'],
        ],
        noise_expected: [['z.q', 'benign']],
        secrets: ['one', ' two'],
      },
    ]);
  });

  test('may have Windows line ends, a byte order mark, empty lines and missing columns at the end', () => {
    const folder = sets.write({ 'a.json': '{}', 'LABELS.tsv': '\ufefffile\texpected\r\na.json\tlow\r\n\r\n' });

    expect(readLabels(folder)).toMatchObject([{ file: 'a.json', expected: 'low', acceptable: 'low', secrets: [] }]);
  });

  test.each([
    ['a plan that is missing', 'b.json|low', 'LABELS.tsv:2: the folder has no plan "b.json".'],
    ['no plan', '|low', 'LABELS.tsv:2: the folder has no plan "".'],
    ['an unknown expected level', 'a.json|hgh', 'LABELS.tsv:2: unknown level "hgh". Use none, low,'],
    ['an unknown acceptable level', 'a.json|low|low-severe', 'LABELS.tsv:2: unknown level "severe"'],
    ['a range without an end', 'a.json|low|low-', 'LABELS.tsv:2: unknown level ""'],
    ['an unknown level of an address', 'a.json|low|low|why|x.y=bad', 'LABELS.tsv:2: unknown level "bad"'],
    ['an address without a level', 'a.json|low|low|why|x.y', '"x.y" in the column key_addresses has no value.'],
    ['an unknown kind of noise', 'a.json|low|low|why||x.y=loud', 'LABELS.tsv:2: unknown noise "loud". Use benign or'],
  ])('are refused with %s', (_what, line, message) => {
    expect(() => readLine(line)).toThrow(message);
  });

  test('are refused with two lines for one plan', () => {
    expect(() => readLine('a.json|low\na.json|high')).toThrow('LABELS.tsv:3: "a.json" has a label already.');
  });

  test('are refused without a column for the plan', () => {
    expect(() => readLine('a.json|low', 'plan|expected')).toThrow('LABELS.tsv: the header has no column "file".');
  });

  test('are refused without a table', () => {
    expect(() => readLabels(sets.write({}))).toThrow('has no LABELS.tsv and no CATALOG.tsv');
  });
});

function readPairLines(...lines: string[]): Pair[] {
  const labels = writeTable('file|expected', 'a.json|high', 'b.json|low');
  const folder = sets.write({
    'a.json': '{}',
    'b.json': '{}',
    'LABELS.tsv': labels,
    'PAIRS.tsv': writeTable(...lines),
  });
  return readPairs(folder, readLabels(folder));
}

describe('the pairs of a set', () => {
  test('have a risky plan, a safe plan and an optional reason', () => {
    const reason = readPairLines('risky|safe|why', 'a.json|b.json|one condition');
    const none = readPairLines('risky|safe', 'a.json|b.json');

    expect(reason).toEqual([{ risky: 'a.json', safe: 'b.json', why: 'one condition' }]);
    expect(none).toEqual([{ risky: 'a.json', safe: 'b.json', why: '' }]);
  });

  test('are optional', () => {
    expect(readPairs(sets.write({}), [])).toEqual([]);
  });

  test.each([
    ['a risky plan without a label', 'c.json|b.json', 'PAIRS.tsv:2: "c.json" has no label. Add it to LABELS.tsv.'],
    ['a safe plan without a label', 'a.json|c.json', 'PAIRS.tsv:2: "c.json" has no label.'],
    ['only one plan', 'a.json', 'PAIRS.tsv:2: "" has no label.'],
    ['the same plan twice', 'a.json|a.json', 'PAIRS.tsv:2: "a.json" is compared with itself.'],
  ])('are refused with %s', (_what, line, message) => {
    expect(() => readPairLines('risky|safe|why', line)).toThrow(message);
  });

  test('are refused without a column for the safe plan', () => {
    expect(() => readPairLines('risky|why', 'a.json|x')).toThrow('PAIRS.tsv: the header has no column "safe".');
  });
});

describe('a pair', () => {
  test.each([
    ['high', 'low', true],
    ['critical', 'high', true],
    ['low', 'none', true],
    ['high', 'high', false],
    ['low', 'high', false],
    [null, 'low', false],
    ['high', null, false],
  ] as const)('rated %s and %s is ranked rightly: %s', (risky_level, safe_level, ranked) => {
    const scores = [
      { label: { file: 'a.json' }, level: risky_level },
      { label: { file: 'b.json' }, level: safe_level },
    ] as PlanScore[];

    const [score] = scorePairs([{ risky: 'a.json', safe: 'b.json', why: '' }], scores);

    expect(score).toEqual({ risky: 'a.json', safe: 'b.json', why: '', risky_level, safe_level, ranked });
  });
});

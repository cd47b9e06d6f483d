import { describe, expect, test } from '@jest/globals';
import type { Exception } from '../../checks/words/exceptions.ts';
import { isChecked } from '../../checks/words/files.ts';
import { applyExceptions, findRetiredWords } from '../../checks/words/find.ts';
import { RETIRED_WORDS } from '../../checks/words/words.ts';

/** A use of each word in TypeScript. */
const USES: Readonly<Record<string, string>> = {
  told: 'const told_revision = 1;',
  wanted: 'const wanted = 1;',
  'seen revision': 'const seen_revision = 1;',
  guise: '// the guise of a host',
  herd: 'const herdSize = 1;',
  world: 'const world = open();',
  'touch the world': '// may touch the world',
  stage: 'function openStage() {}',
  upkeep: 'const upkeep = 1;',
  moment: 'const moment = 1;',
  'trail scope': 'interface TrailScope {}',
  quiet: 'function quietMarkdown() {}',
  turns: 'const turns = createLimit();',
  gate: "const name = 'the model gate';",
  stand: 'const standOf = 1;',
  prints: 'const prints = [];',
  '…Of': 'const levelOf = (a) => a;',
  'no more': '// the job is no more',
  'speaks for': '// what speaks for it',
  flapping: '// a flapping attribute',
  'diff item': 'const diff_item = 1;',
  'match rate': '// the match rate in percent',
  'scan job': 'interface ScanJob {}',
  organisation: 'const organisation_id = 1;',
  behaviour: '// the default behaviour',
  cancelled: "const status = 'cancelled';",
  colour: 'const colours = 1;',
  licence: '// under this licence',
  normalise: 'function normaliseChange() {}',
  analyse: '// analysed by a thread',
  labelled: 'function isLabelled() {}',
  neighbour: '// the neighbouring block',
  favour: '// in favour of it',
  catalogue: '// the noise catalogue',
  '…ise': 'function summarise() {}',
};

function listWords(file: string, text: string): string[] {
  return findRetiredWords(file, text).map(({ word }) => word);
}

describe('retired words', () => {
  test('every word has a test', () => {
    expect(Object.keys(USES).sort()).toEqual(RETIRED_WORDS.map(({ word }) => word).sort());
  });

  test.each(Object.entries(USES))('"%s" is found', (word, code) => {
    expect(listWords('engine/x.ts', code)).toContain(word);
  });

  test('a finding has the line, the text and the plain word', () => {
    expect(findRetiredWords('engine/x.ts', 'const a = 1;\n// the noise catalogue\n')).toEqual([
      { file: 'engine/x.ts', line: 2, word: 'catalogue', found: '// the noise catalogue', use: 'catalog' },
    ]);
  });

  test('the name of a file is checked', () => {
    expect(findRetiredWords('test/herd.test.ts', '')).toMatchObject([{ line: 0, word: 'herd' }]);
  });

  test('documents are checked', () => {
    expect(listWords('docs/x.md', 'The\nbehaviour of `told_revision`.')).toEqual(['told', 'behaviour']);
  });

  test.each([
    ['a longer word', 'const aggregate = retold + gateway + fingerprints + returns;'],
    ['a function of another module', 'text.indexOf("a"); Object.hasOwn(a);'],
    ['a value whose name ends in Of', 'const valueOf = 1;'],
    ['a verb in a comment', '// prints the plan in turns, in a moment, open to the world'],
    ['an amount', '// no more than five; accepts no more jobs'],
    ['the plural of analysis', 'const analyses = 1;'],
    ['a command', 'function setQuiet(is_quiet) {}'],
  ])('%s is not found', (_, code) => {
    expect(listWords('engine/x.ts', code)).toEqual([]);
  });
});

describe('exceptions', () => {
  const found = findRetiredWords('engine/a/x.ts', '// cancelled behaviour');
  const allow = (path: string, word: string): Exception => ({ path, word, reason: 'test' });

  test.each(['engine/a/x.ts', 'engine/a/'])('an exception for %s allows its word in the file', (path) => {
    const { findings, unused } = applyExceptions(found, [allow(path, 'cancelled')]);

    expect(findings.map(({ word }) => word)).toEqual(['behaviour']);
    expect(unused).toEqual([]);
  });

  test.each([
    ['another file', allow('engine/a/x.tsx', 'cancelled')],
    ['a folder without a slash', allow('engine/a', 'cancelled')],
    ['another word', allow('engine/a/x.ts', 'colour')],
  ])('an exception for %s allows nothing and is reported as unused', (_, exception) => {
    expect(applyExceptions(found, [exception])).toEqual({ findings: found, unused: [exception] });
  });
});

test.each([
  ['engine/index.ts', true],
  ['docs/rules.md', true],
  ['migrations/20261121T1210_pull_requests.ts', false],
  ['migrations/20270101T0000_topic.ts', true],
  ['sdk/src/generated/client.ts', false],
  ['server/contract/openapi.d.ts', false],
  ['test/fixtures/plans/notes.md', false],
  ['checks/words/words.ts', false],
  ['docs/images/comment.png', false],
])('whether %s is checked: %s', (path, expected) => {
  expect(isChecked(path)).toBe(expected);
});

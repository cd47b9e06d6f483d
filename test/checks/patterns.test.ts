import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import prove, { splitAlternatives } from '../../checks/patterns/prove.ts';
import { findContractPatterns, findFilePatterns, findPatterns } from '../../checks/patterns/source-patterns.ts';

/** The patterns in a snippet of TypeScript. */
function findSources(code: string): string[] {
  return findFilePatterns('engine/x.ts', code).literals.map(({ source, flags }) => `/${source}/${flags}`);
}

describe('finding patterns', () => {
  test.each([
    ['a literal is found', 'const a = /x+/gi;', ['/x+/gi']],
    ['a literal with slashes is found', 'a.replace(/[/]\\/$/, "");', ['/[/]\\/$/']],
    [
      'a string argument of match, matchAll and search is found',
      'a.match("x+"); a.search(`y`); a.matchAll(c);',
      ['/x+/', '/y/'],
    ],
    ['a string or comment that looks like a pattern is not found', 'const a = "/x+/"; // /y+/\n a.split("z+");', []],
  ])('%s', (_, code, sources) => {
    expect(findSources(code)).toEqual(sources);
  });

  test.each([
    ['at the top of a module', 'const a = new RegExp(b);', false],
    ['in a callback that runs while the module loads', 'const a = [1].map((n) => RegExp(n));', false],
    ['in a function', 'function f(b) { return new RegExp(b); }', true],
    ['in a function that is a value', 'const f = (b) => new RegExp(b);', true],
    ['in a callback within a function', 'const f = (b) => b.map((c) => new RegExp(c));', true],
  ])('a pattern that is built %s is found', (_, code, in_function) => {
    expect(findFilePatterns('engine/x.ts', code).dynamic).toEqual([{ file: 'engine/x.ts', line: 1, in_function }]);
  });
});

describe('the verdict on a pattern', () => {
  // Checks in this process; a process that the library starts would outlive the tests.
  beforeAll(() => {
    process.env['RECHECK_BACKEND'] = 'pure';
  });

  test.each([
    ['nested repetition', '^(a+)+$'],
    ['alternatives that overlap', '^(?:a|aa)+$'],
    ['a repetition without an anchor', '\\s+$'],
    ['two repetitions of the same characters', '^\\s*x?\\s*y'],
    ['a quoted text without an end', '"(?:[^"\\\\]|\\\\.)*"'],
    ['one vulnerable alternative', 'abc|x+$|d'],
  ])('%s can be attacked', async (_, source) => {
    expect(await prove({ source, flags: '' })).toMatchObject({
      kind: 'vulnerable',
      attack: expect.stringContaining('repeat'),
    });
  });

  test.each([
    ['an anchored repetition', '^a+$'],
    ['adjacent repetitions of different characters', '^\\s*[a-z]+\\s*$'],
    ['alternatives that are words', '\\b(?:one|two|three)\\b'],
    ['a quoted text whose end is optional', '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"?'],
  ])('%s is proven linear', async (_, source) => {
    expect(await prove({ source, flags: 'g' })).toEqual({ kind: 'proven' });
  });

  test.each([
    ['a|b', ['a', 'b']],
    ['(?:a|b)|[|]|\\|', ['(?:a|b)', '[|]', '\\|']],
    ['(a)\\1|b', ['(a)\\1|b']],
    ['', ['']],
  ])('%j is split into its top-level alternatives', (source, parts) => {
    expect(splitAlternatives(source)).toEqual(parts);
  });
});

test('every pattern in the sources and in the contract has been checked', () => {
  const { proven, withstood } = JSON.parse(readFileSync('checks/patterns/proofs.json', 'utf8')) as Record<
    string,
    string[]
  >;
  const known = new Set([...(proven ?? []), ...(withstood ?? [])]);
  const { literals } = findPatterns('.', ['engine', 'server', 'bot', 'cli/src']);

  const unknown = [...literals, ...findContractPatterns('.', 'openapi.yaml')].filter(
    ({ source, flags }) => !known.has(`/${source}/${flags}`),
  );

  expect(unknown).toEqual([]);
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileParts, matchesPart, matchesParts, splitAddress } from '../../../engine/rules/globs.ts';
import { compilePaths } from '../../../engine/rules/index.ts';
import { PathError, parsePath } from '../../../engine/rules/paths.ts';
import { compilePattern, PatternError } from '../../../engine/rules/regex.ts';

/** Reference implementation that tries every alternative. */
function matchesNaively(pattern: readonly string[], parts: readonly string[]): boolean {
  const [glob, ...rest] = pattern;
  if (glob === undefined) return parts.length === 0;
  if (glob === '**')
    return matchesNaively(rest, parts) || (parts.length > 0 && matchesNaively(pattern, parts.slice(1)));
  const [part, ...others] = parts;
  return part !== undefined && matchesTextNaively(glob, part) && matchesNaively(rest, others);
}

function matchesTextNaively(glob: string, text: string): boolean {
  if (glob === '') return text === '';
  if (glob[0] === '*') {
    return matchesTextNaively(glob.slice(1), text) || (text !== '' && matchesTextNaively(glob, text.slice(1)));
  }
  return text !== '' && (glob[0] === '?' || glob[0] === text[0]) && matchesTextNaively(glob.slice(1), text.slice(1));
}

const part = fc.string({ unit: fc.constantFrom('a', 'b', '[', ']'), maxLength: 5 });
const glob = fc.oneof(
  fc.constant('**'),
  fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '['), maxLength: 4 }).filter((text) => !text.includes('**')),
);

describe('a glob', () => {
  test('matches according to its definition', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), fc.array(part, { maxLength: 5 }), (pattern, parts) => {
        expect(matchesParts(pattern, parts)).toBe(matchesNaively(pattern, parts));
        expect(compileParts([pattern])(parts)).toBe(matchesNaively(pattern, parts));
      }),
      { numRuns: 3000 },
    );
  });

  test('matches a literal name', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        expect(compileParts([parts])(parts)).toBe(true);
        expect(compileParts([[...parts, '**']])(parts)).toBe(true);
      }),
    );
  });

  test.each([
    ['*a'.repeat(128), 'a'.repeat(50_000)],
    [`${'*'.repeat(255)}b`, 'a'.repeat(50_000)],
    ['?*'.repeat(127), 'a'.repeat(50_000)],
  ])('%.6s… terminates on a name of 50,000 characters', (hostile, name) => {
    expect(matchesPart(`${hostile}!`, name)).toBe(false);
  });

  test('with many ** terminates on a name of 20,000 parts', () => {
    const hostile = [...'**.a.'.repeat(51).split('.'), '!'];

    expect(matchesParts(hostile, new Array(20_000).fill('a'))).toBe(false);
  });
});

describe('an address', () => {
  test.each([
    ['', []],
    ['aws_s3_bucket.logs', ['aws_s3_bucket', 'logs']],
    ['module.app["eu.west"].aws_s3_bucket.logs[0]', ['module', 'app["eu.west"]', 'aws_s3_bucket', 'logs[0]']],
    ['a.b["x]\\"].y"].c', ['a', 'b["x]\\"].y"]', 'c']],
    ['a[*].b', ['a[*]', 'b']],
    ['a["open.b', ['a["open.b']],
  ])('%s is split outside brackets', (address, parts) => {
    expect(splitAddress(address)).toEqual(parts);
  });

  test.each([
    ['module.app.**', 'module.app.aws_s3_bucket.logs', true],
    ['module.app.**', 'module.app', true],
    ['module.app.**', 'module.apple.aws_s3_bucket.logs', false],
    ['aws_s3_bucket.logs["*"]', 'aws_s3_bucket.logs["eu.west"]', true],
    ['aws_s3_bucket.logs["*"]', 'aws_s3_bucket.logs[0]', false],
    ['aws_s3_bucket.logs', 'aws_s3_bucket.logs[0]', false],
    ['**.logs*', 'module.a.module.b.aws_s3_bucket.logs[0]', true],
    ['*.logs', 'module.a.aws_s3_bucket.logs', false],
  ])('%s against %s: %s', (pattern, address, matches) => {
    expect(compileParts([splitAddress(pattern)])(splitAddress(address))).toBe(matches);
  });
});

describe('a path glob', () => {
  test.each<[string, (string | number)[], boolean]>([
    ['desired_count', ['desired_count'], true],
    ['desired_count', ['desired_count', 0], false],
    ['ingress[*].cidr_blocks[*]', ['ingress', 3, 'cidr_blocks', 0], true],
    ['ingress[3].cidr_blocks[*]', ['ingress', 3, 'cidr_blocks', 0], true],
    ['ingress[2].cidr_blocks[*]', ['ingress', 3, 'cidr_blocks', 0], false],
    ['tags.*', ['tags', 'kubernetes.io/name'], true],
    ['tags["kubernetes.io/*"]', ['tags', 'kubernetes.io/name'], true],
    ['tags.*', ['tags'], false],
    ['tags.**', ['tags'], true],
    ['**', ['a', 0, 'b'], true],
    ['**.arn', ['a', 0, 'arn'], true],
    ['tags_*', ['tags_all', 'x'], false],
  ])('%s against %j: %s', (pattern, segments, matches) => {
    expect(compilePaths([pattern])(segments)).toBe(matches);
    expect(compilePaths(['other', pattern])(segments)).toBe(matches);
  });

  test('matches nothing if the list is empty', () => {
    expect(compilePaths([])(['a'])).toBe(false);
  });

  test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a[x]', 'a["b]', 'a["\\q"]', 'a b', 'a]', 'a[0]b', '[-1]'])(
    '%j is rejected',
    (path) => {
      expect(() => parsePath(path)).toThrow(PathError);
    },
  );
});

describe('a pattern', () => {
  test('is searched anywhere, in RE2 syntax', () => {
    expect(compilePattern('b+')('abc')).toBe(true);
    expect(compilePattern('^b+$')('abc')).toBe(false);
    expect(compilePattern('(?i)ABC')('xabcx')).toBe(true);
  });

  test.each(['(?=a)', '(a)\\1', '[', 'a{2000}', '(.{30}){40}'])('%s is rejected with a reason', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError);
  });

  test('searches the first 64 KiB of a text', () => {
    const isFound = compilePattern('needle');

    expect(isFound(`${'x'.repeat(65_530)}needle`)).toBe(true);
    expect(isFound(`${'x'.repeat(65_531)}needle`)).toBe(false);
  });

  test('that would backtrack forever terminates', () => {
    const isFound = compilePattern('^(a+)+$');

    expect(isFound(`${'a'.repeat(60_000)}!`)).toBe(false);
  });
});

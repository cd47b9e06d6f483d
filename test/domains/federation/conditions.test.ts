import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assertImmutable, matchesGlob, meetsAll } from '../../../server/domains/federation/conditions.ts';

describe('condition matching', () => {
  test.each<[string, unknown, string, boolean]>([
    ['a text and the same text', 'acme/infra', 'acme/infra', true],
    ['a text and another case', 'Acme/infra', 'acme/infra', false],
    ['a text and part of it', 'acme/infra', 'acme', false],
    ['a number and its JSON', 123456789, '123456789', true],
    ['a text of digits and the digits', '123456789', '123456789', true],
    ['true and its JSON', true, 'true', true],
    ['false and its JSON', false, 'false', true],
    ['a number that JSON cannot distinguish from the next one', 2 ** 53, '9007199254740992', false],
    ['null', null, 'null', false],
    ['a list of one', ['acme'], 'acme', false],
    ['an object', { a: 1 }, '[object Object]', false],
    ['nothing', undefined, 'undefined', false],
  ])('eq compares %s', (_title, claim, value, met) => {
    expect(meetsAll([{ claim: 'c', op: 'eq', value }], { c: claim })).toBe(met);
  });

  test('a missing claim meets no condition, not even a single star', () => {
    expect(meetsAll([{ claim: 'environment', op: 'glob', value: '*' }], { ref: 'x' })).toBe(false);
    expect(meetsAll([{ claim: 'constructor', op: 'glob', value: '*' }], {})).toBe(false);
    expect(meetsAll([{ claim: '__proto__', op: 'glob', value: '*' }], {})).toBe(false);
  });

  test('one unmet condition is enough to reject the token', () => {
    const conditions = [
      { claim: 'repository_id', op: 'eq' as const, value: '1' },
      { claim: 'ref', op: 'glob' as const, value: 'refs/heads/*' },
    ];

    expect(meetsAll(conditions, { repository_id: '1', ref: 'refs/heads/main' })).toBe(true);
    expect(meetsAll(conditions, { repository_id: '1', ref: 'refs/tags/v1' })).toBe(false);
    expect(meetsAll(conditions, { repository_id: '2', ref: 'refs/heads/main' })).toBe(false);
  });
});

describe('glob', () => {
  test.each<[string, string, boolean]>([
    ['*', '', true],
    ['**', '', true],
    ['a*', 'a', true],
    ['*a', 'ba', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*ba', 'aba', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'acb', false],
    ['a*b*b', 'ab', false],
    ['*ab*', 'aab', true],
    ['refs/heads/*', 'refs/heads/release/1', true],
    ['refs/heads/*', 'xrefs/heads/main', false],
    ['a?c', 'abc', false],
    ['a?c', 'a?c', true],
    ['a.c', 'abc', false],
    ['[a]', 'a', false],
    ['(a+)+$', 'aaaa', false],
    ['a\n*', 'a\nb', true],
  ])('the glob %p matches the text %p: %p', (pattern, text, matches) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });

  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 });
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 });

  test('the glob matcher agrees with a simple recursive definition', () => {
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => matchesGlob(pattern, text) === byDefinition(pattern, text)),
      {
        numRuns: 3_000,
      },
    );
  });

  test('a glob matches every text made by filling its stars', () => {
    fc.assert(
      fc.property(fc.array(letters, { minLength: 2, maxLength: 6 }), fc.string(), (parts, filling) => {
        expect(matchesGlob(parts.join('*'), parts.join(filling))).toBe(true);
      }),
    );
  });

  test('a glob without a star matches only itself', () => {
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        expect(matchesGlob(pattern, text)).toBe(pattern === text);
      }),
    );
  });

  test('a glob designed to be slow finishes quickly', () => {
    expect(matchesGlob(`${'*a'.repeat(250)}b`, 'a'.repeat(16_000))).toBe(false);
  });

  function byDefinition(pattern: string, text: string): boolean {
    if (pattern === '') return text === '';
    if (pattern[0] !== '*')
      return text[0] === pattern[0] && text !== '' && byDefinition(pattern.slice(1), text.slice(1));
    return byDefinition(pattern.slice(1), text) || (text !== '' && byDefinition(pattern, text.slice(1)));
  }
});

describe('the immutable condition of a trust', () => {
  const GITHUB = 'https://token.actions.githubusercontent.com';
  const GITLAB = 'https://gitlab.com';
  const OWN = 'https://ci.example.com';

  test.each<[string, string]>([
    [GITHUB, 'repository_id'],
    [GITHUB, 'repository_owner_id'],
    [`${GITHUB}/acme`, 'repository_id'],
    ['https://token.actions.acme.ghe.com', 'repository_owner_id'],
    ['https://git.example.com/_services/token', 'repository_id'],
    [GITLAB, 'project_id'],
    [GITLAB, 'namespace_id'],
    [OWN, 'repository_id'],
    [OWN, 'project_id'],
    [OWN, 'sub'],
  ])('for %s, %s is immutable', (issuer, claim) => {
    assertImmutable(issuer, [
      { claim: 'ref', op: 'glob', value: '*' },
      { claim, op: 'eq', value: '123' },
    ]);
  });

  test.each<[string, string, 'eq' | 'glob', string]>([
    [GITHUB, 'repository', 'eq', 'acme/infra'],
    [GITHUB, 'repository_owner', 'eq', 'acme'],
    [GITHUB, 'sub', 'eq', 'repo:acme/infra:ref:refs/heads/main'],
    [GITHUB, 'repository_id', 'glob', '123'],
    [GITHUB, 'project_id', 'eq', '123'],
    [`${GITHUB}/acme`, 'sub', 'eq', '1'],
    ['https://token.actions.acme.ghe.com', 'sub', 'eq', '1'],
    ['https://git.example.com/_services/token', 'sub', 'eq', '1'],
    [GITLAB, 'project_path', 'eq', 'acme/infra'],
    [GITLAB, 'namespace_path', 'eq', 'acme'],
    [GITLAB, 'repository_id', 'eq', '123'],
    [GITLAB, 'sub', 'eq', '1'],
    [OWN, 'sub', 'glob', 'job-*'],
    [OWN, 'sub', 'eq', 'project_path:acme/infra:ref_type:branch:ref:main'],
    [OWN, 'email', 'eq', 'ana@example.com'],
  ])('for %s, only %s with %s on "%s" is rejected, and the message says why', (issuer, claim, op, value) => {
    expect(() => assertImmutable(issuer, [{ claim, op, value }])).toThrow(
      /others can register a name that was given up/,
    );
  });
});

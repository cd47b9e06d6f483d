import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { outlineSides } from '../../../engine/explain/outlines.ts';

test.each([
  [
    'attribute_condition',
    "assertion.repository_owner == 'acme' && assertion.ref == 'refs/heads/main'",
    "assertion.repository_owner != ''",
    'assertion.repository_owner == … && assertion.ref == …',
    'assertion.repository_owner != …',
  ],
  [
    'expression',
    '(ip.src in $partners and http.host eq "api.acme.com")',
    '(ip.src in $partners or http.user_agent contains "Partner")',
    '( ip.src in $partners and http.host eq … )',
    '( ip.src in $partners or http.user_agent contains … )',
  ],
])('%s: an outline shows operators and fields, and no value', (name, before, after, from, to) => {
  expect(outlineSides(before, after, name)).toEqual({ before: from, after: to });
});

test.each([
  ['conditions that differ only in values', 'condition', "a.b == 'x'", "a.b == 'y'"],
  ['an attribute that is no condition', 'user_data', 'export a.b', 'export c.d'],
  ['a very long condition', 'query', 'a.b and '.repeat(900), 'c.d'],
])('there is none for %s', (_what, name, before, after) => {
  expect(outlineSides(before, after, name)).toBeNull();
});

test('no sentence, quoted text or secret is in an outline', () => {
  const secret = fc.oneof(
    fc.stringMatching(/^[a-f0-9]{16,40}$/),
    fc.stringMatching(/^[A-Z][a-z]{7,15}[0-9]{2}!$/),
    fc.stringMatching(/^[a-z]{4,9} [a-z]{4,9} [a-z]{4,9}$/),
  );
  fc.assert(
    fc.property(secret, fc.constantFrom('', '"', "'"), (text, quote) => {
      const sides = outlineSides('a.b == 1', `a.b == ${quote}${text}${quote} and c.d`, 'query');

      expect(sides?.after ?? '').not.toContain(text);
    }),
  );
});

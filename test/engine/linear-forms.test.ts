/** Functions that replaced regular expressions with quadratic time: each returns the same result as its pattern. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expressionForm, yamlForm } from '../../engine/canonical/expressions.ts';
import { readLocation } from '../../engine/canonical/resource-location.ts';
import { hasWords, plainTypography } from '../../engine/explain/check.ts';
import { deniesHazard } from '../../engine/explain/denials.ts';
import { withoutTicks } from '../../engine/explain/find-change.ts';
import { withoutLastPart } from '../../engine/explain/fix-facts.ts';
import { createProximityTest } from '../../engine/explain/proximity-test.ts';
import { dropLeading, dropTrailing } from '../../engine/lib/trim.ts';
import { compareBy } from '../../engine/noise-catalog/forms.ts';
import { equalsText, isListed } from '../../engine/risk/attributes/identity/federation.ts';
import { listedCapabilities } from '../../engine/risk/attributes/identity/vault.ts';
import { compileGlobs } from '../../engine/risk/globs.ts';
import { isBotName } from '../../server/adapters/scm/gitlab/people.ts';

const NO_LOCATION = readLocation(null);

/** Texts of a few fragments, short enough for a slow pattern. */
function combineFragments(...fragments: string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => parts.join(''));
}

function agree<T>(texts: fc.Arbitrary<string>, now: (text: string) => T, before: (text: string) => T): void {
  fc.assert(
    fc.property(texts, (text) => {
      expect(now(text)).toEqual(before(text));
    }),
    { numRuns: 500 },
  );
}

const HAZARD =
  '(?:destr[ou]|delet|remov|replac|terminat|recreat|drop|wip|los[eits]|loss|eras|purg|torn|kill|harm|break|outage|downtime|disrupt|interrupt)\\w*';
const NEGATION = "(?:\\b(?:no|not(?! only)|nothing|none|never|without|zero|neither|nor|cannot|avoids?)\\b|n't\\b)";
const BREAKS = '(?!unless|until|before|if|because|when|while|but|after|so|and|or)';
const DENIAL = new RegExp(
  `${NEGATION}(?:[\\s-]+${BREAKS}[\\w'-]+){0,5}?[\\s-]+${HAZARD}|\\b${HAZARD}[\\s-]+(?:\\w+[\\s-]+){0,2}?(?:nothing|no|none|nil|zero)\\b`,
);

describe('a linear function gives the same result as the pattern it replaces', () => {
  test('for texts that deny a hazard', () => {
    const words = [
      'no',
      'not',
      "isn't",
      'cannot',
      'only',
      'data',
      'is',
      'but',
      'order',
      'lost',
      'deleted',
      "'",
      'nothing',
      'x',
    ];
    const texts = combineFragments(...words, ' ', ' ', ' ', ' ', ' ', '-', '-', '- ', ' -', ',', '.');

    agree(texts, deniesHazard, (text) => DENIAL.test(text));
  });

  test('for texts that call the rules wrong', () => {
    const first = ['rules', 'tool', 'level', 'analysis'];
    const second = ['wrong', 'exaggerated', 'too high', 'bug'];
    const before = /\b(?:rules|tool|level|analysis)\b.{0,40}\b(?:wrong|exaggerat\w+|too high|bug)\b/;
    const now = createProximityTest(
      /\b(?:rules|tool|level|analysis)\b/g,
      /\b(?:wrong|exaggerat\w+|too high|bug)\b/g,
      40,
    );

    agree(combineFragments(...first, ...second, ' ', ' ', '-', 'is', 'x'.repeat(19), '.'), now.test, (text) =>
      before.test(text),
    );
  });

  test('for the canonical form of an expression', () => {
    const before = (text: string) => {
      const parts = text.trim().split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/);
      const code = parts.filter((_part, i) => i % 2 === 0);
      if (code.some((part) => /--|\/\/|\/\*|#/.test(part) || /["'`]/.test(part))) return null;
      return parts.map((part, i) => (i % 2 === 0 ? part.replace(/\s+/g, ' ') : part)).join('');
    };

    agree(combineFragments('"', "'", '\\', ' ', '\n', 'a', '#', '-', '/', '`', '"b  c"'), expressionForm, before);
  });

  test('for texts that differ only in whitespace', () => {
    const form = (text: string) => text.trim().replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_run, quoted) => quoted ?? ' ');
    const texts = combineFragments('"', '\\', ' ', '  ', '\n', 'a');

    fc.assert(
      fc.property(texts, texts, (a, b) => {
        for (const [left, right] of [
          [a, b],
          [a, a.replaceAll(' ', '  ')],
        ] as const) {
          expect(compareBy('blanks')(left, right, NO_LOCATION)).toBe(form(left) === form(right));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('for decimals that are the same number', () => {
    const form = (text: string) => {
      if (!/^-?\d+(\.\d+)?$/.test(text)) return null;
      return (text.includes('.') ? text.replace(/\.?0+$/, '') : text).replace(/^(-?)0+(?=\d)/, '$1');
    };
    const texts = combineFragments('0', '1', '.', '-', '00');

    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(compareBy('decimal')(a, b, NO_LOCATION)).toBe(form(a) !== null && form(a) === form(b));
      }),
      { numRuns: 500 },
    );
  });

  test('for typographic punctuation', () => {
    const typography: [RegExp, string][] = [
      [/[\u2018\u2019]/g, "'"],
      [/[\u201c\u201d]/g, '"'],
      [/\s*[\u2013\u2014]\s*/g, ' - '],
      [/\u2011/g, '-'],
      [/\u2026/g, '...'],
      [/\u00a0|\u202f/g, ' '],
      [/[!?]+$/g, '.'],
    ];

    agree(
      combineFragments(' ', '\t', '\u2013', '\u2014', '\u00a0', '\u2026', '!', '?', 'a', '\u2019', '\u2011'),
      plainTypography,
      (text) => typography.reduce((rest, [from, to]) => rest.replace(from, to), text),
    );
  });

  test('for sentences with more than one word', () => {
    agree(combineFragments('a', 'b', ' ', '.', '1', 'cd'), hasWords, (text) =>
      /[A-Za-z]{2}.*\s\S|\s.*[A-Za-z]{2}/.test(text),
    );
  });

  test('for an attribute path without its last part', () => {
    const last = /(?:\.[^.[\]]+|\[[^\]]*\])$/;

    agree(combineFragments('a', '.', '[', ']', '0', 'b'), withoutLastPart, (path) =>
      last.test(path) ? path.replace(last, '') : '',
    );
  });

  test('for an address without its backticks', () => {
    agree(combineFragments('`', ' ', 'a', '``'), withoutTicks, (address) => address.replace(/^`+ ?| ?`+$/g, ''));
  });

  test('for conditions that compare with a string', () => {
    const equal = /^(?:.+==\s*(["']).+\1|(["']).+\2\s*==.+)$/;

    agree(combineFragments('==', '=', '"', "'", ' ', '\n', '\r', 'a', 'b'), equalsText, (text) => equal.test(text));
  });

  test('for conditions that compare with a list', () => {
    agree(combineFragments('in', ' ', '[', ']', 'x', '"', '\n'), isListed, (text) => /\bin\s*\[[^\]]*\]$/.test(text));
  });

  test('for the capabilities of a block', () => {
    const before = (text: string) => /capabilities\s{0,20}=\s{0,20}\[([^\]]{0,500})\]/.exec(text)?.[1] ?? '';

    agree(combineFragments('capabilities', ' ', '=', '[', ']', '"read"', ','.repeat(300)), listedCapabilities, before);
  });

  test('for resource types on a list', () => {
    const globs = 'a_b a_* *_b *a*b* b_*a*_c';
    const types = compileGlobs(globs);
    const pattern = new RegExp(`^(?:${globs.replaceAll('*', '.*').split(' ').join('|')})$`);

    agree(combineFragments('a', 'b', '_', 'c'), types.test, (type) => pattern.test(type));
  });

  test('for names of bots', () => {
    const bot = /^(?:(?:project|group)_\d+_bot(?:_\w*)?\d*|service_account_.+)$/;

    agree(combineFragments('project', 'group', '_', '1', '_bot', 'x', 'service_account_'), isBotName, (name) =>
      bot.test(name),
    );
  });

  test('for a YAML document without trailing newlines', () => {
    agree(combineFragments('\n', '\r', 'a', ' '), yamlForm, (text) => text.replace(/[\r\n]+$/, ''));
  });

  test('for trimming characters at either end', () => {
    agree(
      combineFragments('.', ',', 'a', '-'),
      (text) => dropTrailing(text, '.,'),
      (text) => text.replace(/[.,]+$/, ''),
    );
    agree(
      combineFragments('.', ',', 'a', '-'),
      (text) => dropLeading(text, '.,'),
      (text) => text.replace(/^[.,]+/, ''),
    );
  });
});

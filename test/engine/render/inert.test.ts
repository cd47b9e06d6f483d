import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codeCell, codeSpan, escapeInvisible, prose } from '../../../engine/render/inert.ts';
import { HOSTILE_NAMES } from './builders.ts';

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('`', '|', '\\', '@', '<', '\n', '\u202e', ' ', '&'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  ),
});

describe('escapeInvisible', () => {
  test.each([
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u001b[31m', '\\u{1b}[31m'],
    ['\u202eevil', '\\u{202e}evil'],
    ['\ud800', '\\u{d800}'],
    ['a\u{e0041}', 'a\\u{e0041}'],
    ['ünïcödé-🚀 مرحبا', 'ünïcödé-🚀 مرحبا'],
  ])('formats %j as %j', (text, expected) => {
    expect(escapeInvisible(text)).toBe(expected);
  });

  test('returns one line without control, format or separator characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(escapeInvisible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe('a code span', () => {
  test.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['a``b`', '``` a``b` ```'],
    ['', '`""`'],
  ])('formats %j as %j', (text, expected) => {
    expect(codeSpan(text)).toBe(expected);
  });

  test('cannot be closed from inside', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const span = codeSpan(text);
        const fence = /^`+/.exec(span)![0];
        const inside = span.slice(fence.length, -fence.length);

        expect(span.endsWith(fence)).toBe(true);
        expect((inside.match(/`+/g) ?? []).map((run) => run.length)).not.toContain(fence.length);
        expect(inside.startsWith('`') || inside.endsWith('`')).toBe(false);
      }),
    );
  });

  test('in a table cell never contains a pipe', () => {
    for (const name of HOSTILE_NAMES) expect(codeCell(name)).not.toContain('|');
    fc.assert(fc.property(anyText, (text) => expect(codeCell(text)).not.toContain('|')));
  });

  test('with a pipe contains only character references', () => {
    expect(codeCell('a|<b>')).toBe('<code>a&#124;&#60;b&#62;</code>');
  });
});

describe('prose', () => {
  test.each([
    ['**bold** _it_', '\\*\\*bold\\*\\* \\_it\\_'],
    ['snake_case _a_', 'snake_case \\_a\\_'],
    ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
    ['[a](b) ![i](j)', '\\[a\\](b) !\\[i\\](j)'],
    ['@org/team', '@\u200borg/team'],
    ['#12 !3', '#\u200b12 !\u200b3'],
    ['https://a.b', 'https:\u200b//a.b'],
    ['see WWW.a.b', 'see WWW\u200b.a.b'],
    ['0.0.0.0/0 and "s3:*"', '0.0.0.0/0 and "s3:\\*"'],
  ])('formats %j as %j', (text, expected) => {
    expect(prose(text)).toBe(expected);
  });

  test('contains no tag, link, mention or bare backtick, for any input', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = prose(text);

        expect(shown).not.toMatch(/[<>\n]/);
        expect(shown).not.toMatch(/@[\p{L}\p{N}]/u);
        expect(shown).not.toMatch(/(?<!\\)(?:\\\\)*[`|[\]]/);
        expect(shown).not.toContain('://');
      }),
    );
  });
});

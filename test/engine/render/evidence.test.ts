import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AttributeDiff, JsonValue } from '../../../engine/model/result.ts';
import { findEvidence, forcingEvidence } from '../../../engine/render/evidence.ts';
import { aDiff } from '../noise/builders.ts';
import { aChange, aReplace } from './builders.ts';

const collectEvidence = (path: string | null, attributes: AttributeDiff[], states: { states_values?: true } = {}) =>
  findEvidence({ path, ...states }, aChange('a.b', { attributes }));
const note = (text: string) => ({ code: null, note: text });
const code = (text: string) => ({ code: text, note: '' });

describe('the shown values', () => {
  test('are those of the attribute that a reason names, before and after', () => {
    expect(collectEvidence('size', [aDiff('other', 1, 2), aDiff('size', 10, 'ten')])).toEqual({
      differences: [{ path: 'size', within: null, before: code('10'), after: code('"ten"') }],
      more: 0,
    });
  });

  test('are those below the attribute, weakening ones first, at most two', () => {
    const below = (at: number, direction: AttributeDiff['direction']) =>
      aDiff(`rules[${at}]`, null, at, { path: `rules[${at}]`, direction });
    const evidence = collectEvidence('rules', [
      below(0, 'neutral'),
      aDiff('rules_of', 1, 2),
      below(1, 'neutral'),
      below(2, 'weakening'),
    ]);

    expect(evidence?.differences.map(({ path }) => path)).toEqual(['rules[2]', 'rules[0]']);
    expect(evidence?.more).toBe(1);
  });

  test('are those inside a document, if the result lists them', () => {
    const inside = [
      { path: 'Statement[0].Action[1]', before: 'b', after: '*' },
      { path: 'Statement[0].Resource', before: null, after: '*' },
      { path: 'Statement[0].Condition.Bool', before: true, after: null },
    ];

    expect(collectEvidence('policy', [aDiff('policy', '{"a"', '{"b"', { inside, truncated: true })])).toEqual({
      differences: [
        { path: 'policy', within: 'Statement[0].Action[1]', before: code('"b"'), after: code('"*"') },
        { path: 'policy', within: 'Statement[0].Resource', before: note('not set'), after: code('"*"') },
      ],
      more: 1,
    });
  });

  test.each([
    ['sensitive before', { before_sensitive: true }, note('(sensitive)'), note('(sensitive)')],
    ['withheld by secret detection', { scrubbed: true as const }, note('(sensitive)'), note('(sensitive)')],
    ['sensitive and added', { after_sensitive: true, op: 'add' as const }, note('not set'), note('(sensitive)')],
    ['sensitive and removed', { before_sensitive: true, op: 'remove' as const }, note('(sensitive)'), note('not set')],
    ['known after apply', { after_unknown: true }, code('"old"'), note('(known after apply)')],
    [
      'sensitive and known after apply',
      { after_unknown: true, before_sensitive: true },
      note('(sensitive)'),
      note('(known after apply)'),
    ],
  ])('are replaced by a note if they are %s', (_, more, before, after) => {
    expect(collectEvidence('x', [aDiff('x', 'old', 'new', more)])?.differences).toEqual([
      { path: 'x', within: null, before, after },
    ]);
  });

  test('are cut around their first difference if they are long, with their length', () => {
    const [found] =
      collectEvidence('x', [aDiff('x', `${'a'.repeat(200)}b`, `${'a'.repeat(200)}😀${'c'.repeat(200)}`)])
        ?.differences ?? [];

    expect(found?.before).toEqual({ code: `…${'a'.repeat(20)}b"`, note: '(cut, 201 characters)' });
    expect(found?.after).toEqual({ code: `…${'a'.repeat(20)}😀${'c'.repeat(59)}…`, note: '(cut, 401 characters)' });
  });

  test('state that they differ only after the truncated part', () => {
    const cut = 'a'.repeat(1024);
    const [found] = collectEvidence('x', [aDiff('x', cut, cut, { truncated: true })])?.differences ?? [];

    expect(found?.after).toEqual(note('(differs after the first 1024 characters)'));
  });

  test('are omitted if the message states both, if no attribute is named, or if it is not listed', () => {
    expect(collectEvidence('x', [aDiff('x', false, true)], { states_values: true })).toBeNull();
    expect(collectEvidence(null, [aDiff('x', false, true)])).toBeNull();
    expect(collectEvidence('y', [aDiff('x', false, true)])).toBeNull();
  });

  test('are shown if one of them is absent or withheld, which a message does not explain', () => {
    const sides = (before: JsonValue, more: Partial<AttributeDiff> = {}) =>
      collectEvidence('x', [aDiff('x', before, 'new', more)], { states_values: true })?.differences[0]?.before;

    expect(sides(null)).toEqual(note('not set'));
    expect(sides('old', { before_sensitive: true })).toEqual(note('(sensitive)'));
  });

  test('of a replacement are those that force it and that no reason covers', () => {
    const attributes = [aDiff('ami', 'a', 'b'), aDiff('zone', '1', '2')];
    const change = aReplace('a.b', { replace_paths: ['ami', 'zone'], attributes });
    change.risk.reasons = change.risk.reasons.map((reason) => ({ ...reason, path: 'zone' }));

    expect(forcingEvidence(change)?.differences.map(({ path }) => path)).toEqual(['ami']);
  });

  test('never contain half a surrogate pair, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 50, maxLength: 300 }),
        fc.string({ unit: 'grapheme' }),
        (before, after) => {
          for (const difference of collectEvidence('x', [aDiff('x', before, after)])?.differences ?? []) {
            for (const { code: text } of [difference.before, difference.after])
              expect(text ?? '').toBe((text ?? '').toWellFormed());
          }
        },
      ),
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { conditionForm, readCondition } from '../../../engine/canonical/conditions.ts';
import { metricQueryForm, numberForm } from '../../../engine/canonical/quantities.ts';
import { normalizeStateMachine } from '../../../engine/canonical/state-machine.ts';

const isSame = (before: string, after: string) => {
  const form = conditionForm(before);
  return form !== null && form === conditionForm(after);
};

describe('conditions', () => {
  test.each([
    ["a == 'x' && b == 'y'", "(a == 'x')\n && (b=='y')"],
    ['ip.src in {192.0.2.1} and a eq 1', '(a eq 1 and (ip.src in {192.0.2.1}))'],
    ['not (a eq 1 or b eq 2)', 'not ((a eq 1) or (b eq 2))'],
    ["a == 'x'", 'a == "x"'],
    ['a == 1 && (b == 2 && c == 3)', '(a == 1 && b == 2) && c == 3'],
  ])('%j and %j mean the same', (before, after) => expect(isSame(before, after)).toBe(true));

  test.each([
    ['a == 1 && b == 2 || c == 3', 'a == 1 && (b == 2 || c == 3)'],
    ['not (a eq 1 or b eq 2)', 'not a eq 1 or b eq 2'],
    ["a == 'x'", "a == 'X'"],
    ["a == 'x y'", "a == 'x  y'"],
    ['a == 1', 'a != 1'],
    ['f(a, b)', 'f(b, a)'],
    ['a == 1 && b == 2', 'a == 1'],
  ])('%j and %j do not', (before, after) => expect(isSame(before, after)).toBe(false));

  test.each(['a == 1 // b', 'a ? b : c', 'a xor b', '(a + b) > c', '(a', 'a)', 'and', '', "r'\\d'"])(
    '%j is not read',
    (text) => expect(readCondition(text)).toBeNull(),
  );

  const test_text = fc.constantFrom('a == 1', 'b eq "x"', 'f(c, d)', 'e in {1 2}');
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      test_text,
      fc
        .tuple(tie('condition'), fc.constantFrom('&&', 'or', 'and', '||'), tie('condition'))
        .map(([left, join, right]) => `(${left}) ${join} (${right})`),
      tie('condition').map((inner) => `not (${inner})`),
    ),
  }));

  test('parentheses around a whole condition have no meaning', () => {
    fc.assert(fc.property(condition, (text) => isSame(text, `((${text}))`)));
  });
});

describe('queries of metrics', () => {
  test('spaces around signs and the form of numbers have no meaning', () => {
    expect(metricQueryForm('avg:a{x:y} / sum:b{*} < 0.90')).toBe(metricQueryForm('avg:a{x:y}/sum:b{*}<0.9'));
  });

  test.each([
    ['avg:a{x:y} > 1', 'avg:a{x:z} > 1'],
    ['avg:a{x:y} > 1', 'avg:a{x:y} >= 1'],
    ['logs("a b") > 1', 'logs("a  b") > 1'],
    ['a{b c} > 1', 'a{bc} > 1'],
  ])('%j and %j differ', (before, after) => expect(metricQueryForm(before)).not.toBe(metricQueryForm(after)));

  test('numbers are compared by value, long ones are not read', () => {
    expect(numberForm('0.90')).toBe(numberForm('0.9'));
    expect(numberForm('12345678901234567')).toBeNull();
    expect(numberForm('0x10')).toBeNull();
  });
});

describe('state machines', () => {
  test('comments of states have no meaning, data of this name has', () => {
    const make = (note: string, data: string) => ({
      Comment: note,
      StartAt: 'A',
      States: { A: { Type: 'Pass', Comment: note, Result: { Comment: data }, End: true } },
    });
    expect(normalizeStateMachine(make('a', 'x'))).toEqual(normalizeStateMachine(make('b', 'x')));
    expect(normalizeStateMachine(make('a', 'x'))).not.toEqual(normalizeStateMachine(make('a', 'y')));
  });
});

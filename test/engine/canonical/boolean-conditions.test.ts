import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BooleanCondition, parseCondition } from '../../../engine/canonical/boolean-conditions.ts';
import { compareConditions } from '../../../engine/canonical/condition-alternatives.ts';
import { conditionForm } from '../../../engine/canonical/conditions.ts';

const tests = fc.constantFrom('a eq 1', 'b in {1 2}', 'c contains "x and y"', 'd(e) == "("', "f['g'] != 'h'");
const { tree } = fc.letrec<{ tree: BooleanCondition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    tests.map((text): BooleanCondition => ({ kind: 'test', text })),
    tie('tree').map((part): BooleanCondition => ({ kind: 'not', part })),
    fc
      .tuple(fc.constantFrom('all' as const, 'any' as const), fc.array(tie('tree'), { minLength: 2, maxLength: 3 }))
      .map(([kind, parts]): BooleanCondition => ({ kind, parts })),
  ),
}));

function writeCondition(condition: BooleanCondition): string {
  if (condition.kind === 'test') return condition.text;
  if (condition.kind === 'not') return `not (${writeCondition(condition.part)})`;
  return condition.parts.map((part) => `(${writeCondition(part)})`).join(condition.kind === 'all' ? ' and ' : ' or ');
}

describe('boolean conditions', () => {
  test('a written condition is read as the same condition', () => {
    fc.assert(
      fc.property(tree, (condition) => {
        const text = writeCondition(condition);
        expect(conditionForm(text)).not.toBeNull();
        expect(conditionForm(writeCondition(parseCondition(text)!))).toBe(conditionForm(text));
      }),
    );
  });

  test('every condition matches what it matched before', () => {
    fc.assert(
      fc.property(tree, (condition) => {
        const text = writeCondition(condition);
        expect(compareConditions(text, `(${text})`)?.reach ?? 'same').toBe('same');
      }),
    );
  });

  test.each([
    ['(a == 1) && (b == 2)', 'a == 1 && b == 2'],
    ['a or (b or c)', 'a or b or c'],
    ['not (a)', 'not a'],
    ['x   contains "a  b"', 'x contains "a  b"'],
  ])('%s means %s', (left, right) => {
    expect(conditionForm(left)).toBe(conditionForm(right));
  });

  test.each([
    ['a and (b or c)', 'a and b or c'],
    ['not (a and b)', 'not a and b'],
    ['x contains "a  b"', 'x contains "a b"'],
  ])('%s does not mean %s', (left, right) => {
    expect(conditionForm(left)).not.toBe(conditionForm(right));
  });

  test.each(['', '(a', 'a)', 'a and', 'x == "a', 'a ? b : c', 'a // b', 'a xor b', '(a).b() == 1', 'a /* b */'])(
    '%j is not read',
    (text) => {
      expect(parseCondition(text)).toBeNull();
    },
  );

  test('AND and OR in capitals are read only with parentheses, because languages disagree which comes first', () => {
    expect(parseCondition('a OR b AND c')).toBeNull();
    expect(parseCondition('a AND b OR c')).toBeNull();
    expect(parseCondition('a OR (b AND c)')).not.toBeNull();
    expect(parseCondition('(a OR b) AND c')).not.toBeNull();
    expect(parseCondition('a or b and c')).not.toBeNull();
  });

  test('what cannot match is no alternative', () => {
    expect(compareConditions('a', 'a or (b and not b)')?.reach).toBe('same');
    expect(compareConditions('a', 'a and not a')?.reach).toBe('narrower');
  });

  test.each([
    ['a and b', 'a', 'wider'],
    ['a', 'a and b', 'narrower'],
    ['a', 'a or b', 'wider'],
    ['x in {"a" "b"}', 'x eq "a"', 'narrower'],
    ["x in ['a', 'b']", 'x == "b" || x == "a"', 'same'],
    ['not (a or b)', 'not a', 'wider'],
    ['a', 'b', 'other'],
    ['a', 'true', 'wider'],
  ])('from %s to %s is %s', (before, after, reach) => {
    expect(compareConditions(before, after)?.reach).toBe(reach);
  });
});

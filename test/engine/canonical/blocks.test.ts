import { describe, expect, test } from '@jest/globals';
import { policyBlocksForm, regoForm } from '../../../engine/canonical/blocks.ts';
import { kqlForm } from '../../../engine/canonical/code.ts';
import { isSameAddress, isSameDuration, isSameSeconds } from '../../../engine/canonical/universal.ts';
import { same } from './same.ts';

describe('a policy of blocks', () => {
  const isSame = same(policyBlocksForm);
  const A = 'path "a/*" {\n  capabilities = ["read", "list"]\n}\n';
  const B = 'path "b" {\n  capabilities = ["create"]\n}\n';

  test('is the same in another order, on one line and with comments', () => {
    expect(isSame(A + B, `${B}# a\n${A}`)).toBe(true);
    expect(isSame(A, 'path "a/*" { capabilities = ["list", "read",] }')).toBe(true);
  });

  test('differs by a path, a capability and a value', () => {
    expect(isSame(A + B, A)).toBe(false);
    expect(isSame(A, A.replace('list', 'sudo'))).toBe(false);
    expect(isSame(A, A.replace('a/*', 'a*'))).toBe(false);
  });

  test('with two blocks of the same name has no form', () => {
    expect(policyBlocksForm(A + A.replace('list', 'sudo'))).toBeNull();
  });
});

describe('a policy in Rego', () => {
  const isSame = same(regoForm);
  const RULE = 'package a\n\ndeny[msg] {\n  input.x == 1\n  msg := "no"\n}\n';

  test('is the same on one line and with comments', () => {
    expect(isSame(RULE, 'package a\n# why\ndeny[msg] { input.x == 1; msg := "no" }')).toBe(true);
  });

  test('differs by a condition and by a rule that is not closed', () => {
    expect(isSame(RULE, RULE.replace('== 1', '!= 1'))).toBe(false);
    expect(isSame(RULE, RULE.replace('}\n\n', ''))).toBe(true);
    expect(isSame(RULE, RULE.replace('  input.x == 1\n', ''))).toBe(false);
  });
});

test('a Kusto query is the same on one line, and differs by an operator', () => {
  const isSame = same(kqlForm);

  expect(isSame('A\n| where x == "a b" // c\n| take 5', 'A | where x == "a b" | take 5')).toBe(true);
  expect(isSame('A | where x =~ "a"', 'A | where x == "a"')).toBe(false);
  expect(isSame('A | where x == "a  b"', 'A | where x == "a b"')).toBe(false);
});

test('durations are the same in other units, if both have one', () => {
  expect(isSameDuration('72h', '3d')).toBe(true);
  expect(isSameDuration('2w1d', '15d')).toBe(true);
  expect(isSameDuration('60m', '1h30m')).toBe(false);
  expect(isSameDuration('3600', '1h')).toBe(false);
  expect(isSameSeconds('259200', '4320m')).toBe(true);
  expect(isSameSeconds('72', '72h')).toBe(false);
});

test('addresses are the same in long and short notation', () => {
  expect(isSameAddress('2001:0db8:0000::1/128', '2001:db8::1/128')).toBe(true);
  expect(isSameAddress('2001:db8::1/128', '2001:db8::1/64')).toBe(false);
  expect(isSameAddress('10.0.0.1', '10.0.0.01')).toBe(false);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { compactPlan } from '../../../engine/plan/compact.ts';
import { planHash } from '../../../engine/plan/hash.ts';

function readAgain(name: string): string {
  return readFileSync(new URL(`../../fixtures/plans/again/${name}.json`, import.meta.url), 'utf8');
}

function hashText(text: string): string {
  return planHash(compactPlan(Buffer.from(text)));
}

const FIRST = readAgain('first');
const LATER = readAgain('later');

describe('the hash of a plan', () => {
  test('is the same for two plans of one configuration that Terraform created at different times', () => {
    const [first, later] = [FIRST, LATER].map((text) => compactPlan(Buffer.from(text)));

    expect(Buffer.compare(first!, later!)).not.toBe(0);
    expect(planHash(later!)).toBe(planHash(first!));
    expect(planHash(first!)).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['a value', '"text":"z"', '"text":"w"'],
    ['an action', '"actions":["create"]', '"actions":["delete","create"]'],
    ['a relevant attribute', '"attribute":["id"]', '"attribute":["input"]'],
    ['the version of Terraform', '"terraform_version":"1.11.4"', '"terraform_version":"1.11.5"'],
  ])('differs when %s differs', (_, before, after) => {
    const changed = FIRST.replaceAll(before, after);

    expect(changed).not.toBe(FIRST);
    expect(hashText(changed)).not.toBe(hashText(FIRST));
  });

  test('depends on the order of a list with the same name elsewhere', () => {
    const plan = (list: string) =>
      `{"resource_changes":[],"output_changes":{"o":{"after":{"relevant_attributes":${list}}}}}`;

    expect(hashText(plan('[1,2]'))).not.toBe(hashText(plan('[2,1]')));
  });

  test('is computed for plans without such a list', () => {
    expect(hashText('{"planned_values":{}}')).toBe(hashText('{ "planned_values": {"root_module": {}} }'));
  });
});

/** Values in two notations, and changes that look alike: each case is an update of one resource. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../engine/documents/index.ts';
import { analyzePlan } from '../../../engine/index.ts';
import type { JsonObject } from '../../../engine/model/result.ts';
import { planText } from '../analysis/plans.ts';
import { noise } from './cases/build-case.ts';

interface Case {
  title: string;
  type: string;
  before: JsonObject;
  after: JsonObject;
}

const FOLDER = join(import.meta.dirname, '../../fixtures/equal-notations');

function readCases(name: string): [title: string, one: Case][] {
  const cases = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Case[];
  return cases.map((one) => [one.title, one]);
}

function analyze({ title, type, before, after }: Case) {
  const { change } = noise(title, type, before, after);
  const plan = planText({ resource_changes: [change] });
  return analyzePlan(plan, { parsers: () => documentParsers }).changes[0]!;
}

describe.each(['lists', 'documents', 'values', 'addresses'])('equal %s are noise', (name) => {
  test.each(readCases(name))('%s', (_, one) => {
    const { noise: found, risk } = analyze(one);

    expect(found.classification).not.toBe('novel');
    expect(found.overridden).toBe(false);
    expect(['none', 'low']).toContain(risk.level);
  });
});

describe('changes that look like another notation are no noise', () => {
  test.each(readCases('near-misses'))('%s', (_, one) => {
    expect(analyze(one).noise.classification).toBe('novel');
  });
});

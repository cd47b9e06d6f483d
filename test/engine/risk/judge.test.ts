import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maxLevel, minLevel } from '../../../engine/model/levels.ts';
import type { ChangeNoise, JsonObject } from '../../../engine/model/result.ts';
import { collectTypes } from '../../../engine/risk/categories.ts';
import { compareReasons } from '../../../engine/risk/judge.ts';
import { judgeAlone, makeChange, NOVEL } from './helpers.ts';

const types = fc.oneof(
  fc.constantFrom(
    ...collectTypes('stateful'),
    ...collectTypes('iam'),
    ...collectTypes('network'),
    ...collectTypes('security'),
  ),
  fc.constantFrom('terraform_data', 'random_id', 'kubernetes_deployment', 'mongodbatlas_cluster', '__proto__', 'x'),
);
const actions = fc.constantFrom(
  'create',
  'update',
  'delete',
  'delete,create',
  'create,delete',
  'create,forget',
  'forget',
  'a,b',
);
const names = fc.constantFrom(
  'tags',
  'policy',
  'name',
  'ingress',
  'ttl',
  'description',
  'deny',
  'acl',
  '__proto__',
  'arn',
);
const sides = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>;
const noises: fc.Arbitrary<ChangeNoise> = fc
  .record({
    classification: fc.constantFrom('known_benign' as const, 'likely_benign' as const, 'novel' as const),
    severity: fc.constantFrom('harmless' as const, 'warning' as const, 'caution' as const, null),
    suppression_id: fc.constantFrom('s', null),
  })
  .map((part) => ({ ...NOVEL, ...part }));

describe('the evaluation of a change', () => {
  test('has a level that follows from its reasons', () => {
    fc.assert(
      fc.property(types, actions, sides, sides, noises, (type, action, before, after, noise) => {
        const { level, reasons } = judgeAlone(makeChange(type, action, [before, after]), noise);

        const raised = maxLevel(...reasons.filter(({ kind }) => kind !== 'noise').map((reason) => reason.level));
        const cap = reasons.find(({ kind }) => kind === 'noise')?.level ?? 'critical';
        expect(level).toBe(minLevel(raised, cap));
        expect(reasons).toEqual([...reasons].sort(compareReasons));
      }),
      { numRuns: 500 },
    );
  });

  test('has the level none only for an update that is cosmetic or noise', () => {
    fc.assert(
      fc.property(types, actions, sides, sides, noises, (type, action, before, after, noise) => {
        const { level, reasons } = judgeAlone(makeChange(type, action, [before, after]), noise);

        if (level !== 'none') return;
        expect(action).toBe('update');
        expect(reasons.some(({ rule_id, kind }) => rule_id === 'R-ACT-COSMETIC' || kind === 'noise')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('has the same level with a suppression when the change destroys data', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...collectTypes('stateful')),
        fc.constantFrom('delete', 'delete,create'),
        noises,
        (type, action, noise) => {
          expect(judgeAlone(makeChange(type, action), noise).level).toBe(judgeAlone(makeChange(type, action)).level);
        },
      ),
      { numRuns: 200 },
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import { createSelector, type Match, type RunContext } from '../../../engine/rules/index.ts';
import { makeChange, RUN } from './changes.ts';

function meets(match: Match, change: ResourceChange, run: RunContext = RUN): boolean {
  return createSelector([{ match }], run)(change).length === 1;
}

const bucket = makeChange(
  { actions: ['delete'], before: { a: 1 }, after: null },
  {
    type: 'aws_s3_bucket',
    name: 'logs',
    module_address: 'module.app["eu.west"]',
    address: 'module.app["eu.west"].aws_s3_bucket.logs["x"]',
  },
);
const root = makeChange({ before: { a: 1 }, after: { a: 2 } });

describe('a match', () => {
  test.each<[Match, boolean]>([
    [{}, true],
    [{ resource_types: ['aws_s3_*'] }, true],
    [{ resource_types: ['**'] }, true],
    [{ resource_types: ['s3', 'aws_s3_bucket'] }, true],
    [{ resource_types: ['aws_s3'] }, false],
    [{ addresses: ['module.app*.**'] }, true],
    [{ addresses: ['module.app["eu.west"].aws_s3_bucket.logs["x"]'] }, true],
    [{ addresses: ['module.app["eu.west"].aws_s3_bucket.logs["*"]'] }, true],
    [{ addresses: ['aws_s3_bucket.**'] }, false],
    [{ modules: ['module.app["*"]'] }, true],
    [{ modules: ['module.app["eu.west"].**'] }, true],
    [{ modules: [''] }, false],
    [{ providers: ['gcp', 'aws'] }, true],
    [{ providers: ['gcp'] }, false],
    [{ actions: ['delete', 'replace'] }, true],
    [{ actions: ['update'] }, false],
    [{ categories: ['stateful'] }, true],
    [{ categories: ['iam', 'network'] }, false],
    [{ repos: ['acme/*'] }, true],
    [{ repos: ['*'] }, false],
    [{ repos: ['**'] }, true],
    [{ branches: ['main', 'release/?'] }, true],
    [{ branches: ['release'] }, false],
    [{ resource_types: ['aws_s3_*'], actions: ['create'] }, false],
    [{ not: { resource_types: ['aws_s3_*'] } }, false],
    [{ not: { resource_types: ['aws_s3_*'], actions: ['create'] } }, true],
    [{ resource_types: ['aws_*'], not: { branches: ['release/*'] } }, false],
  ])('%j returns %s', (match, met) => {
    expect(meets(match, bucket)).toBe(met);
  });

  test('treats the root module as a module without a name', () => {
    expect(meets({ modules: [''] }, root)).toBe(true);
    expect(meets({ modules: ['**'] }, root)).toBe(true);
    expect(meets({ modules: ['module.**'] }, root)).toBe(false);
    expect(meets({ not: { modules: [''] } }, root)).toBe(false);
  });

  test('on a repository or branch never applies to a run without one', () => {
    const nowhere = { ...RUN, repo: null, branch: null };

    expect(meets({ repos: ['**'] }, root, nowhere)).toBe(false);
    expect(meets({ branches: ['**'] }, root, nowhere)).toBe(false);
    expect(meets({ not: { branches: ['**'] } }, root, nowhere)).toBe(true);
  });
});

describe('a set of many rules', () => {
  const segment = fc.constantFrom('module', 'a', 'b', 'aws_x', 'aws_y', '*', '**');
  const match: fc.Arbitrary<Match> = fc.record(
    {
      resource_types: fc.uniqueArray(fc.constantFrom('aws_x', 'aws_y', 'aws_*', 'other'), { minLength: 1 }),
      addresses: fc.array(
        fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
        { minLength: 1, maxLength: 3 },
      ),
      modules: fc.uniqueArray(fc.constantFrom('', 'module.a', 'module.*', 'module.b.**'), { minLength: 1 }),
      actions: fc.constant(['update' as const]),
    },
    { requiredKeys: [] },
  );
  const changes = ['', 'module.a', 'module.b', 'module.b.module.a'].flatMap((module) =>
    ['aws_x', 'aws_y'].map((type) =>
      makeChange(
        { before: { v: 1 }, after: { v: 2 } },
        { type, name: 'a', ...(module === '' ? {} : { module_address: module }) },
      ),
    ),
  );

  test('returns the same matches through the index as each rule alone, in order', () => {
    fc.assert(
      fc.property(fc.array(match, { maxLength: 12 }), (matches) => {
        const rules = matches.map((one) => ({ match: one }));
        const select = createSelector(rules, RUN);
        for (const change of changes) {
          const alone = rules.filter((rule) => meets(rule.match, change));
          expect(select(change).map(({ rule }) => rule)).toEqual(alone);
        }
      }),
      { numRuns: 300 },
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RawChange } from '../../../engine/plan/types.ts';
import {
  compileRules,
  OPERATORS,
  type OrgRules,
  parseNoiseConfig,
  parsePolicyRules,
  parseRiskConfig,
} from '../../../engine/rules/index.ts';
import { makeChange, RUN } from './changes.ts';

const PARSERS = [parseNoiseConfig, parseRiskConfig, parsePolicyRules];

const key = fc.constantFrom('a', 'b', 'tags', 'x y', '0', '__proto__', 'password');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 0 }),
    fc.constantFrom('10.0.0.0/8', 'a'),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  map: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
})).any;
const mask = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const change = fc.record({
  actions: fc.constantFrom(['update'], ['create'], ['delete'], ['delete', 'create']),
  before: fc.dictionary(key, value, { maxKeys: 5 }),
  after: fc.dictionary(key, value, { maxKeys: 5 }),
  after_unknown: mask,
  before_sensitive: mask,
  after_sensitive: mask,
}) as fc.Arbitrary<RawChange>;

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '.', '*', '?', '[', ']', '"', '0', '/', '\\', '('),
  maxLength: 12,
});
const path = fc.oneof(
  text,
  fc.constantFrom('a', '*', 'a[*]', '*.*', 'tags.*', 'a.b[0]', '["x y"]', 'password', '__proto__'),
);
const predicate = fc.record(
  {
    path,
    op: fc.constantFrom(...OPERATORS),
    value,
    values: fc.array(value, { maxLength: 3 }),
    on: fc.constantFrom('after', 'before', 'either'),
    negate: fc.boolean(),
  },
  { requiredKeys: ['path', 'op'] },
);
const globs = fc.array(text, { minLength: 1, maxLength: 3 });
const match = fc.record(
  { resource_types: globs, addresses: globs, modules: globs, repos: globs, branches: globs },
  { requiredKeys: [] },
);
const condition = {
  version: fc.constant(1),
  match: fc.oneof(fc.constant({}), match),
  when: fc.array(predicate, { maxLength: 4 }),
};
const noise = fc.record(
  { ...condition, attributes: globs, severity: fc.constant('harmless') },
  { requiredKeys: ['version', 'match', 'severity'] },
);
const risk = fc.record({
  ...condition,
  effect: fc.constant('cap'),
  level: fc.constant('low'),
  message: fc.constant('m'),
});

describe('the parsers', () => {
  test('never throw, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.jsonValue(), noise, risk), (given) => {
        for (const parse of PARSERS) expect(parse(given)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  test('accept only rules that compile and that can evaluate any change', () => {
    let accepted = 0;
    fc.assert(
      fc.property(noise, risk, fc.array(change, { minLength: 1, maxLength: 3 }), (noiseConfig, riskConfig, changes) => {
        const noiseRule = parseNoiseConfig(noiseConfig);
        const riskRule = parseRiskConfig(riskConfig);
        const rules: OrgRules = {
          noise_rules: 'value' in noiseRule ? [{ id: 'n', config: noiseRule.value }] : [],
          risk_rules: 'value' in riskRule ? [{ id: 'r', name: 'R', config: riskRule.value }] : [],
          disabled: { noise: [], risk: [] },
          suppressions: [],
          owners: [],
          policy: { version: 1, rules: [] },
        };
        accepted += rules.noise_rules.length + rules.risk_rules.length;
        const book = compileRules(rules, RUN);
        for (const raw of changes) {
          const one = makeChange(raw);
          for (const rule of book.noiseRules(one)) for (const diff of one.diffs) rule.covers(diff);
          for (const rule of book.riskRules(one))
            expect(typeof rule.path === 'string' || rule.path === null).toBe(true);
        }
      }),
      { numRuns: 1500 },
    );

    expect(accepted).toBeGreaterThan(150);
  });

  test('accept no condition that can distinguish two secrets', () => {
    const closed = predicate.filter(({ op }) => op !== 'changed' && op !== 'unchanged');
    const secret = fc.string({ minLength: 6, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(closed, { minLength: 1, maxLength: 3 }), secret, secret, (when, one, other) => {
        const parsed = parseRiskConfig({ version: 1, match: {}, when, effect: 'cap', level: 'low', message: 'm' });
        if ('issues' in parsed) return;
        const [first, second] = [one, other].map((password) => {
          const sides = { before: { a: { b: 'same' } }, after: { a: { b: password }, tags: [password] } };
          const raw = { ...sides, after_sensitive: { a: { b: true }, tags: true } };
          return compileRules(withRisk(parsed.value), RUN).riskRules(makeChange(raw));
        });
        expect(first).toEqual(second);
      }),
      { numRuns: 1000 },
    );
  });
});

function withRisk(config: OrgRules['risk_rules'][number]['config']): OrgRules {
  return {
    noise_rules: [],
    risk_rules: [{ id: 'r', name: 'R', config }],
    disabled: { noise: [], risk: [] },
    suppressions: [],
    owners: [],
    policy: { version: 1, rules: [] },
  };
}

import { describe, expect, test } from '@jest/globals';
import { compileRules, type OrgRules, type PolicyRule } from '../../../engine/rules/index.ts';
import { makeChange, NOW, RUN } from './changes.ts';

const NOTHING: OrgRules = {
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  suppressions: [],
  owners: [],
  policy: { version: 0, rules: [] },
};
const FINGERPRINT = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
const change = makeChange({ before: { a: 1 }, after: { a: 2 } });

describe('a rule book', () => {
  test('without rules returns nothing', () => {
    const book = compileRules(NOTHING, RUN);

    expect([book.noiseRules(change), book.riskRules(change), book.policyRules(change)]).toEqual([[], [], []]);
    expect([book.hasSuppressions('a'), book.suppression(FINGERPRINT, 'a'), book.policy_version]).toEqual([
      false,
      null,
      0,
    ]);
  });

  test('contains active suppressions by pattern and address', () => {
    const suppression = { fingerprint: FINGERPRINT, resource_address: 'aws_thing.main' };
    const suppressions = [
      { ...suppression, id: 'forever', expires_at: null },
      { ...suppression, id: 'later', fingerprint: OTHER, expires_at: new Date(NOW.getTime() + 1).toISOString() },
      { ...suppression, id: 'over', resource_address: 'aws_thing.old', expires_at: NOW.toISOString() },
    ];
    const book = compileRules({ ...NOTHING, suppressions }, RUN);

    expect(book.suppression(FINGERPRINT, 'aws_thing.main')).toBe('forever');
    expect(book.suppression(OTHER, 'aws_thing.main')).toBe('later');
    expect(book.suppression(FINGERPRINT, 'aws_thing.old')).toBeNull();
    expect([book.hasSuppressions('aws_thing.main'), book.hasSuppressions('aws_thing.old')]).toEqual([true, false]);
  });

  test('contains disabled rules', () => {
    const book = compileRules({ ...NOTHING, disabled: { noise: ['n'], risk: ['R-X', 'R-Y'] } }, RUN);

    expect([[...book.disabled_noise], [...book.disabled_risk]]).toEqual([['n'], ['R-X', 'R-Y']]);
  });

  test('covers every attribute with a noise rule without attributes', () => {
    const config = { version: 1, match: {}, attributes_mode: 'any', severity: 'caution' } as const;
    const [rule] = compileRules({ ...NOTHING, noise_rules: [{ id: 'n', config }] }, RUN).noiseRules(change);

    expect(rule).toMatchObject({ id: 'n', severity: 'caution', only: false });
    expect(change.diffs.every((diff) => rule?.covers(diff))).toBe(true);
  });

  test('keeps the order of the policy and its paths', () => {
    const rule = (id: string, members: Partial<PolicyRule>): PolicyRule => {
      return { id, name: id, enabled: true, match: {}, effect: 'set', level: 'low', reason: 'why', ...members };
    };
    const rules = [
      rule('z', { when: [{ path: 'a', op: 'changed' }] }),
      rule('off', { enabled: false }),
      rule('over', { expires_at: NOW.toISOString() }),
      rule('offset', { expires_at: '2026-11-21T13:00:01+01:00' }),
      rule('a', { effect: 'block' }),
    ];

    const applied = compileRules({ ...NOTHING, policy: { version: 7, rules } }, RUN).policyRules(change);

    expect(applied.map(({ id, level, path }) => [id, level, path])).toEqual([
      ['z', 'low', 'a'],
      ['offset', 'low', null],
      ['a', null, null],
    ]);
  });

  test('evaluates each change in turn', () => {
    const config = {
      version: 1,
      match: {},
      when: [{ path: 'a', op: 'eq', value: 2 }],
      effect: 'raise',
      level: 'high',
      message: 'm',
    } as const;
    const book = compileRules(
      { ...NOTHING, risk_rules: [{ id: 'r', name: 'R', config: { ...config, when: [...config.when] } }] },
      RUN,
    );
    const other = makeChange({ before: { a: 1 }, after: { a: 3 } });

    expect([change, other, change].map((one) => book.riskRules(one).length)).toEqual([1, 0, 1]);
  });
});

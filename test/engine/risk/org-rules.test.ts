import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareLevels, minLevel } from '../../../engine/model/levels.ts';
import { RISK_LEVELS, type RiskLevel } from '../../../engine/model/result.ts';
import { type BookPolicyRule, type BookRiskRule, NO_RULES, type RuleBook } from '../../../engine/model/rule-book.ts';
import { judge } from '../../../engine/risk/judge.ts';
import { makeChange, NO_FACTS, NOVEL, ruleIds } from './helpers.ts';

const own = (effect: BookRiskRule['effect'], level: RiskLevel, id = `own-${effect}`): BookRiskRule => ({
  id,
  name: id,
  effect,
  level,
  message: 'Because we say so.',
  path: null,
});

const policy = (
  effect: BookPolicyRule['effect'],
  level: RiskLevel | null,
  id = `policy-${effect}`,
): BookPolicyRule => ({
  id,
  name: 'Freeze',
  effect,
  level,
  reason: 'Quarter end',
  path: null,
});

const book = (more: Partial<RuleBook>): RuleBook => ({ ...NO_RULES, ...more });
const judged = (change: ReturnType<typeof makeChange>, more: Partial<RuleBook>) =>
  judge(change, NO_FACTS, { ...NOVEL }, book(more));

const harmless = () => makeChange('aws_glue_job', 'update', [{ max_retries: 1 }, { max_retries: 2 }]);
const database = () => makeChange('aws_db_instance', 'delete,create', [{ engine: 'a' }, { engine: 'b' }]);
const publicBucket = () => makeChange('aws_s3_bucket_acl', 'update', [{ acl: 'private' }, { acl: 'public-read' }]);

describe("an org's risk rules", () => {
  test('raise the level before they cap it, in any order of rules', () => {
    const rules = [own('cap', 'medium'), own('raise', 'critical')];

    const { level, reasons } = judged(harmless(), { riskRules: () => rules });

    expect(level).toBe('medium');
    expect(reasons.filter(({ kind }) => kind === 'custom').map(({ effect }) => effect)).toEqual(['raise', 'cap']);
  });

  test('do not cap changes that destroy data or weaken a protection at level high', () => {
    const riskRules = () => [own('cap', 'low')];

    expect(judged(database(), { riskRules }).level).toBe('critical');
    expect(judged(publicBucket(), { riskRules }).level).toBe(judged(publicBucket(), {}).level);
    expect(ruleIds(judged(publicBucket(), { riskRules }).reasons)).not.toContain('own-cap');
  });

  test('do not list a cap without effect', () => {
    expect(ruleIds(judged(harmless(), { riskRules: () => [own('cap', 'high')] }).reasons)).not.toContain('own-cap');
  });
});

describe("an org's risk policy", () => {
  test('applies last and in its order, also to guarded changes', () => {
    const raised = judged(database(), { policyRules: () => [policy('set', 'low'), policy('raise', 'medium')] });
    const capped = judged(database(), { policyRules: () => [policy('raise', 'medium'), policy('set', 'low')] });

    expect(raised.level).toBe('medium');
    expect(capped.level).toBe('low');
    expect(capped.reasons.find(({ kind }) => kind === 'policy')).toMatchObject({
      rule_id: 'policy-set',
      effect: 'set',
      level: 'low',
      message: 'Policy "Freeze": Quarter end',
    });
  });

  test('lists a rule without effect only when it blocks', () => {
    const { reasons, level } = judged(harmless(), {
      policyRules: () => [policy('cap', 'high'), policy('block', null)],
    });

    expect(ruleIds(reasons.filter(({ kind }) => kind === 'policy'))).toEqual(['policy-block']);
    expect(level).toBe(judged(harmless(), {}).level);
  });

  test('that lowers a weakening below high excludes it from escalations', () => {
    expect(judged(publicBucket(), {}).weakens_high).toBe(true);
    expect(judged(publicBucket(), { policyRules: () => [policy('cap', 'medium')] }).weakens_high).toBe(false);
  });

  test('that sets the level none excludes the change from escalations', () => {
    expect(judged(database(), { policyRules: () => [policy('set', 'none')] })).toMatchObject({
      level: 'none',
      destructive: false,
    });
  });
});

test('a built-in rule that the org turned off gives no reason, and the action still gives one', () => {
  const { level, reasons, weakens_high } = judged(publicBucket(), { disabled_risk: new Set(['R-STO-PUBLIC']) });

  expect(ruleIds(reasons)).not.toContain('R-STO-PUBLIC');
  expect([compareLevels(level, 'high') < 0, weakens_high]).toEqual([true, false]);
  expect(reasons.some(({ kind }) => kind === 'base')).toBe(true);
});

test("an org's risk rules never lower a guarded change", () => {
  const level = fc.constantFrom(...RISK_LEVELS);
  const rule = fc.record({ effect: fc.constantFrom('raise' as const, 'cap' as const), level });
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
      const riskRules = () => rules.map(({ effect, level }, i) => own(effect, level, `own-${i}`));
      for (const change of [database(), publicBucket()]) {
        const before = judged(change, {}).level;
        const after = judged(change, { riskRules }).level;
        if (minLevel(before, after) !== before) throw new Error(`${before} became ${after}`);
      }
    }),
  );
});

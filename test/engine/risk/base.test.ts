import { describe, expect, test } from '@jest/globals';
import type { RiskLevel } from '../../../engine/model/result.ts';
import { type BaseAction, baseRule } from '../../../engine/risk/base.ts';
import { collectTypes, LISTED_CATEGORIES } from '../../../engine/risk/categories.ts';
import { lookUpTraits } from '../../../engine/risk/traits.ts';
import { judgeAlone, makeChange, ruleIds } from './helpers.ts';

const ACTIONS: BaseAction[] = ['create', 'update', 'replace', 'delete', 'forget', 'import', 'unknown'];

function levels(type: string): RiskLevel[] {
  return ACTIONS.map((action) => baseRule(action, lookUpTraits(type)).level);
}

describe('the base matrix', () => {
  test.each<[string, RiskLevel[]]>([
    ['aws_sns_topic', ['low', 'low', 'medium', 'medium', 'low', 'low', 'medium']],
    ['aws_lb', ['low', 'medium', 'high', 'high', 'low', 'low', 'medium']],
    ['aws_iam_role', ['medium', 'medium', 'high', 'high', 'medium', 'low', 'medium']],
    ['aws_guardduty_detector', ['low', 'medium', 'high', 'high', 'medium', 'low', 'medium']],
    ['aws_acm_certificate', ['low', 'medium', 'high', 'high', 'medium', 'low', 'medium']],
    ['aws_cloudhsm_v2_cluster', ['low', 'medium', 'critical', 'critical', 'medium', 'low', 'medium']],
    ['aws_kms_key', ['low', 'medium', 'critical', 'critical', 'medium', 'low', 'medium']],
    ['aws_db_instance', ['low', 'medium', 'critical', 'critical', 'medium', 'low', 'medium']],
    ['azurerm_resource_group', ['low', 'low', 'critical', 'critical', 'medium', 'low', 'medium']],
    ['aws_instance', ['low', 'medium', 'high', 'high', 'medium', 'low', 'medium']],
    ['aws_s3_object', ['low', 'low', 'medium', 'medium', 'medium', 'low', 'medium']],
    ['some_unheard_of_thing', ['low', 'low', 'medium', 'medium', 'low', 'low', 'medium']],
  ])('gives %s the levels %j', (type, expected) => {
    expect(levels(type)).toEqual(expected);
  });

  test('gives every listed type a level above none and a message for each action', () => {
    for (const type of LISTED_CATEGORIES.flatMap(collectTypes)) {
      for (const action of ACTIONS) {
        const rule = baseRule(action, lookUpTraits(type));
        expect(rule.level).not.toBe('none');
        expect(rule.rule_id).toMatch(/^R-ACT-[A-Z]+-(STATEFUL|ENCRYPTION|IAM|SECURITY|NETWORK)$/);
        expect(rule.message).toMatch(/\.$/);
      }
    }
  });

  test('uses the rule id of the category with the highest level', () => {
    expect(baseRule('delete', { categories: ['iam', 'security'], kind: null, holds_secrets: false }).rule_id).toBe(
      'R-ACT-DELETE-IAM',
    );
    expect(baseRule('create', { categories: ['iam', 'network'], kind: null, holds_secrets: false })).toMatchObject({
      rule_id: 'R-ACT-CREATE-IAM',
      level: 'medium',
    });
    expect(baseRule('delete', { categories: ['stateful', 'iam'], kind: 'part', holds_secrets: false }).rule_id).toBe(
      'R-ACT-DELETE-IAM',
    );
  });
});

describe('the base of a change', () => {
  test.each([
    ['no-op', {}],
    ['read', {}],
    ['no-op', { previous_address: 'aws_db_instance.old' }],
    ['delete', { mode: 'data' }],
  ])('is none without reasons for the actions %s %j', (actions, extra) => {
    const judgement = judgeAlone(makeChange('aws_db_instance', actions, [{}, {}], extra));

    expect(judgement).toMatchObject({ level: 'none', reasons: [], destructive: false });
  });

  test('is low for an import without changes', () => {
    const judgement = judgeAlone(makeChange('aws_db_instance', 'no-op', [{}, {}], { importing: { id: 'db-1' } }));

    expect(judgement).toMatchObject({ level: 'low', reasons: [{ rule_id: 'R-ACT-IMPORT-STATEFUL' }] });
  });

  test('is the one of forget for a replace that keeps the old object', () => {
    const judgement = judgeAlone(makeChange('aws_db_instance', 'create,forget'));

    expect(judgement).toMatchObject({ level: 'medium', destructive: false });
    expect(ruleIds(judgement.reasons)).toEqual(['R-ACT-FORGET-STATEFUL']);
  });

  test.each([
    ['forget,delete', 'aws_db_instance', 'critical'],
    ['open,close', 'aws_lambda_function', 'medium'],
  ])('for the unknown actions %s of %s is %s', (actions, type, level) => {
    const judgement = judgeAlone(makeChange(type, actions));

    expect(judgement.level).toBe(level);
    expect(judgement.reasons[0]?.rule_id).toMatch(/^R-ACT-UNKNOWN-/);
  });

  test('names the order and the cause of a replace', () => {
    const sides = [{ engine: 'mysql' }, { engine: 'postgres' }] as [{ engine: string }, { engine: string }];
    const change = makeChange('aws_db_instance', 'delete,create', sides, {
      replace_paths: [['engine'], ['tags', 'a.b']],
    });

    const [reason] = judgeAlone(change).reasons;

    expect(reason?.short_message).toMatch(/the data can be restored only from a backup\.$/);
    expect(reason?.message).toBe(
      `${reason?.short_message} The old one is destroyed first. Cause: engine, tags["a.b"] cannot be changed in place.`,
    );
  });

  test('calls a replacement avoidable when only noise forces it', () => {
    const change = makeChange('aws_db_instance', 'delete,create', [{ zones: ['a'] }, { zones: ['b'] }], {
      replace_paths: [['zones']],
    });
    for (const diff of change.diffs) Object.assign(diff, { forces_replacement: true, noise: 'known_benign' });

    const judgement = judgeAlone(change);

    expect(judgement.level).toBe('critical');
    expect(judgement.reasons[0]?.message).toMatch(/looks like plan noise, so the replacement may be avoidable\.$/);
  });

  test('names the loss by the kind of the type', () => {
    const lost = (type: string) => judgeAlone(makeChange(type, 'delete', [{}, null])).reasons[0]?.message;

    expect(lost('aws_db_instance')).toMatch(/^Destroys a data store/);
    expect(lost('aws_secretsmanager_secret')).toMatch(/^Destroys a secret/);
    expect(lost('azurerm_disk_encryption_set')).toMatch(/^Destroys key material/);
    expect(lost('google_dns_managed_zone')).toMatch(/^Destroys a data store/);
  });

  test('names the cause of a delete', () => {
    const change = makeChange('aws_lb', 'delete', [{}, null], { action_reason: 'delete_because_no_resource_config' });

    const [reason] = judgeAlone(change).reasons;

    expect(reason?.message).toBe(`${reason?.short_message} Cause: removed from the configuration.`);
  });

  test('has no short message if the message names neither order nor cause', () => {
    const [reason] = judgeAlone(makeChange('aws_lb', 'delete', [{}, null])).reasons;

    expect(reason).not.toHaveProperty('short_message');
  });

  test('shortens a long attribute name', () => {
    const change = makeChange('aws_lb', 'delete,create', [{}, {}], { replace_paths: [['x'.repeat(5_000)]] });

    expect(judgeAlone(change).reasons[0]!.message.length).toBeLessThan(400);
  });
});

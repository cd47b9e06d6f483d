import { describe, expect, test } from '@jest/globals';
import type { ChangeNoise, JsonObject, RiskLevel } from '../../../engine/model/result.ts';
import { judgeAlone, makeChange, NOVEL, ruleIds } from './helpers.ts';

type Sides = [JsonObject | null, JsonObject | null];

const BENIGN: Sides = [{ some_list: ['a'] }, { some_list: ['b'] }];
const OPENED: Sides = [{ publicly_accessible: false }, { publicly_accessible: true }];

function buildNoise(part: Partial<ChangeNoise>): ChangeNoise {
  return { ...NOVEL, ...part };
}

describe('the noise discount', () => {
  test.each<[Partial<ChangeNoise>, string, RiskLevel]>([
    [{ classification: 'known_benign', severity: 'harmless', matched_rule_id: 'N-AWS-001' }, 'aws_db_instance', 'none'],
    [{ classification: 'known_benign', severity: 'warning', matched_rule_id: 'N-AWS-002' }, 'aws_db_instance', 'low'],
    [{ classification: 'known_benign', suppression_id: 's' }, 'aws_db_instance', 'none'],
    [{ classification: 'likely_benign' }, 'aws_db_instance', 'low'],
    [{ classification: 'likely_benign' }, 'aws_lambda_function', 'low'],
    [{ classification: 'novel', severity: 'caution', matched_rule_id: 'N-AWS-003' }, 'aws_db_instance', 'medium'],
    [{ classification: 'novel' }, 'aws_db_instance', 'medium'],
  ])('for %j lowers an update of %s to %s', (part, type, level) => {
    const noise = buildNoise(part);

    const judgement = judgeAlone(makeChange(type, 'update', BENIGN), noise);

    expect(judgement.level).toBe(level);
    expect(noise.overridden).toBe(false);
  });

  test('is a reason with the id of the noise rule', () => {
    const noise = buildNoise({ classification: 'known_benign', severity: 'harmless', matched_rule_id: 'N-AWS-001' });

    const { reasons } = judgeAlone(makeChange('aws_db_instance', 'update', BENIGN), noise);

    expect(reasons).toMatchObject([
      { rule_id: 'R-ACT-UPDATE-STATEFUL', level: 'medium' },
      { rule_id: 'N-AWS-001', kind: 'noise', effect: 'cap', level: 'none' },
    ]);
  });

  test('for likely noise does not raise the level none', () => {
    const tags: Sides = [{ tags: { a: '1' } }, { tags: { a: '2' } }];

    expect(
      judgeAlone(makeChange('aws_s3_bucket', 'update', tags), buildNoise({ classification: 'likely_benign' })).level,
    ).toBe('none');
  });
});

describe('a change that the noise discount must not lower', () => {
  test.each<[string, string, Sides, RiskLevel]>([
    ['aws_db_instance', 'delete', [{}, null], 'critical'],
    ['aws_db_instance', 'delete,create', [{}, {}], 'critical'],
    ['aws_acm_certificate', 'delete', [{}, null], 'high'],
    ['aws_db_instance', 'update', OPENED, 'high'],
  ])('%s %s keeps its level and marks the suppression as overridden', (type, actions, sides, level) => {
    const noise = buildNoise({ classification: 'known_benign', severity: 'harmless', suppression_id: 's' });

    const judgement = judgeAlone(makeChange(type, actions, sides), noise);

    expect(judgement.level).toBe(level);
    expect(noise.overridden).toBe(true);
    expect(ruleIds(judgement.reasons)).not.toContain('R-NOISE-SUPPRESSED');
  });

  test.each([
    ['aws_sns_topic', 'create'],
    ['aws_sns_topic', 'delete,create'],
    ['aws_secretsmanager_secret_version', 'delete,create'],
  ])('%s %s keeps a level above none', (type, actions) => {
    const noise = buildNoise({ classification: 'known_benign', severity: 'harmless' });

    expect(judgeAlone(makeChange(type, actions), noise).level).not.toBe('none');
    expect(noise.overridden).toBe(false);
  });
});

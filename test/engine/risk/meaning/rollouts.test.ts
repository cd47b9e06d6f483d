import { describe, expect, test } from '@jest/globals';
import type { JsonObject, RiskLevel } from '../../../../engine/model/result.ts';
import { judgeAlone, makeChange } from '../helpers.ts';
import { testLevels } from './judging.ts';

describe('rollouts', () => {
  testLevels([
    ['acme_rollout', { max_parallel: '5%' }, { max_parallel: '100%' }, 'high', 'R-VAL-ROLLOUT'],
    ['acme_rollout', { max_parallel: '100%' }, { max_parallel: '5%' }, 'low'],
    ['acme_rollout', { health_check: 'lag<5s' }, { health_check: '' }, 'high', 'R-VAL-ROLLOUT'],
    ['acme_rollout', { pause_between: '10m' }, { pause_between: '0m' }, 'medium', 'R-VAL-ROLLOUT'],
    ['acme_rollout', { pause_between: '10m' }, { pause_between: '20m' }, 'low'],
  ]);
});

describe('names of units', () => {
  testLevels([
    [
      'acme_store',
      { retention: 5, retention_unit: 'days' },
      { retention: 5, retention_unit: 'hours' },
      'high',
      'R-VAL-UNIT',
    ],
    ['acme_store', { retention: 5, retention_unit: 'hours' }, { retention: 5, retention_unit: 'days' }, 'low'],
    ['acme_job', { interval_unit: 'hour' }, { interval_unit: 'minute' }, 'medium', 'R-VAL-UNIT'],
  ]);
});

describe('new grants', () => {
  test.each<[string, JsonObject, RiskLevel]>([
    ['acme_grant', { role: 'operator', subjects: ['group:all-authenticated'] }, 'high'],
    ['acme_role_binding', { member: 'allUsers' }, 'high'],
    ['acme_grant', { role: 'operator', subjects: ['group:payments'] }, 'low'],
    ['acme_team', { members: ['*'] }, 'low'],
  ])('%s %j is %s', (type, after, level) => {
    expect(judgeAlone(makeChange(type, 'create', [null, after])).level).toBe(level);
  });
});

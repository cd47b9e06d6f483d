import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../engine/model/result.ts';
import { judgePlan } from './plans.ts';

const findLevel = (type: string, before: JsonObject, module: string) =>
  judgePlan([[type, before, null]], { module }).level;

describe('deleted objects of environments that come and go', () => {
  const preview = 'module.preview["pr-482"].';

  test.each<[string, JsonObject, string]>([
    ['aws_lambda_function', { function_name: 'web-pr-482' }, preview],
    ['aws_iam_role', { name: 'web', tags: { env: 'preview' } }, preview],
    ['aws_cloudwatch_log_group', { name: '/lambda/web-pr-482', retention_in_days: 3 }, preview],
    ['aws_ecr_repository', { name: 'sandbox/trial', force_delete: false }, 'module.sandbox_pg.'],
  ])('%s is at most medium', (type, before, module) => {
    expect(findLevel(type, before, module)).toBe('medium');
  });

  test.each<[string, JsonObject, string]>([
    ['aws_lambda_function', { function_name: 'web' }, preview],
    ['aws_lambda_function', { function_name: 'web-pr-482' }, 'module.web.'],
    ['aws_lambda_function', { function_name: 'web-pr-482', tags: { env: 'prod' } }, preview],
    ['aws_cloudwatch_log_group', { name: '/lambda/web-pr-482', retention_in_days: 365 }, preview],
    ['aws_db_instance', { identifier: 'web-pr-482' }, preview],
    ['aws_kms_key', { id: 'pr-482', tags: { env: 'preview' } }, preview],
  ])('%s without such proof stays high or critical', (type, before, module) => {
    expect(['high', 'critical']).toContain(findLevel(type, before, module));
  });
});

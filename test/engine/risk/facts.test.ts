import { describe, expect, test } from '@jest/globals';
import { createPlanFacts } from '../../../engine/risk/facts.ts';
import { needsWholePlan } from '../../../engine/risk/judge.ts';
import { makeChange } from './helpers.ts';

function collectFacts(...changes: ReturnType<typeof makeChange>[]) {
  const { observe, facts } = createPlanFacts();
  for (const change of changes) observe(change);
  return facts;
}

describe('the accounts of a plan', () => {
  test('are read from arn, owner_id and account_id on either side', () => {
    const facts = collectFacts(
      makeChange('aws_sns_topic', 'delete', [{ arn: 'arn:aws:sns:eu-west-1:111111111111:a' }, null]),
      makeChange('aws_vpc', 'update', [
        { owner_id: '222222222222', x: 1 },
        { owner_id: '222222222222', x: 2 },
      ]),
      makeChange('aws_caller_identity', 'read', [null, { account_id: '333333333333' }], { mode: 'data' }),
    );

    expect([...facts.accounts].sort()).toEqual(['111111111111', '222222222222', '333333333333']);
  });

  test.each([
    ['aws_iam_policy', { arn: 'arn:aws:iam::aws:policy/AdministratorAccess' }],
    ['aws_s3_bucket', { arn: 'arn:aws:s3:::bucket' }],
    ['aws_guardduty_member', { account_id: '444444444444' }],
    ['google_project', { account_id: '555555555555' }],
    ['aws_vpc', { owner_id: 222222222222, arn: ['arn:aws:sns:eu-west-1:111111111111:a'] }],
  ])('do not include accounts named by %s %j', (type, after) => {
    expect(collectFacts(makeChange(type, 'create', [null, after])).accounts.size).toBe(0);
  });
});

describe('the destroyed resources of a plan', () => {
  const bucket = { id: 'logs', bucket: 'logs', arn: 'arn:aws:s3:::logs', name: '' };

  test('are listed by id, arn, name and bucket', () => {
    const facts = collectFacts(makeChange('aws_s3_bucket', 'delete', [bucket, null]));

    expect([...facts.destroyed].sort()).toEqual(['arn:aws:s3:::logs', 'logs']);
  });

  test.each([
    ['aws_s3_bucket_public_access_block', 'delete', {}],
    ['aws_s3_bucket_policy', 'delete', {}],
    ['aws_s3_bucket_versioning', 'delete', {}],
    ['google_project_iam_policy', 'delete', {}],
    ['aws_guardduty_detector', 'delete', {}],
    ['aws_s3_bucket', 'delete,create', {}],
    ['aws_s3_bucket', 'delete', { deposed: 'abcd1234' }],
  ])('do not include %s %s %j', (type, actions, extra) => {
    expect(collectFacts(makeChange(type, actions, [bucket, {}], extra)).destroyed.size).toBe(0);
  });
});

describe('the need for facts of the whole plan', () => {
  test.each([
    ['aws_s3_bucket_public_access_block', 'delete', true],
    ['aws_backup_selection', 'delete', true],
    ['azurerm_subnet_network_security_group_association', 'delete', true],
    ['google_project_iam_policy', 'delete', true],
    ['aws_route', 'delete', true],
    ['aws_flow_log', 'delete,create', true],
    ['aws_lambda_function', 'delete', false],
    ['aws_dynamodb_table', 'delete', false],
    ['aws_s3_bucket_public_access_block', 'update', true],
  ])('for %s %s is %s', (type, actions, expected) => {
    expect(needsWholePlan(makeChange(type, actions))).toBe(expected);
  });

  test.each([
    ['aws_iam_role', { assume_role_policy: '{"Statement":[{"Principal":{"AWS":"123456789012"}}]}' }, true],
    ['aws_iam_role', { assume_role_policy: '{"Statement":[{"Principal":{"Service":"ec2.amazonaws.com"}}]}' }, false],
    ['aws_s3_bucket', { policy: '{"Statement":[{"Principal":{"AWS":"arn:aws:iam::123456789012:root"}}]}' }, true],
    ['aws_s3_bucket', { policy: [] }, true],
    ['aws_s3_bucket', { policy: null }, false],
    ['aws_lambda_permission', { principal: '123456789012' }, true],
    ['aws_instance', { ami: 'x' }, false],
    ['google_project_iam_member', { member: 'allUsers' }, false],
  ])('for a new %s %j is %s', (type, after, expected) => {
    expect(needsWholePlan(makeChange(type, 'create', [null, after]))).toBe(expected);
  });
});

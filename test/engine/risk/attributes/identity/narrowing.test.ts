import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { isOnlyNarrower } from '../../../../../engine/risk/attributes/identity/narrowing.ts';
import { parsePolicy, stepsFor } from '../../../../../engine/risk/attributes/identity/policy.ts';
import { judge } from '../judging.ts';

const allow = (Action: string[], more: JsonObject = {}): JsonObject => ({
  Effect: 'Allow',
  Action,
  Resource: '*',
  ...more,
});
const deny = (Action: string[], more: JsonObject = {}): JsonObject => ({ ...allow(Action, more), Effect: 'Deny' });

function isNarrower(from: JsonObject[], to: JsonObject[]): boolean {
  const [before, after] = [from, to].map((Statement) => parsePolicy({ Statement })!);
  return isOnlyNarrower(before!, after!, stepsFor(before!, after!));
}

const when = (operator: string, key: string, ...values: string[]): JsonObject => ({
  Condition: { [operator]: { [key]: values } },
});

describe('a policy allows no more than before', () => {
  test.each<[string, JsonObject[], JsonObject[]]>([
    ['if a wildcard is written out', [allow(['ec2:Describe*'])], [allow(['ec2:DescribeVolumes'])]],
    [
      'if two statements are merged',
      [allow(['s3:Get*']), allow(['s3:Put*'])],
      [allow(['s3:GetObject', 's3:PutObject'])],
    ],
    ['if a condition is added', [allow(['s3:*'])], [allow(['s3:*'], when('StringEquals', 'aws:SourceAccount', '1'))]],
    [
      'if a pattern becomes one of its values',
      [allow(['s3:*'], when('StringLike', 'aws:SourceVpc', 'vpc-1*'))],
      [allow(['s3:*'], when('StringEquals', 'aws:SourceVpc', 'vpc-12'))],
    ],
    [
      'if a network gets smaller',
      [allow(['s3:*'], when('IpAddress', 'aws:SourceIp', '10.0.0.0/8'))],
      [allow(['s3:*'], when('IpAddress', 'aws:SourceIp', '10.1.0.0/16'))],
    ],
    ['if more is denied', [allow(['*']), deny(['iam:CreateUser'])], [allow(['*']), deny(['iam:Create*'])]],
  ])('%s', (_when, before, after) => {
    expect(isNarrower(before, after)).toBe(true);
    expect(isNarrower(after, before)).toBe(false);
  });

  test('only if its conditions hold where a key is missing, too', () => {
    const [strict, loose] = ['StringEquals', 'StringEqualsIfExists'].map((operator) => [
      allow(['s3:*'], when(operator, 'aws:PrincipalOrgID', 'o-1')),
    ]);

    expect(isNarrower(loose!, strict!)).toBe(true);
    expect(isNarrower(strict!, loose!)).toBe(false);
  });
});

test('a service that may no longer publish is reported, and one that alerts is high', () => {
  const publish = (...Service: string[]) => ({
    policy: JSON.stringify({ Statement: [allow(['sns:Publish'], { Principal: { Service } })] }),
  });
  const judgeLoss = (service: string) =>
    judge('update', 'aws_sns_topic_policy', {
      before: publish('events.amazonaws.com', service),
      after: publish('events.amazonaws.com'),
    });

  expect(judgeLoss('cloudwatch.amazonaws.com')).toEqual({ 'R-IAM-SERVICE': 'high' });
  expect(judgeLoss('s3.amazonaws.com')).toEqual({ 'R-IAM-SERVICE': 'medium' });
});

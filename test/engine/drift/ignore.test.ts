import { describe, expect, test } from '@jest/globals';
import { decideIgnore, findIgnoreRule, type IgnorableItem, type IgnoreRule } from '../../../engine/drift/index.ts';

const ANY: IgnoreRule = {
  id: 'r1',
  drift_types: [],
  resource_type: null,
  address: null,
  provider_resource_id: null,
  attribute: null,
  tag_key: null,
  tag_value: null,
};

const CHANGED: IgnorableItem = {
  drift_type: 'changed',
  resource_type: 'aws_s3_bucket',
  provider_type: 'AWS::S3::Bucket',
  resource_address: 'module.logs.aws_s3_bucket.main["eu"]',
  provider_resource_id: 'acme-logs-eu',
  tags: { team: 'platform', managed_by: 'backup-service' },
  paths: ['tags.LastBackup', 'tags.BackupId'],
  level: 'low',
};

const NEW: IgnorableItem = {
  ...CHANGED,
  drift_type: 'new',
  resource_type: 'aws_iam_role',
  provider_type: 'AWS::IAM::Role',
  resource_address: null,
  provider_resource_id: 'arn:aws:iam::123456789012:role/aws-reserved/sso',
  paths: [],
  level: 'high',
};

describe('a drift ignore rule', () => {
  test.each<[string, Partial<IgnoreRule>, IgnorableItem, boolean]>([
    ['matches the type of Terraform', { resource_type: 'aws_s3_*' }, CHANGED, true],
    ['matches the type of the cloud', { resource_type: 'AWS::S3::*' }, CHANGED, true],
    ['does not match another type', { resource_type: 'aws_sqs_*' }, CHANGED, false],
    ['matches an address with an index', { address: 'module.logs.*' }, CHANGED, true],
    ['with an address does not match a resource without one', { address: '*' }, NEW, false],
    ['matches an ID of the cloud', { provider_resource_id: '*:role/aws-reserved/*' }, NEW, true],
    ['matches a changed item if all paths match', { attribute: 'tags.*' }, CHANGED, true],
    ['does not match if one path is another', { attribute: 'tags.Last*' }, CHANGED, false],
    ['with an attribute does not match a new resource', { attribute: '*' }, NEW, false],
    ['matches a tag with any value', { tag_key: 'managed_by' }, CHANGED, true],
    ['matches a tag with its value', { tag_key: 'managed_by', tag_value: 'backup-*' }, CHANGED, true],
    ['does not match another value of the tag', { tag_key: 'team', tag_value: 'shop' }, CHANGED, false],
    ['does not take an inherited property for a tag', { tag_key: 'constructor' }, CHANGED, false],
    ['matches its types of drift only', { drift_types: ['new'], tag_key: 'team' }, CHANGED, false],
    ['needs all conditions', { resource_type: 'aws_s3_bucket', tag_key: 'owner' }, CHANGED, false],
  ])('%s', (_, conditions, item, is_ignored) => {
    expect(decideIgnore({ ...ANY, ...conditions }, item)).toBe(is_ignored ? 'ignored' : 'no_match');
  });

  test('with wildcards does not hide a critical item', () => {
    const critical = { ...CHANGED, level: 'critical' as const };

    expect(decideIgnore({ ...ANY, address: 'module.logs.*' }, critical)).toBe('protected');
    expect(decideIgnore({ ...ANY, resource_type: 'aws_s3_bucket' }, critical)).toBe('protected');
    expect(decideIgnore({ ...ANY, address: 'module.logs.aws_s3_bucket.main["eu"]' }, critical)).toBe('ignored');
    expect(decideIgnore({ ...ANY, provider_resource_id: 'acme-logs-eu' }, critical)).toBe('ignored');
  });

  test('is the first that ignores the item', () => {
    const rules = [
      { ...ANY, id: 'other', resource_type: 'aws_sqs_queue' },
      { ...ANY, id: 'first', tag_key: 'team' },
      { ...ANY, id: 'second', resource_type: 'aws_s3_bucket' },
    ];

    expect(findIgnoreRule(rules, CHANGED)?.id).toBe('first');
    expect(findIgnoreRule(rules.slice(0, 1), CHANGED)).toBeUndefined();
  });
});

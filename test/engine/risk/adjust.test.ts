import { describe, expect, test } from '@jest/globals';
import type { JsonObject, RiskLevel } from '../../../engine/model/result.ts';
import { judgeAlone, makeChange, ruleIds } from './helpers.ts';

type Sides = [JsonObject | null, JsonObject | null];

describe('deleting a link', () => {
  test.each<[string, JsonObject, RiskLevel]>([
    ['aws_security_group_rule', {}, 'medium'],
    ['aws_route_table_association', {}, 'medium'],
    ['azurerm_role_assignment', {}, 'medium'],
    ['google_compute_firewall', { allow: [{ protocol: 'tcp' }], deny: [] }, 'medium'],
    ['google_compute_firewall', { allow: [], deny: [{ protocol: 'all' }] }, 'high'],
    ['azurerm_network_security_rule', { access: 'Deny' }, 'high'],
    ['aws_network_acl_rule', { rule_action: 'deny' }, 'high'],
    ['aws_route53_record', { name: '_abc.example.com' }, 'medium'],
    ['aws_volume_attachment', {}, 'high'],
    ['azurerm_virtual_machine_data_disk_attachment', {}, 'high'],
    ['google_compute_interconnect_attachment', {}, 'high'],
  ])('a delete of %s %j has the level %s', (type, before, level) => {
    expect(judgeAlone(makeChange(type, 'delete', [before, null])).level).toBe(level);
  });

  test('the delete does not count as destructive, and the cap is listed as a reason', () => {
    const judgement = judgeAlone(makeChange('aws_route_table_association', 'delete', [{}, null]));

    expect(judgement.destructive).toBe(false);
    expect(judgement.reasons).toMatchObject([
      { rule_id: 'R-ACT-DELETE-NETWORK', level: 'medium', effect: 'raise' },
      { rule_id: 'R-ACT-LINK', level: 'medium', effect: 'cap' },
    ]);
  });
});

describe('destroying workloads and versions', () => {
  test.each<[string, string, RiskLevel, boolean]>([
    ['aws_ecs_service', 'delete', 'high', true],
    ['helm_release', 'delete,create', 'high', true],
    ['aws_lambda_function', 'delete', 'high', true],
    ['kubernetes_deployment_v1', 'create,delete', 'medium', true],
    ['aws_ecs_task_definition', 'delete,create', 'low', false],
    ['aws_launch_template', 'delete', 'medium', false],
    ['aws_secretsmanager_secret_version', 'delete,create', 'low', false],
    ['google_secret_manager_secret_version', 'delete', 'high', false],
    ['null_resource', 'delete', 'low', false],
    ['random_password', 'create,delete', 'low', false],
    ['terraform_data', 'delete', 'medium', true],
  ])('%s with the actions %s has the level %s, and destructive is %s', (type, actions, level, destructive) => {
    expect(judgeAlone(makeChange(type, actions))).toMatchObject({ level, destructive });
  });
});

describe('deleting a deposed object', () => {
  test.each<[string, RiskLevel]>([
    ['aws_instance', 'low'],
    ['aws_lb', 'low'],
    ['aws_db_instance', 'medium'],
    ['aws_kms_key', 'medium'],
  ])('a deposed %s has the level %s and is not destructive', (type, level) => {
    const judgement = judgeAlone(makeChange(type, 'delete', [{}, null], { deposed: 'abcd1234' }));

    expect(judgement).toMatchObject({ level, destructive: false });
  });
});

describe('a create-before-destroy replace', () => {
  test.each<[string, RiskLevel]>([
    ['aws_lb', 'medium'],
    ['aws_instance', 'medium'],
    ['aws_sns_topic', 'low'],
    ['aws_db_instance', 'critical'],
    ['aws_kms_key', 'critical'],
    ['azurerm_resource_group', 'critical'],
  ])('a replace of %s has the level %s', (type, level) => {
    expect(judgeAlone(makeChange(type, 'create,delete')).level).toBe(level);
  });

  test('every adjustment that applies is listed as a reason', () => {
    const { reasons } = judgeAlone(makeChange('aws_security_group_rule', 'create,delete'));

    expect(ruleIds(reasons)).toEqual(['R-ACT-CREATEFIRST', 'R-ACT-LINK', 'R-ACT-REPLACE-SECURITY']);
    expect(new Set(reasons.map((reason) => reason.level))).toEqual(new Set(['low']));
  });
});

describe('creating an identity or policy', () => {
  const trust = (...principals: object[]): string =>
    JSON.stringify({
      Statement: principals.map((Principal) => ({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal })),
    });
  const lambda = { Service: 'lambda.amazonaws.com' };

  test.each<[string, JsonObject, RiskLevel]>([
    ['aws_iam_instance_profile', {}, 'low'],
    ['google_service_account', {}, 'low'],
    ['azurerm_user_assigned_identity', {}, 'low'],
    ['aws_iam_role', { assume_role_policy: trust(lambda) }, 'low'],
    ['aws_iam_role', { assume_role_policy: trust({ Service: ['ec2.amazonaws.com', 'ecs.amazonaws.com.cn'] }) }, 'low'],
    ['aws_lambda_permission', { principal: 'events.amazonaws.com' }, 'low'],
    ['aws_sqs_queue_policy', { policy: trust({ Service: 'sns.amazonaws.com' }) }, 'low'],
    ['aws_iam_role', { assume_role_policy: trust(lambda), inline_policy: [{ name: 'x' }] }, 'medium'],
    [
      'aws_iam_role',
      { assume_role_policy: trust(lambda), managed_policy_arns: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] },
      'medium',
    ],
    ['aws_iam_role', { assume_role_policy: 'no policy' }, 'medium'],
    ['aws_iam_role', {}, 'medium'],
    [
      'aws_iam_policy',
      {
        policy: JSON.stringify({ Statement: { Effect: 'Allow', Action: 's3:ListBucket', Resource: 'arn:aws:s3:::b' } }),
      },
      'medium',
    ],
    ['aws_cloudwatch_log_resource_policy', { policy_document: trust({ Service: 'route53.amazonaws.com' }) }, 'low'],
    ['aws_iam_user', {}, 'medium'],
  ])('a new %s %j has the level %s', (type, after, level) => {
    expect(judgeAlone(makeChange(type, 'create', [null, after])).level).toBe(level);
  });

  test.each([
    [{ ...lambda, AWS: 'arn:aws:iam::123456789012:root' }],
    [{ Service: 'amazonaws.com.evil.example' }],
    [{ Federated: 'x' }],
  ])('a role that trusts %j does not get the reason R-ACT-IAM-BARE', (principal) => {
    const change = makeChange('aws_iam_role', 'create', [null, { assume_role_policy: trust(lambda, principal) }]);

    expect(ruleIds(judgeAlone(change).reasons)).not.toContain('R-ACT-IAM-BARE');
  });
});

describe('an update of descriptive text, labels or the time to live', () => {
  test.each<[string, Sides, RiskLevel, string]>([
    ['aws_s3_bucket', [{ tags: { a: '1' } }, { tags: { a: '2' } }], 'none', 'R-ACT-COSMETIC'],
    ['aws_iam_role', [{ description: 'a' }, { description: 'b' }], 'low', 'R-ACT-COSMETIC'],
    ['google_compute_instance', [{ labels: { a: '1' } }, { labels: { a: '1', b: '2' } }], 'none', 'R-ACT-COSMETIC'],
    ['google_compute_instance', [{ tags: ['web'] }, { tags: ['web', 'ssh'] }], 'medium', 'R-ACT-UPDATE-STATEFUL'],
    [
      'aws_s3_bucket',
      [
        { tags: { a: '1' }, x: 1 },
        { tags: { a: '2' }, x: 2 },
      ],
      'medium',
      'R-ACT-UPDATE-STATEFUL',
    ],
    ['aws_route53_record', [{ ttl: 300 }, { ttl: 60 }], 'low', 'R-ACT-TTL'],
    [
      'azurerm_dns_a_record',
      [
        { ttl: 300, tags: { a: '1' } },
        { ttl: 60, tags: {} },
      ],
      'low',
      'R-ACT-TTL',
    ],
  ])('%s %j has the level %s because of %s', (type, sides, level, rule) => {
    const judgement = judgeAlone(makeChange(type, 'update', sides));

    expect(judgement.level).toBe(level);
    expect(judgement.reasons[0]?.rule_id).toBe(rule);
  });

  test('computed attributes that become unknown are ignored', () => {
    const sides: Sides = [{ tags: { a: '1' }, etag: 'x', arn: 'y' }, { tags: { a: '2' } }];
    const change = makeChange('aws_s3_object', 'update', sides, { after_unknown: { etag: true, arn: true } });

    expect(judgeAlone(change).level).toBe('none');
  });

  test('an update of only computed attributes keeps its base level', () => {
    const change = makeChange('aws_db_instance', 'update', [{ arn: 'y' }, {}], { after_unknown: { arn: true } });

    expect(judgeAlone(change).level).toBe('medium');
  });

  test('a known change of a computed attribute counts', () => {
    expect(judgeAlone(makeChange('aws_s3_object', 'update', [{ etag: 'x' }, { etag: 'y' }])).level).toBe('low');
  });
});

describe('an update of a tag that backups may select by', () => {
  test.each<[Sides]>([
    [[{ tags: { Backup: 'daily' } }, { tags: { Backup: 'never' } }]],
    [[{ tags: { 'dlm:policy': '1', a: '1' } }, { tags: { a: '1' } }]],
    [[{ tags: { SnapshotPlan: 'x' } }, { tags: null }]],
  ])('the change %j is medium', (sides) => {
    const { level, reasons } = judgeAlone(makeChange('aws_ebs_volume', 'update', sides));

    expect(level).toBe('medium');
    expect(reasons).toMatchObject([
      { rule_id: 'R-ACT-COSMETIC', effect: 'raise', path: expect.stringMatching(/^tags/) },
    ]);
  });

  test('adding such a tag is cosmetic', () => {
    const sides: Sides = [{ tags: { a: '1' } }, { tags: { a: '1', Backup: 'daily' } }];

    expect(judgeAlone(makeChange('aws_ebs_volume', 'update', sides)).level).toBe('none');
  });
});

describe('an update with strengthening changes', () => {
  test('the level is low when every change strengthens', () => {
    const judgement = judgeAlone(
      makeChange('aws_kms_key', 'update', [{ enable_key_rotation: false }, { enable_key_rotation: true }]),
    );

    expect(judgement.level).toBe('low');
    expect(ruleIds(judgement.reasons)).toContain('R-ACT-HARDENING');
  });

  test('the base level stays when another attribute changes, too', () => {
    const sides: Sides = [
      { enable_key_rotation: false, is_enabled: true },
      { enable_key_rotation: true, is_enabled: false },
    ];

    expect(judgeAlone(makeChange('aws_kms_key', 'update', sides)).level).not.toBe('low');
  });
});

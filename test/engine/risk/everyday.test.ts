import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../engine/model/result.ts';
import { judgeAlone, judgePlan, makeChange, ruleIds } from './helpers.ts';

const update = (type: string, before: JsonObject, after: JsonObject) => makeChange(type, 'update', [before, after]);

describe('an update of routine settings', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'google_cloud_run_v2_service',
      { template: [{ containers: [{ image: 'app:1' }] }] },
      { template: [{ containers: [{ image: 'app:2' }] }] },
    ],
    ['github_repository', { topics: ['a'], has_wiki: true }, { topics: ['a', 'b'], has_wiki: false }],
    ['google_pubsub_subscription', { ack_deadline_seconds: 60 }, { ack_deadline_seconds: 90 }],
    ['azurerm_kubernetes_cluster_node_pool', { min_count: 3 }, { min_count: 4 }],
    ['aws_cloudfront_distribution', { price_class: 'PriceClass_100' }, { price_class: 'PriceClass_All' }],
    ['google_spanner_database', { ddl: ['CREATE TABLE a'] }, { ddl: ['CREATE TABLE a', 'CREATE TABLE b'] }],
    [
      'azurerm_kubernetes_cluster',
      { default_node_pool: [{ min_count: 6 }] },
      { default_node_pool: [{ min_count: 8 }] },
    ],
    ['aws_ebs_volume', { throughput: 125 }, { throughput: 250 }],
    [
      'google_bigquery_table',
      { schema: '[{"name":"a","type":"STRING"}]' },
      { schema: '[{"name":"a","type":"STRING"},{"name":"b","type":"DATE"}]' },
    ],
    [
      'aws_dynamodb_table',
      { hash_key: 'pk', global_secondary_index: [] },
      { hash_key: 'pk', global_secondary_index: [{ name: 'by-email', hash_key: 'email' }] },
    ],
  ])('of %s is low', (type, before, after) => {
    const { level, reasons } = judgeAlone(update(type, before, after));

    expect(level).toBe('low');
    expect(ruleIds(reasons)).toContain('R-ACT-ROUTINE');
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['google_redis_instance', { memory_size_gb: 16 }, { memory_size_gb: 8 }],
    ['aws_db_instance', { instance_class: 'db.m5.large' }, { instance_class: 'db.m5.xlarge' }],
    ['google_pubsub_subscription', { ack_deadline_seconds: 60, filter: '' }, { ack_deadline_seconds: 90, filter: 'x' }],
    ['google_bigquery_table', { schema: '[{"name":"a","type":"STRING"}]' }, { schema: '[]' }],
    ['aws_security_group', { other_setting: 1 }, { other_setting: 2 }],
    ['aws_dynamodb_table', { global_secondary_index: [{ name: 'by-email' }] }, { global_secondary_index: [] }],
  ])('is above low when other settings change: %s %j to %j', (type, before, after) => {
    const { level, reasons } = judgeAlone(update(type, before, after));

    expect(['none', 'low']).not.toContain(level);
    expect(ruleIds(reasons)).not.toContain('R-ACT-ROUTINE');
  });
});

describe('a new grant of a role', () => {
  const create = (type: string, after: JsonObject) => judgeAlone(makeChange(type, 'create', [null, after])).level;

  test.each<[string, JsonObject, string]>([
    ['azurerm_role_assignment', { role_definition_name: 'AcrPull' }, 'low'],
    ['azurerm_role_assignment', { role_definition_name: 'Reader' }, 'low'],
    ['azurerm_role_assignment', { role_definition_name: 'Key Vault Secrets User' }, 'medium'],
    ['azurerm_role_assignment', {}, 'medium'],
    ['google_project_iam_member', { role: 'roles/monitoring.metricWriter', member: 'serviceAccount:a' }, 'low'],
    ['google_project_iam_member', { role: 'roles/storage.objectViewer', member: 'serviceAccount:a' }, 'medium'],
    ['google_project_iam_member', { role: 'roles/viewer', member: 'user:a' }, 'medium'],
    ['aws_iam_role_policy_attachment', { policy_arn: 'arn:aws:iam::aws:policy/AmazonEC2ReadOnlyAccess' }, 'low'],
    ['aws_iam_role_policy_attachment', { policy_arn: 'arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess' }, 'medium'],
    ['aws_iam_role_policy_attachment', { policy_arn: 'arn:aws:iam::111122223333:policy/own' }, 'medium'],
  ])('%s %j is %s', (type, after, level) => {
    expect(create(type, after)).toBe(level);
  });

  test('to everyone is critical', () => {
    expect(create('google_pubsub_topic_iam_member', { role: 'roles/pubsub.publisher', member: 'allUsers' })).toBe(
      'critical',
    );
  });
});

test('deleting a target group is medium, and deleting a listener is high', () => {
  expect(judgeAlone(makeChange('aws_lb_target_group', 'delete', [{ name: 'old' }, null])).level).toBe('medium');
  expect(judgeAlone(makeChange('aws_lb_listener', 'delete', [{ port: 443 }, null])).level).toBe('high');
});

describe('public access', () => {
  const open = JSON.stringify({
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*' }],
  });
  const policy = (unknown: boolean) =>
    makeChange('aws_s3_bucket_policy', 'create', [null, unknown ? { policy: open } : { policy: open, bucket: 'b' }], {
      after_unknown: unknown ? { bucket: true } : {},
    });
  const site = makeChange('aws_s3_bucket_website_configuration', 'create', [null, { index_document: [{}] }]);
  const block = (flag: boolean) => ({ bucket: 'b', block_public_policy: flag });
  const lifted = makeChange('aws_s3_bucket_public_access_block', 'update', [block(true), block(false)]);
  const judgeLevel = (...changes: ReturnType<typeof makeChange>[]) => judgePlan(changes).judgements[0]!.level;

  test('to an existing bucket is high, and critical when the plan removes its public access block', () => {
    expect(judgeLevel(policy(false))).toBe('high');
    expect(judgeLevel(policy(false), lifted)).toBe('critical');
  });

  test('to a new bucket is high, and medium when the plan creates a website', () => {
    expect(judgeLevel(policy(true))).toBe('high');
    expect(judgeLevel(policy(true), site)).toBe('medium');
    expect(judgeLevel(policy(false), site)).toBe('high');
  });

  test('through an ACL is rated the same way', () => {
    const container = makeChange('azurerm_storage_container', 'update', [
      { container_access_type: 'private' },
      { container_access_type: 'blob' },
    ]);
    const account = makeChange('azurerm_storage_account', 'update', [
      { allow_nested_items_to_be_public: false },
      { allow_nested_items_to_be_public: true },
    ]);
    expect(judgeLevel(container)).toBe('high');
    expect(judgeLevel(container, account)).toBe('critical');
  });

  test('to an existing service is high, and medium when the plan creates the service', () => {
    const invoker = makeChange('google_cloud_run_v2_service_iam_member', 'create', [
      null,
      { name: 'projects/p/locations/l/services/shop', role: 'roles/run.invoker', member: 'allUsers' },
    ]);
    const service = makeChange('google_cloud_run_v2_service', 'create', [null, { name: 'shop' }]);
    expect(judgeLevel(invoker)).toBe('high');
    expect(judgeLevel(invoker, service)).toBe('medium');
  });
});

describe('a listener with a login', () => {
  const listener = (on_unauthenticated_request: string) => ({
    port: 443,
    protocol: 'HTTPS',
    default_action: [{ type: 'authenticate-oidc', authenticate_oidc: [{ on_unauthenticated_request }] }],
  });
  const plain = { ...listener('authenticate'), default_action: [{ type: 'forward' }] };

  test('is high when it starts to forward unauthenticated requests, and low in the reverse direction', () => {
    expect(judgeAlone(update('aws_lb_listener', listener('authenticate'), listener('allow'))).level).toBe('high');
    expect(judgeAlone(update('aws_lb_listener', listener('authenticate'), plain)).level).toBe('high');
    expect(judgeAlone(update('aws_lb_listener', listener('allow'), listener('authenticate'))).level).toBe('low');
    expect(judgeAlone(update('aws_lb_listener', listener('authenticate'), listener('deny'))).level).toBe('low');
  });
});

describe('a plain value of a store of settings', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['aws_ssm_parameter', { type: 'String', value: '7', version: 1 }, { type: 'String', value: '14', version: 2 }],
    ['azurerm_app_configuration_key', { type: 'kv', value: 'a' }, { type: 'kv', value: 'b' }],
    ['github_actions_variable', { value: 'a' }, { value: 'b' }],
  ])('of %s is low', (type, before, after) => {
    expect(judgeAlone(update(type, before, after)).level).toBe('low');
  });

  test('that goes, or leads to a secret, is not routine', () => {
    const routine = (before: JsonObject, after: JsonObject, type = 'azurerm_app_configuration_key') =>
      ruleIds(judgeAlone(update(type, before, after)).reasons).includes('R-ACT-ROUTINE');

    expect(routine({ type: 'kv', value: 'a' }, { type: 'kv', value: '' })).toBe(false);
    expect(routine({ type: 'vault', value: 'a' }, { type: 'vault', value: 'b' })).toBe(false);
    expect(routine({ type: 'kv', value: 'a', locked: true }, { type: 'kv', value: 'b', locked: false })).toBe(false);
  });
});

describe('a new group, team or grant', () => {
  const level = (type: string, after: JsonObject) => judgeAlone(makeChange(type, 'create', [null, after])).level;

  test.each<[string, JsonObject]>([
    ['okta_group', { name: 'x' }],
    ['azuread_group', { display_name: 'x', security_enabled: true }],
    ['snowflake_account_role', { name: 'x' }],
    ['github_team_repository', { repository: 'a', permission: 'pull' }],
    ['gitlab_project_membership', { access_level: 'reporter' }],
    ['postgresql_grant', { privileges: ['USAGE'] }],
  ])('%s of %j is low', (type, after) => {
    expect(level(type, after)).toBe('low');
  });

  test.each<[string, JsonObject]>([
    ['azuread_group', { display_name: 'x', members: ['u'] }],
    ['postgresql_role', { name: 'x', login: true }],
    ['datadog_role', { name: 'x', permission: [{ id: '1' }] }],
    ['github_team_repository', { repository: 'a', permission: 'push' }],
    ['gitlab_project_membership', { access_level: 'maintainer' }],
    ['postgresql_grant', { privileges: ['USAGE', 'CREATE'] }],
  ])('%s of %j is more than low', (type, after) => {
    expect(level(type, after)).not.toBe('low');
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { findAttributeReasons } from '../../../../engine/risk/attributes/index.ts';
import { ROWS } from '../../../../engine/risk/attributes/rows.ts';
import { NO_OWNERSHIP } from '../../../../engine/risk/destinations/index.ts';
import { NO_LISTS } from '../../../../engine/risk/ordering/lists.ts';
import { NO_NEIGHBORS } from '../../../../engine/risk/relations/neighbors.ts';
import { NO_POWERS } from '../../../../engine/risk/relations/powers.ts';
import { NO_SELECTORS } from '../../../../engine/risk/relations/tags.ts';
import { buildChange, findings, judge } from './judging.ts';

/** Type, before, after, rule, level of the update, level of `after` on create. */
type Case = [
  type: string,
  before: JsonObject,
  after: JsonObject,
  rule: string,
  level: string,
  created: string | undefined,
];

const CASES: Case[] = [
  [
    'aws_db_instance',
    { backup_retention_period: 7 },
    { backup_retention_period: 6 },
    'R-DB-BACKUP',
    'medium',
    undefined,
  ],
  ['aws_db_instance', { backup_retention_period: 7 }, { backup_retention_period: 0 }, 'R-DB-BACKUP', 'high', undefined],
  [
    'aws_dynamodb_table',
    { point_in_time_recovery: [{ enabled: true }] },
    { point_in_time_recovery: [{ enabled: false }] },
    'R-DB-BACKUP',
    'high',
    'low',
  ],
  [
    'aws_dynamodb_table',
    { point_in_time_recovery: [{ enabled: true }] },
    { point_in_time_recovery: [] },
    'R-DB-BACKUP',
    'high',
    undefined,
  ],
  ['aws_backup_selection', { resources: ['a', 'b'] }, { resources: ['b'] }, 'R-DB-BACKUP', 'high', undefined],
  [
    'aws_backup_plan',
    { rule: [{ rule_name: 'a' }, { rule_name: 'b' }] },
    { rule: [{ rule_name: 'b' }] },
    'R-DB-BACKUP',
    'high',
    undefined,
  ],
  ['aws_db_instance', { multi_az: true }, { multi_az: false }, 'R-DB-MULTIAZ', 'medium', 'low'],
  [
    'google_sql_database_instance',
    { settings: [{ availability_type: 'REGIONAL' }] },
    { settings: [{ availability_type: 'ZONAL' }] },
    'R-DB-MULTIAZ',
    'medium',
    'low',
  ],
  ['aws_db_instance', { publicly_accessible: false }, { publicly_accessible: true }, 'R-DB-PUBLIC', 'high', 'high'],
  [
    'google_sql_database_instance',
    { settings: [{ ip_configuration: [{ ipv4_enabled: false }] }] },
    { settings: [{ ip_configuration: [{ ipv4_enabled: true }] }] },
    'R-DB-PUBLIC',
    'high',
    'high',
  ],
  [
    'azurerm_storage_account',
    { public_network_access_enabled: false },
    { public_network_access_enabled: true },
    'R-DB-PUBLIC',
    'high',
    'low',
  ],
  ['aws_db_instance', { engine_version: '13.4' }, { engine_version: '14.1' }, 'R-DB-ENGINE', 'high', undefined],
  ['aws_db_instance', { engine_version: '13.4' }, { engine_version: '13.3' }, 'R-DB-ENGINE', 'high', undefined],
  [
    'google_sql_database_instance',
    { database_version: 'POSTGRES_14' },
    { database_version: 'POSTGRES_15' },
    'R-DB-ENGINE',
    'high',
    undefined,
  ],
  ['aws_eks_cluster', { version: '1.28' }, { version: '1.29' }, 'R-DB-ENGINE', 'medium', undefined],
  [
    'aws_db_instance',
    { skip_final_snapshot: false },
    { skip_final_snapshot: true },
    'R-DB-SKIPSNAP',
    'high',
    undefined,
  ],
  [
    'aws_db_instance',
    { deletion_protection: true },
    { deletion_protection: false },
    'R-DEL-PROTECT',
    'high',
    undefined,
  ],
  [
    'aws_lb',
    { enable_deletion_protection: true },
    { enable_deletion_protection: false },
    'R-DEL-PROTECT',
    'medium',
    undefined,
  ],
  ['aws_s3_bucket', { force_destroy: null }, { force_destroy: true }, 'R-DEL-PROTECT', 'high', undefined],
  ['aws_default_vpc', { force_destroy: false }, { force_destroy: true }, 'R-DEL-PROTECT', 'medium', undefined],
  ['google_project', { deletion_policy: 'PREVENT' }, { deletion_policy: 'DELETE' }, 'R-DEL-PROTECT', 'high', undefined],
  ['google_project', { deletion_policy: 'ABANDON' }, { deletion_policy: null }, 'R-DEL-PROTECT', 'high', undefined],
  [
    'aws_cognito_user_pool',
    { deletion_protection: 'ACTIVE' },
    { deletion_protection: 'INACTIVE' },
    'R-DEL-PROTECT',
    'high',
    undefined,
  ],
  ['aws_db_instance', { storage_encrypted: true }, { storage_encrypted: false }, 'R-ENC-OFF', 'critical', 'low'],
  ['aws_ebs_encryption_by_default', { enabled: true }, { enabled: false }, 'R-ENC-OFF', 'high', 'medium'],
  ['aws_kinesis_stream', { encryption_type: 'KMS' }, { encryption_type: 'NONE' }, 'R-ENC-OFF', 'high', 'low'],
  ['aws_db_instance', { kms_key_id: 'a' }, { kms_key_id: 'b' }, 'R-ENC-KEY', 'high', undefined],
  ['aws_db_instance', { kms_key_id: 'a' }, { kms_key_id: null }, 'R-ENC-KEY', 'high', undefined],
  ['aws_sqs_queue', { kms_master_key_id: 'a' }, { kms_master_key_id: '' }, 'R-ENC-KEY', 'medium', undefined],
  [
    'azurerm_storage_account',
    { customer_managed_key: [{ key_vault_key_id: 'a', user_assigned_identity_id: 'x' }] },
    { customer_managed_key: [] },
    'R-ENC-KEY',
    'high',
    undefined,
  ],
  ['aws_kms_key', { enable_key_rotation: true }, { enable_key_rotation: false }, 'R-ENC-ROTATE', 'medium', 'low'],
  ['aws_kms_key', { deletion_window_in_days: 30 }, { deletion_window_in_days: 7 }, 'R-ENC-ROTATE', 'medium', undefined],
  [
    'azurerm_storage_account',
    { min_tls_version: 'TLS1_2' },
    { min_tls_version: 'TLS1_0' },
    'R-TLS-DOWN',
    'high',
    'medium',
  ],
  [
    'google_compute_ssl_policy',
    { min_tls_version: 'TLS_1_2' },
    { min_tls_version: 'TLS_1_1' },
    'R-TLS-DOWN',
    'high',
    'medium',
  ],
  [
    'azurerm_redis_cache',
    { minimum_tls_version: '1.3' },
    { minimum_tls_version: '1.2' },
    'R-TLS-DOWN',
    'medium',
    undefined,
  ],
  [
    'aws_cloudfront_distribution',
    { viewer_certificate: [{ minimum_protocol_version: 'TLSv1.2_2021' }] },
    { viewer_certificate: [{ minimum_protocol_version: 'TLSv1.1_2016' }] },
    'R-TLS-DOWN',
    'high',
    'medium',
  ],
  [
    'aws_cloudfront_distribution',
    { default_cache_behavior: [{ viewer_protocol_policy: 'redirect-to-https' }] },
    { default_cache_behavior: [{ viewer_protocol_policy: 'allow-all' }] },
    'R-TLS-DOWN',
    'high',
    'medium',
  ],
  ['aws_s3_bucket_acl', { acl: 'private' }, { acl: 'public-read' }, 'R-STO-PUBLIC', 'high', 'high'],
  ['aws_s3_bucket', { acl: 'public-read' }, { acl: 'public-read-write' }, 'R-STO-PUBLIC', 'critical', 'critical'],
  [
    'azurerm_storage_container',
    { container_access_type: 'private' },
    { container_access_type: 'blob' },
    'R-STO-PUBLIC',
    'high',
    'high',
  ],
  [
    'aws_s3_bucket_public_access_block',
    { block_public_acls: true },
    { block_public_acls: false },
    'R-STO-PUBLIC',
    'high',
    'medium',
  ],
  [
    'aws_s3_account_public_access_block',
    { block_public_policy: true },
    { block_public_policy: false },
    'R-STO-PUBLIC',
    'critical',
    'medium',
  ],
  [
    'azurerm_storage_account',
    { allow_nested_items_to_be_public: false },
    { allow_nested_items_to_be_public: true },
    'R-STO-PUBLIC',
    'high',
    'low',
  ],
  [
    'aws_s3_bucket_versioning',
    { versioning_configuration: [{ status: 'Enabled' }] },
    { versioning_configuration: [{ status: 'Suspended' }] },
    'R-STO-VERSIONING',
    'high',
    'low',
  ],
  [
    'azurerm_key_vault',
    { soft_delete_retention_days: 90 },
    { soft_delete_retention_days: 7 },
    'R-STO-VERSIONING',
    'medium',
    undefined,
  ],
  [
    'google_storage_bucket',
    { retention_policy: [{ retention_period: 86400 }] },
    { retention_policy: [] },
    'R-STO-VERSIONING',
    'high',
    undefined,
  ],
  [
    'aws_cloudwatch_log_group',
    { retention_in_days: 90 },
    { retention_in_days: 30 },
    'R-STO-EXPIRE',
    'medium',
    undefined,
  ],
  [
    'aws_cloudwatch_log_group',
    { retention_in_days: 0 },
    { retention_in_days: 3653 },
    'R-STO-EXPIRE',
    'medium',
    undefined,
  ],
  [
    'google_pubsub_subscription',
    { message_retention_duration: '604800s' },
    { message_retention_duration: '600s' },
    'R-STO-EXPIRE',
    'medium',
    undefined,
  ],
  ['aws_cloudtrail', { enable_logging: true }, { enable_logging: false }, 'R-LOG-OFF', 'critical', 'medium'],
  [
    'aws_eks_cluster',
    { enabled_cluster_log_types: ['api', 'audit'] },
    { enabled_cluster_log_types: ['api'] },
    'R-LOG-OFF',
    'medium',
    undefined,
  ],
  ['aws_lb', { access_logs: [{ enabled: true }] }, { access_logs: [{ enabled: false }] }, 'R-LOG-OFF', 'medium', 'low'],
  ['aws_cloudfront_distribution', { web_acl_id: 'arn:a' }, { web_acl_id: '' }, 'R-SEC-WAF', 'high', undefined],
  [
    'azurerm_web_application_firewall_policy',
    { policy_settings: [{ mode: 'Prevention' }] },
    { policy_settings: [{ mode: 'Detection' }] },
    'R-SEC-WAF',
    'high',
    'medium',
  ],
  [
    'aws_instance',
    { metadata_options: [{ http_tokens: 'required' }] },
    { metadata_options: [{ http_tokens: 'optional' }] },
    'R-SEC-IMDS',
    'high',
    'low',
  ],
  [
    'aws_lambda_function_url',
    { authorization_type: 'AWS_IAM' },
    { authorization_type: 'NONE' },
    'R-IAM-TRUST',
    'high',
    'high',
  ],
  [
    'google_bigquery_dataset',
    { access: [{ role: 'READER', special_group: 'projectOwners' }] },
    { access: [{ role: 'READER', special_group: 'allAuthenticatedUsers' }] },
    'R-IAM-TRUST',
    'critical',
    'critical',
  ],
  [
    'aws_db_instance',
    { allocated_storage: 100 },
    { allocated_storage: 50 },
    'R-ATTR-aws_db_instance.allocated_storage',
    'critical',
    undefined,
  ],
  [
    'azurerm_storage_account',
    { network_rules: [{ default_action: 'Deny' }] },
    { network_rules: [{ default_action: 'Allow' }] },
    'R-ATTR-azurerm_storage_account.network_rules.*.default_action',
    'high',
    undefined,
  ],
  [
    'azurerm_container_registry',
    { admin_enabled: false },
    { admin_enabled: true },
    'R-ATTR-azurerm_container_registry.admin_enabled',
    'high',
    'medium',
  ],
  [
    'aws_db_instance',
    { vpc_security_group_ids: ['sg-1'] },
    { vpc_security_group_ids: [] },
    'R-ATTR-aws_db_instance.vpc_security_group_ids',
    'medium',
    undefined,
  ],
  [
    'google_compute_instance',
    { tags: ['a'] },
    { tags: ['a', 'web'] },
    'R-ATTR-google_compute_instance.tags',
    'medium',
    undefined,
  ],
  [
    'azurerm_virtual_network',
    { address_space: ['10.0.0.0/16', '10.1.0.0/16'] },
    { address_space: ['10.0.0.0/16'] },
    'R-ATTR-azurerm_virtual_network.address_space',
    'critical',
    undefined,
  ],
];

describe('a rule of one attribute', () => {
  test.each(CASES)(
    '%s %j → %j is reported by %s at level %s on update',
    (type, before, after, rule, level, created) => {
      expect(judge('update', type, { before, after })[rule]).toBe(level);
      expect(judge('create', type, { after })[rule]).toBe(created);
      expect(judge('update', type, { before, after: before })).toEqual({});
    },
  );

  test.each(
    CASES.filter(
      ([, , , rule]) =>
        !rule.startsWith('R-ATTR') && rule !== 'R-DB-ENGINE' && rule !== 'R-ENC-KEY' && rule !== 'R-DB-SKIPSNAP',
    ),
  )('%s strengthens in the reverse direction: %j ← %j', (type, before, after, rule) => {
    const { change, reasons, weakens_high } = findings('update', type, { before: after, after: before });
    expect(reasons.filter(({ rule_id }) => rule_id === rule)).toEqual([]);
    expect(weakens_high).toBe(false);
    expect(new Set(change.diffs.map(({ direction }) => direction))).toEqual(new Set(['strengthening']));
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['aws_db_instance', { engine_version: '13.4' }, { engine_version: '13.5' }],
    ['aws_db_instance', { engine_version: '8.0.mysql_aurora.3.04.0' }, { engine_version: '8.0.mysql_aurora.3.05.2' }],
    ['aws_db_instance', { kms_key_id: null }, { kms_key_id: 'a' }],
    ['aws_db_instance', { multi_az: null }, { multi_az: false }],
    ['aws_db_instance', { backup_retention_period: 1 }, { backup_retention_period: 30 }],
    ['aws_cloudwatch_log_group', { retention_in_days: 30 }, { retention_in_days: 0 }],
    ['aws_backup_selection', { resources: ['a', 'b'] }, { resources: ['b', 'a', 'c'] }],
    ['azurerm_virtual_network', { address_space: ['10.0.0.0/16'] }, { address_space: ['10.0.0.0/15'] }],
    [
      'azurerm_key_vault',
      { network_acls: [{ default_action: 'deny' }] },
      { network_acls: [{ default_action: 'Deny' }] },
    ],
    ['azurerm_storage_account', { min_tls_version: 'TLS1_0' }, { min_tls_version: 'TLS1_2' }],
    ['aws_s3_bucket', { acl: 'private' }, { acl: 'log-delivery-write' }],
    ['aws_instance', { ami: 'a' }, { ami: 'b' }],
    [
      'aws_instance',
      { metadata_options: [{ http_put_response_hop_limit: 2 }] },
      { metadata_options: [{ http_put_response_hop_limit: 1 }] },
    ],
  ])('gives no reason for %s %j → %j', (type, before, after) => {
    expect(judge('update', type, { before, after })).toEqual({});
  });

  test('that applies to replacements gives no reason on update', () => {
    const sides = { before: { ami: 'a' }, after: { ami: 'b' } };
    expect(judge('update', 'aws_instance', sides)).toEqual({});
    expect(judge('replace', 'aws_instance', sides)).toEqual({ 'R-ATTR-aws_instance.ami': 'high' });
  });

  test('is one level lower for a create-before-destroy replacement', () => {
    const sides = { before: { domain_name: 'a.example.com' }, after: { domain_name: 'b.example.com' } };
    const change = { ...buildChange('replace', 'aws_acm_certificate', sides), actions: ['create', 'delete'] };
    const { reasons } = findAttributeReasons(change, {
      accounts: new Set(),
      destroyed: new Set(),
      created: new Set(),
      owned: NO_OWNERSHIP,
      ordered: NO_LISTS,
      neighbors: NO_NEIGHBORS,
      powers: NO_POWERS,
      selectors: NO_SELECTORS,
      publishes: false,
      unguarded: false,
    });
    expect(reasons.map(({ level }) => level)).toEqual(['medium']);
    expect(judge('replace', 'aws_acm_certificate', sides)).toEqual({
      'R-ATTR-aws_acm_certificate.domain_name': 'high',
    });
  });

  test('does not count a replacement or a major upgrade as a weakening', () => {
    for (const [action, type, before, after] of [
      ['replace', 'aws_instance', { ami: 'a' }, { ami: 'b' }],
      ['update', 'aws_db_instance', { engine_version: '13.4' }, { engine_version: '14.1' }],
    ] as const) {
      const { change, reasons, weakens_high } = findings(action, type, { before, after });
      expect(reasons[0]!.level).toBe('high');
      expect(weakens_high).toBe(false);
      expect(change.diffs[0]!.direction).toBe('neutral');
    }
  });

  test('counts the downgrade of an engine as a weakening', () => {
    expect(
      findings('update', 'aws_eks_cluster', { before: { version: '1.29' }, after: { version: '1.28' } }),
    ).toMatchObject({ weakens_high: true });
  });

  test('gives one reason for several attributes, at its highest level', () => {
    const guard = (value: boolean) => ({
      bucket: 'b',
      block_public_acls: value,
      block_public_policy: value,
      ignore_public_acls: value,
      restrict_public_buckets: value,
    });
    const { reasons, change } = findings('update', 'aws_s3_bucket_public_access_block', {
      before: guard(true),
      after: guard(false),
    });
    expect(reasons).toHaveLength(1);
    expect(change.diffs.every(({ direction }) => direction === 'weakening')).toBe(true);
  });

  test('gives no reason when blocks are reordered', () => {
    const origin = (origin_id: string, origin_access_control_id: string) => ({ origin_id, origin_access_control_id });
    const before = { origin: [origin('a', 'x'), origin('b', '')] };
    expect(
      judge('update', 'aws_cloudfront_distribution', { before, after: { origin: [...before.origin].reverse() } }),
    ).toEqual({});
    expect(
      judge('update', 'aws_cloudfront_distribution', { before, after: { origin: [origin('b', ''), origin('a', '')] } }),
    ).toEqual({
      'R-ATTR-aws_cloudfront_distribution.origin.*.origin_access_control_id': 'high',
    });
  });

  test('has a message with the values unless they are sensitive or named like a secret', () => {
    const message = (type: string, before: JsonObject, after: JsonObject, sensitive?: JsonObject) =>
      findings('update', type, { before, after, ...(sensitive ? { sensitive } : {}) }).reasons[0]!.message;
    expect(message('aws_db_instance', { backup_retention_period: 7 }, { backup_retention_period: 0 })).toMatch(
      /backup_retention_period changes from 7 to 0/,
    );
    expect(
      message('aws_db_instance', { kms_key_id: 'key-one' }, { kms_key_id: 'key-two' }, { kms_key_id: true }),
    ).not.toContain('key-');
    expect(
      message('aws_elasticache_replication_group', { auth_token: 'hunter2hunter2' }, { auth_token: null }),
    ).not.toContain('hunter2');
  });
});

test('every row has valid resource types and a path of plain segments', () => {
  for (const { types, path } of ROWS) {
    expect(types.length).toBeGreaterThan(0);
    for (const type of types) expect(type).toMatch(/^[a-z]+_[a-z0-9_]+$/);
    expect(path).toMatch(/^[a-z0-9_]+(\.(\*|[a-z0-9_]+))*$/);
  }
});

describe('a reason states both values', () => {
  const isStated = (before: JsonObject, after: JsonObject, type = 'aws_ssm_parameter', sensitive?: { type: true }) =>
    findings('update', type, { before, after, ...(sensitive ? { sensitive } : {}) }).reasons[0]?.states_values;

  test('if its message contains them in full', () => {
    expect(isStated({ type: 'SecureString' }, { type: 'String' })).toBe(true);
    expect(isStated({ backup_retention_period: 7 }, { backup_retention_period: 0 }, 'aws_db_instance')).toBe(true);
  });

  test.each([
    ['are absent', { user_data: null }, { user_data: 'x' }],
    ['are long', { user_data: 'x' }, { user_data: 'y'.repeat(81) }],
    ['contain quotes', { user_data: 'x' }, { user_data: 'echo "x"' }],
  ])('but not if they %s', (_name, before, after) => {
    expect(findings('update', 'aws_instance', { before, after }).reasons).toHaveLength(1);
    expect(isStated(before, after, 'aws_instance')).toBeUndefined();
  });

  test('but not if they are withheld', () => {
    expect(isStated({ type: 'SecureString' }, { type: 'String' }, 'aws_ssm_parameter', { type: true })).toBeUndefined();
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject, RiskLevel } from '../../../../engine/model/result.ts';
import { judgeAlone, makeChange } from '../helpers.ts';
import { type LevelCase, testLevels } from './judging.ts';

describe('lifetimes of stored data', () => {
  testLevels([
    [
      'azurerm_cosmosdb_mongo_collection',
      { default_ttl_seconds: -1 },
      { default_ttl_seconds: 600 },
      'critical',
      'R-VAL-LIFETIME',
    ],
    ['azurerm_cosmosdb_cassandra_table', { default_ttl: 0 }, { default_ttl: 3600 }, 'critical', 'R-VAL-LIFETIME'],
    [
      'confluent_kafka_topic',
      { config: { 'retention.ms': '2592000000' } },
      { config: { 'retention.ms': '2592000' } },
      'critical',
      'R-VAL-LIFETIME',
    ],
    [
      'azurerm_servicebus_subscription',
      { default_message_ttl: 'P30D' },
      { default_message_ttl: 'PT30M' },
      'high',
      'R-VAL-LIFETIME',
    ],
    [
      'aws_sqs_queue',
      { message_retention_seconds: 1209600 },
      { message_retention_seconds: 120 },
      'high',
      'R-VAL-LIFETIME',
    ],
    [
      'google_pubsub_subscription',
      { expiration_policy: [{ ttl: '' }] },
      { expiration_policy: [{ ttl: '86400s' }] },
      'high',
      'R-VAL-LIFETIME',
    ],
    ['acme_collection', { record_expiry_days: 365 }, { record_expiry_days: 7 }, 'high', 'R-VAL-LIFETIME'],
    ['azurerm_servicebus_queue', { default_message_ttl: 'PT14H' }, { default_message_ttl: 'P14D' }, 'low'],
    [
      'google_pubsub_subscription',
      { expiration_policy: [{ ttl: '86400s' }] },
      { expiration_policy: [{ ttl: '' }] },
      'low',
    ],
    ['azurerm_cosmosdb_sql_container', { default_ttl: 3600 }, { default_ttl: -1 }, 'low'],
    [
      'confluent_kafka_topic',
      { config: { 'retention.ms': '604800000' } },
      { config: { 'retention.ms': '1209600000' } },
      'low',
    ],
    ['google_dns_record_set', { ttl: 3600 }, { ttl: 60 }, 'low'],
    ['aws_cloudfront_cache_policy', { default_ttl: 86400 }, { default_ttl: 60 }, 'low'],
  ]);
});

describe('fields that say when an item expires', () => {
  testLevels([
    ...['created_at', 'updatedAt', 'order_timestamp', 'lastLogin', 'received_on'].map(
      (attribute_name): LevelCase => [
        'aws_dynamodb_table',
        { ttl: [{ attribute_name: '', enabled: false }] },
        { ttl: [{ attribute_name, enabled: true }] },
        'critical',
        'R-VAL-LIFETIME',
      ],
    ),
    ...['expires_at', 'purge_after', 'ttl', 'deletedUntil'].map(
      (attribute_name): LevelCase => [
        'aws_dynamodb_table',
        { ttl: [{ attribute_name: '', enabled: false }] },
        { ttl: [{ attribute_name, enabled: true }] },
        'medium',
      ],
    ),
  ]);
});

describe('times at which an object deletes itself', () => {
  const date = '2031-04-01T00:00:00Z';
  testLevels([
    ['google_secret_manager_secret', { expire_time: '' }, { expire_time: date }, 'high', 'R-VAL-LIFETIME'],
    ['acme_database', { delete_at: null }, { delete_at: date }, 'high', 'R-VAL-LIFETIME'],
    ['acme_bucket', { expire_time: '2032-01-01T00:00:00Z' }, { expire_time: date }, 'high', 'R-VAL-LIFETIME'],
    ['google_secret_manager_secret', { expire_time: date }, { expire_time: '2035-01-01T00:00:00Z' }, 'low'],
    ['google_secret_manager_secret', { expire_time: date }, { expire_time: '' }, 'low'],
    ['azurerm_key_vault_secret', { expiration_date: null }, { expiration_date: date }, 'low'],
  ]);
});

describe('lifecycles', () => {
  const aws = (prefix: string, days: number) => ({
    rule: [{ id: 'x', status: 'Enabled', filter: [{ prefix }], expiration: [{ days }] }],
  });
  const google = (condition: JsonObject) => ({
    lifecycle_rule: [{ action: [{ type: 'Delete' }], condition: [condition] }],
  });
  testLevels([
    ['aws_s3_bucket_lifecycle_configuration', aws('tmp/', 3), aws('', 3), 'critical', 'R-STO-EXPIRE'],
    ['aws_s3_bucket_lifecycle_configuration', aws('tmp/', 365), aws('', 365), 'high', 'R-STO-EXPIRE'],
    [
      'google_storage_bucket',
      { lifecycle_rule: [] },
      google({ age: 0, with_state: 'ANY' }),
      'critical',
      'R-STO-EXPIRE',
    ],
    ['google_storage_bucket', { lifecycle_rule: [] }, google({ age: 7 }), 'critical', 'R-STO-EXPIRE'],
    [
      'google_storage_bucket',
      { lifecycle_rule: [] },
      google({ age: 7, matches_prefix: ['out/'] }),
      'high',
      'R-STO-EXPIRE',
    ],
    [
      'google_storage_bucket',
      { lifecycle_rule: [] },
      google({ num_newer_versions: 5, with_state: 'ARCHIVED' }),
      'medium',
      'R-STO-EXPIRE',
    ],
  ]);
});

describe('deletions', () => {
  const deleted = (type: string, before: JsonObject) => judgeAlone(makeChange(type, 'delete', [before, null])).level;

  test.each<[string, JsonObject, RiskLevel]>([
    ['aws_secretsmanager_secret', { recovery_window_in_days: 14 }, 'medium'],
    ['aws_secretsmanager_secret', { recovery_window_in_days: 0 }, 'critical'],
    ['aws_db_instance', { skip_final_snapshot: false, final_snapshot_identifier: 'last' }, 'high'],
    ['aws_rds_cluster', { skip_final_snapshot: true, final_snapshot_identifier: 'last' }, 'critical'],
    ['aws_kms_key', { deletion_window_in_days: 30 }, 'critical'],
    ['google_sql_database', { deletion_policy: 'ABANDON' }, 'medium'],
    ['aws_cloudwatch_log_group', { skip_destroy: true }, 'medium'],
    ['acme_tenant', { purge_data_on_destroy: true }, 'critical'],
    ['acme_workspace', { delete_all_records: true }, 'critical'],
    ['acme_space', { wipe_volumes: true }, 'critical'],
    ['acme_tenant', { purge_data_on_destroy: false }, 'medium'],
    ['acme_tenant', { delete_protection: true }, 'medium'],
    ['acme_datastore', { engine: 'postgres' }, 'critical'],
    ['acme_keyspace', {}, 'critical'],
    ['acme_object_store', {}, 'critical'],
    ['acme_register', { record_count: 182_301 }, 'critical'],
    ['acme_shelf', { objectCount: 4 }, 'critical'],
    ['acme_case_file', { document_count: 71 }, 'critical'],
    ['acme_space', { used_bytes: 41_200 }, 'critical'],
    ['acme_pod_volume_claim', { used_gib: 12 }, 'critical'],
    ['acme_register', { record_count: 0 }, 'medium'],
    ['acme_pool', { node_count: 4 }, 'medium'],
    ['acme_plan', { storage_gb: 0 }, 'medium'],
    ['acme_register', { record_count: 5, deletion_policy: 'ABANDON' }, 'medium'],
  ])('of %s %j is %s', (type, before, level) => {
    expect(deleted(type, before)).toBe(level);
  });
});

describe('records that are evidence', () => {
  testLevels([
    ['acme_audit_trail', { retention_in_days: 2555 }, { retention_in_days: 90 }, 'high', 'R-VAL-LIFETIME'],
    ['acme_audit_log', { retention_days: 365 }, { retention_days: 30 }, 'high', 'R-VAL-LIFETIME'],
    ['acme_ledger', { retention: '365d' }, { retention: '14d' }, 'high', 'R-VAL-LIFETIME'],
    ['acme_audit_trail', { retention_in_days: 2555 }, { retention_in_days: 1825 }, 'medium', 'R-VAL-LIFETIME'],
    ['acme_audit_trail', { retention_in_days: 90 }, { retention_in_days: 2555 }, 'low'],
    ['acme_access_log', { retention_days: 365 }, { retention_days: 7 }, 'high', 'R-VAL-LIFETIME'],
    ['acme_access_log', { retention_days: 365 }, { retention_days: 30 }, 'medium', 'R-VAL-LIFETIME'],
  ]);
});

describe('an expiration of temporary objects', () => {
  const rule = (prefix: string, days: number | null) => ({
    rule: [{ id: 'sweep', status: 'Enabled', filter: [{ prefix }], expiration: days === null ? [] : [{ days }] }],
  });
  testLevels([
    ['aws_s3_bucket_lifecycle_configuration', rule('tmp/', null), rule('tmp/', 14), 'low'],
    ['aws_s3_bucket_lifecycle_configuration', rule('jobs/tmp/', 30), rule('jobs/tmp/', 1), 'low'],
    ['aws_s3_bucket_lifecycle_configuration', rule('scratch/', null), rule('scratch/', 1), 'low'],
    ['aws_s3_bucket_lifecycle_configuration', rule('invoices/', null), rule('invoices/', 14), 'high'],
    ['aws_s3_bucket_lifecycle_configuration', rule('tmp-archive/', null), rule('tmp-archive/', 14), 'high'],
  ]);
});

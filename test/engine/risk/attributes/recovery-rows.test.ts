import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judge } from './judging.ts';

type Case = [type: string, safe: JsonObject, dangerous: JsonObject, rule: string, level: string];

const backups = (retained_backups: number) => ({
  settings: [{ backup_configuration: [{ backup_retention_settings: [{ retained_backups }] }] }],
});
const retain = (count: number) => ({ policy_details: [{ schedule: [{ retain_rule: [{ count }] }] }] });
const keep = (delete_after: number) => ({ rule: [{ rule_name: 'daily', lifecycle: [{ delete_after }] }] });

const BACKUPS: Case[] = [
  [
    'aws_elasticache_replication_group',
    { snapshot_retention_limit: 7 },
    { snapshot_retention_limit: 5 },
    'R-DB-BACKUP',
    'medium',
  ],
  ['aws_memorydb_cluster', { snapshot_retention_limit: 7 }, { snapshot_retention_limit: 0 }, 'R-DB-BACKUP', 'high'],
  [
    'aws_redshift_cluster',
    { automated_snapshot_retention_period: 7 },
    { automated_snapshot_retention_period: 0 },
    'R-DB-BACKUP',
    'high',
  ],
  [
    'aws_fsx_windows_file_system',
    { automatic_backup_retention_days: 30 },
    { automatic_backup_retention_days: 7 },
    'R-DB-BACKUP',
    'medium',
  ],
  [
    'aws_efs_backup_policy',
    { backup_policy: [{ status: 'ENABLED' }] },
    { backup_policy: [{ status: 'DISABLED' }] },
    'R-DB-BACKUP',
    'high',
  ],
  ['aws_rds_cluster', { backtrack_window: 86400 }, { backtrack_window: 0 }, 'R-DB-BACKUP', 'medium'],
  ['aws_backup_plan', keep(35), keep(14), 'R-DB-BACKUP', 'medium'],
  ['aws_dlm_lifecycle_policy', { state: 'ENABLED' }, { state: 'DISABLED' }, 'R-DB-BACKUP', 'high'],
  ['aws_dlm_lifecycle_policy', retain(14), retain(7), 'R-DB-BACKUP', 'medium'],
  [
    'azurerm_backup_policy_vm',
    { retention_daily: [{ count: 30 }] },
    { retention_daily: [{ count: 7 }] },
    'R-DB-BACKUP',
    'medium',
  ],
  [
    'azurerm_backup_policy_vm',
    { retention_yearly: [{ count: 7, months: ['January'] }] },
    { retention_yearly: [] },
    'R-DB-BACKUP',
    'medium',
  ],
  [
    'azurerm_mssql_database',
    { short_term_retention_policy: [{ retention_days: 35 }] },
    { short_term_retention_policy: [{ retention_days: 7 }] },
    'R-DB-BACKUP',
    'medium',
  ],
  [
    'azurerm_mssql_database',
    { long_term_retention_policy: [{ weekly_retention: 'P4W' }] },
    { long_term_retention_policy: [] },
    'R-DB-BACKUP',
    'medium',
  ],
  [
    'azurerm_cosmosdb_account',
    { backup: [{ type: 'Periodic', retention_in_hours: 24 }] },
    { backup: [{ type: 'Periodic', retention_in_hours: 8 }] },
    'R-DB-BACKUP',
    'medium',
  ],
  [
    'azurerm_redis_cache',
    { redis_configuration: [{ rdb_backup_enabled: true }] },
    { redis_configuration: [{ rdb_backup_enabled: false }] },
    'R-DB-BACKUP',
    'high',
  ],
  ['google_sql_database_instance', backups(30), backups(3), 'R-DB-BACKUP', 'high'],
  [
    'google_alloydb_cluster',
    { continuous_backup_config: [{ enabled: true }] },
    { continuous_backup_config: [{ enabled: false }] },
    'R-DB-BACKUP',
    'high',
  ],
  [
    'google_firestore_database',
    { point_in_time_recovery_enablement: 'POINT_IN_TIME_RECOVERY_ENABLED' },
    { point_in_time_recovery_enablement: 'POINT_IN_TIME_RECOVERY_DISABLED' },
    'R-DB-BACKUP',
    'high',
  ],
];

const GUARDS: Case[] = [
  [
    'google_sql_database_instance',
    { settings: [{ deletion_protection_enabled: true }] },
    { settings: [{ deletion_protection_enabled: false }] },
    'R-DEL-PROTECT',
    'high',
  ],
  [
    'google_firestore_database',
    { delete_protection_state: 'DELETE_PROTECTION_ENABLED' },
    { delete_protection_state: 'DELETE_PROTECTION_DISABLED' },
    'R-DEL-PROTECT',
    'high',
  ],
  [
    'google_spanner_database',
    { enable_drop_protection: true },
    { enable_drop_protection: false },
    'R-DEL-PROTECT',
    'high',
  ],
  [
    'google_storage_bucket',
    { soft_delete_policy: [{ retention_duration_seconds: 604800 }] },
    { soft_delete_policy: [{ retention_duration_seconds: 0 }] },
    'R-STO-VERSIONING',
    'high',
  ],
  [
    'azurerm_postgresql_flexible_server',
    { high_availability: [{ mode: 'ZoneRedundant' }] },
    { high_availability: [] },
    'R-DB-MULTIAZ',
    'medium',
  ],
  [
    'google_alloydb_instance',
    { availability_type: 'REGIONAL' },
    { availability_type: 'ZONAL' },
    'R-DB-MULTIAZ',
    'medium',
  ],
];

const EXPIRY: Case[] = [
  [
    'google_bigquery_dataset',
    { default_table_expiration_ms: null },
    { default_table_expiration_ms: 3_600_000 },
    'R-STO-EXPIRE',
    'medium',
  ],
  [
    'google_bigquery_table',
    { time_partitioning: [{ type: 'DAY', expiration_ms: 31_536_000_000 }] },
    { time_partitioning: [{ type: 'DAY', expiration_ms: 86_400_000 }] },
    'R-STO-EXPIRE',
    'high',
  ],
  ['aws_dynamodb_table', { ttl: [{ enabled: false }] }, { ttl: [{ enabled: true }] }, 'R-STO-EXPIRE', 'medium'],
];

const KEYS: Case[] = [
  [
    'google_kms_crypto_key_version',
    { state: 'ENABLED' },
    { state: 'DISABLED' },
    'R-ATTR-google_kms_crypto_key_version.state',
    'high',
  ],
  [
    'google_secret_manager_secret_version',
    { enabled: true },
    { enabled: false },
    'R-ATTR-google_secret_manager_secret_version.enabled',
    'high',
  ],
];

describe.each([
  ['a backup setting', BACKUPS],
  ['a protection against data loss', GUARDS],
  ['an expiration setting', EXPIRY],
  ['a key or secret', KEYS],
])('%s', (_name, cases) => {
  test.each(cases)('%s: changing %j to %j is reported by %s at level %s', (type, safe, dangerous, rule, level) => {
    expect(judge('update', type, { before: safe, after: dangerous })).toEqual({ [rule]: level });
  });

  test.each(cases)(
    '%s gives no reason for the reverse change or without a change',
    (type, safe, dangerous, _rule, _level) => {
      expect(judge('update', type, { before: dangerous, after: safe })).toEqual({});
      expect(judge('update', type, { before: dangerous, after: dangerous })).toEqual({});
    },
  );
});

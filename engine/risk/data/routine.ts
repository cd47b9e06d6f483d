/** Attributes that are changed every day: what they say is how fast, how much or which release, not who or what for. */

/** Names of leaves, wherever they stand. */
export const ROUTINE_NAMES = new Set([
  // releases
  'image',
  's3_key',
  's3_object_version',
  'source_code_hash',
  'package_type',
  'app_version',
  // pace
  'ack_deadline_seconds',
  'delay_seconds',
  'max_delivery_attempts',
  'maximum_backoff',
  'minimum_backoff',
  'receive_wait_time_seconds',
  'timeout',
  'timeout_seconds',
  'visibility_timeout_seconds',
  // how messages are gathered and handed on
  'batched_operations_enabled',
  'buffering_interval',
  'buffering_size',
  'duplicate_detection_history_time_window',
  'lock_duration',
  'max_delivery_count',
  // windows
  'backup_window',
  'maintenance_window',
  'preferred_backup_window',
  'preferred_maintenance_window',
  'snapshot_window',
  // what is measured, and how content is delivered
  'compress',
  'connection_attempts',
  'connection_timeout',
  'daily_data_cap_in_gb',
  'default_ttl',
  'enhanced_monitoring',
  'http_version',
  'max_ttl',
  'min_ttl',
  'monitoring_interval',
  'origin_keepalive_timeout',
  'origin_read_timeout',
  'price_class',
  'response_completion_timeout',
  'sampling_percentage',
  // what people see of a repository
  'allow_auto_merge',
  'allow_merge_commit',
  'allow_rebase_merge',
  'allow_squash_merge',
  'allow_update_branch',
  'delete_branch_on_merge',
  'has_discussions',
  'has_downloads',
  'has_issues',
  'has_projects',
  'has_wiki',
  'homepage_url',
  'merge_commit_message',
  'merge_commit_title',
  'squash_merge_commit_message',
  'squash_merge_commit_title',
  'topics',
]);

/** Numbers under these names are capacity, or time that something is kept: more of it takes nothing away. */
export const GROWING_NAME =
  /(?:^|_)(?:capacity|concurrency|cpu|days|instances|iops|memory|replicas|retention|size|storage|throughput|workers)(?:_|$)|(?:^|_)(?:min|max|desired|node|worker|instance|shard|partition)_(?:[a-z]{1,20}_)?count$/;

/** Where a type holds the value of a secret, which is renewed in place. */
export const SECRET_VALUES = new Map([
  ['aws_secretsmanager_secret_version', 'secret_string'],
  ['aws_ssm_parameter', 'value'],
  ['azurerm_key_vault_secret', 'value'],
  ['github_actions_environment_secret', 'plaintext_value'],
  ['github_actions_organization_secret', 'plaintext_value'],
  ['github_actions_secret', 'plaintext_value'],
  ['google_secret_manager_secret_version', 'secret_data'],
  ['kubernetes_secret', 'data'],
  ['kubernetes_secret_v1', 'data'],
  ['vault_generic_secret', 'data_json'],
  ['vault_kv_secret', 'data_json'],
  ['vault_kv_secret_v2', 'data_json'],
]);

/** Lists that are only added to without touching what is there, by type. */
export const ADDED_TO = new Map([
  ['aws_dynamodb_table', new Set(['attribute', 'global_secondary_index'])],
  ['azurerm_container_registry', new Set(['georeplications'])],
  ['google_bigquery_table', new Set(['schema'])],
  ['google_spanner_database', new Set(['ddl'])],
]);

/** Attributes that are changed routinely: timing, capacity and releases, but not access or purpose. */

/** Names of leaf attributes, at any depth. */
export const ROUTINE_NAMES = new Set([
  // releases
  'image',
  's3_key',
  's3_object_version',
  'source_code_hash',
  'package_type',
  'app_version',
  // timing
  'ack_deadline_seconds',
  'delay_seconds',
  'max_delivery_attempts',
  'maximum_backoff',
  'minimum_backoff',
  'receive_wait_time_seconds',
  'timeout',
  'timeout_seconds',
  'visibility_timeout_seconds',
  // batching and delivery of messages
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
  // monitoring and content delivery
  'compress',
  'connection_attempts',
  'connection_timeout',
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
  // appearance and merge options of a repository
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

/** Numbers under these names are capacity or retention: a higher value removes nothing. */
export const GROWING_NAME =
  /(?:^|_)(?:capacity|concurrency|cpu|days|instances|iops|memory|replicas|retention|size|storage|throughput|workers)(?:_|$)|(?:^|_)(?:min|max|desired|node|worker|instance|shard|partition)_(?:[a-z]{1,20}_)?count$/;

/** The attribute that holds the value of a secret, by type. */
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

/** The attributes that hold a plain setting which programs read, by type. */
export const SETTING_VALUES = new Map([
  ['aws_ssm_parameter', new Set(['value', 'insecure_value'])],
  ['azurerm_app_configuration_key', new Set(['value'])],
  ['cloudflare_workers_kv', new Set(['value'])],
  ['consul_keys', new Set(['key'])],
  ['consul_key_prefix', new Set(['subkeys', 'subkey'])],
  ['github_actions_variable', new Set(['value'])],
  ['gitlab_project_variable', new Set(['value'])],
  ['google_parameter_manager_parameter_version', new Set(['parameter_data'])],
  ['google_runtimeconfig_variable', new Set(['text', 'value'])],
  ['vercel_project_environment_variable', new Set(['value'])],
]);

/** Attributes where adding an entry does not affect existing entries, by type. */
export const ADDED_TO = new Map([
  ['aws_dynamodb_table', new Set(['attribute', 'global_secondary_index'])],
  ['azurerm_container_registry', new Set(['georeplications'])],
  ['google_bigquery_table', new Set(['schema'])],
  ['google_spanner_database', new Set(['ddl'])],
]);

import { describe, expect, test } from '@jest/globals';
import { findEffect } from '../../../engine/effects/index.ts';

describe('findEffect', () => {
  test.each([
    ['aws_db_instance', 'deletion_protection', 'guard', 'true'],
    ['aws_db_instance', 'skip_final_snapshot', 'destructive', 'false'],
    ['aws_db_instance', 'backup_retention_period', 'retention', 'more'],
    ['aws_db_instance', 'publicly_accessible', 'exposure', 'false'],
    ['aws_db_instance', 'tags', 'metadata', null],
    ['aws_lb', 'enable_waf_fail_open', 'guard', 'false'],
    ['aws_instance', 'metadata_options.0.http_tokens', 'exposure', ['optional', 'required']],
    ['aws_cloudtrail', 'is_multi_region_trail', 'observability', 'true'],
    ['aws_cloudwatch_metric_alarm', 'alarm_actions', 'observability', 'extend'],
    ['google_storage_bucket', 'public_access_prevention', 'exposure', ['inherited', 'enforced']],
    ['google_cloud_scheduler_job', 'paused', 'schedule', 'false'],
    ['google_sql_database_instance', 'settings.0.ip_configuration.0.ipv4_enabled', 'exposure', 'false'],
    ['azurerm_storage_account', 'shared_access_key_enabled', 'identity', 'false'],
    ['azurerm_key_vault', 'soft_delete_retention_days', 'retention', 'more'],
    ['kubernetes_deployment_v1', 'spec.0.replicas', 'capacity', 'more'],
    ['kubernetes_deployment', 'spec.0.template.0.spec.0.host_network', 'exposure', 'false'],
    ['helm_release', 'atomic', 'disruptive', 'true'],
    ['github_branch_protection', 'enforce_admins', 'guard', 'true'],
    ['gitlab_project', 'only_allow_merge_if_pipeline_succeeds', 'guard', 'true'],
    ['cloudflare_bot_management', 'fight_mode', 'guard', 'true'],
    ['datadog_monitor', 'notify_no_data', 'observability', 'true'],
    ['okta_policy_password', 'password_min_length', 'guard', 'more'],
    ['auth0_attack_protection', 'brute_force_protection.0.max_attempts', 'guard', 'less'],
    ['snowflake_network_policy', 'allowed_ip_list', 'exposure', 'restrict'],
    ['vault_transit_secret_backend_key', 'exportable', 'encryption', 'false'],
    ['mongodbatlas_advanced_cluster', 'termination_protection_enabled', 'guard', 'true'],
    ['confluent_kafka_cluster', 'availability', 'capacity', ['SINGLE_ZONE', 'MULTI_ZONE']],
    ['pagerduty_escalation_policy', 'num_loops', 'observability', 'more'],
    ['fastly_service_vcl', 'force_destroy', 'destructive', 'false'],
    ['postgresql_role', 'superuser', 'identity', 'false'],
  ] as const)('%s.%s is %s, safe at %j', (type, path, effect, safe_end) => {
    expect(findEffect(type, path)).toMatchObject({ effect, safe_end, inferred: false });
  });

  test('ignores indexes in a path of segments', () => {
    const path = ['metadata_options', 0, 'http_tokens'];

    expect(findEffect('aws_instance', path)).toEqual(findEffect('aws_instance', 'metadata_options.http_tokens'));
  });

  test('finds the argument that holds a map or a document', () => {
    expect(findEffect('aws_instance', 'tags["password"]')?.effect).toBe('metadata');
    expect(findEffect('aws_iam_role', ['assume_role_policy', 'Statement', 0, 'Principal'])?.effect).toBe('identity');
  });

  test('reports the number that means unlimited', () => {
    expect(findEffect('aws_cloudwatch_log_group', 'retention_in_days')?.sentinel).toEqual({ value: 0, as: 'most' });
  });

  test.each([
    ['aws_no_such_type', 'name'],
    ['aws_db_instance', 'no_such_argument'],
    ['acme_bucket', 'public'],
    ['aws_db_instance', ''],
    ['', 'name'],
    ['constructor_x', 'name'],
  ])('has no effect for %s.%s', (type, path) => {
    expect(findEffect(type, path)).toBeUndefined();
  });
});

describe('arguments that do the same in every type', () => {
  test.each([
    ['google_dns_record_set', 'ttl', 'tuning'],
    ['azurerm_dns_a_record', 'ttl', 'tuning'],
    ['azurerm_private_dns_cname_record', 'ttl', 'tuning'],
    ['cloudflare_dns_record', 'ttl', 'tuning'],
    ['azurerm_key_vault_secret', 'expiration_date', 'schedule'],
    ['azurerm_key_vault_key', 'expiration_date', 'schedule'],
    ['azurerm_key_vault_secret', 'content_type', 'metadata'],
    ['digitalocean_spaces_bucket_object', 'content_type', 'tuning'],
    ['azurerm_api_management_api_schema', 'content_type', 'tuning'],
    ['github_repository', 'topics', 'metadata'],
    ['azurerm_mssql_server', 'resource_group_name', 'disruptive'],
  ])('%s.%s is %s', (type, name, effect) => expect(findEffect(type, [name])?.effect).toBe(effect));

  test.each([
    ['vault_token_auth_backend_role', 'token_ttl', 'identity'],
    ['aws_dynamodb_table', 'ttl', 'retention'],
    ['lambda_x', 'topics', undefined],
  ])('%s.%s stays %s', (type, name, effect) => {
    const found = findEffect(type, [name])?.effect;
    if (found !== undefined || effect === undefined) expect(found).toBe(effect);
  });
});

test('a type with characters of no schema name has no arguments', () => {
  expect(findEffect('aws_instance=1 x', ['ami'])).toBeUndefined();
});

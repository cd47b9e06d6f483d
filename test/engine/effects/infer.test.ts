import { describe, expect, test } from '@jest/globals';
import { inferEffect } from '../../../engine/effects/index.ts';

describe('inferEffect', () => {
  test.each([
    // made-up providers
    ['acme_bucket', 'public_access', true, 'exposure', 'false'],
    ['acme_bucket', 'block_public_access', true, 'exposure', 'true'],
    ['acme_bucket', 'force_destroy', true, 'destructive', 'false'],
    ['acme_bucket', 'versioning_enabled', true, 'retention', 'true'],
    ['acme_bucket', 'versioning.0.enabled', true, 'retention', 'true'],
    ['acme_bucket', 'encryption.0.kms_key_id', 'key', 'encryption', 'set'],
    ['acme_bucket', 'labels.password', 'x', 'metadata', null],
    ['acme_database', 'deletionProtection', true, 'guard', 'true'],
    ['acme_database', 'backup_retention_days', 7, 'retention', 'more'],
    ['acme_database', 'skip_final_backup', true, 'destructive', 'false'],
    ['acme_database', 'allowed_cidrs', ['10.0.0.0/8'], 'exposure', 'restrict'],
    ['acme_database', 'denied_ips', ['10.0.0.1'], 'exposure', 'extend'],
    ['acme_database', 'require_ssl', true, 'encryption', 'true'],
    ['acme_database', 'admin_password', 'x', 'secret', null],
    ['acme_database', 'replica_count', 2, 'capacity', 'more'],
    ['acme_database', 'engine_version', '14.2', 'version', null],
    ['acme_database', 'maintenance_window', 'sun', 'schedule', null],
    ['acme_database', 'high_availability', true, 'capacity', 'true'],
    ['acme_server', 'enable_monitoring', true, 'observability', 'true'],
    ['acme_server', 'disable_logging', true, 'observability', 'false'],
    ['acme_server', 'tags', ['a'], 'metadata', null],
    ['acme_server', 'description', 'x', 'description', null],
    ['acme_server', 'user_data', 'x', 'data_path', null],
    ['acme_server', 'insecure_skip_verify', true, 'encryption', 'false'],
    ['acme_server', 'apply_immediately', true, 'disruptive', 'false'],
    ['acme_server', 'timeouts.0.delete', '5m', 'tuning', null],
    ['acme_user', 'mfa_required', true, 'guard', 'true'],
    ['acme_user', 'is_admin', true, 'identity', 'false'],
    ['acme_user', 'roles', ['reader'], 'identity', 'restrict'],
    ['acme_user', 'session_duration', 3600, 'identity', 'less'],
    ['acme_user', 'permissions_boundary_arn', 'arn', 'identity', 'set'],
    ['acme_policy', 'minimum_password_length', 12, 'guard', 'more'],
    ['acme_policy', 'max_login_attempts', 5, 'guard', 'less'],
    ['acme_alert', 'recipients', ['a@example.com'], 'observability', 'extend'],
    ['acme_alert', 'muted', true, 'observability', 'false'],
    ['acme_alarm', 'enabled', true, 'observability', 'true'],
    ['acme_cron_job', 'suspend', true, 'schedule', 'false'],
    ['acme_route', 'next_hop', '10.0.0.1', 'routing', null],
    ['acme_widget', 'frobnicate', 'x', 'unknown', null],
    // real providers that the table does not have
    ['hcloud_server', 'delete_protection', true, 'guard', 'true'],
    ['hcloud_server', 'rebuild_protection', true, 'guard', 'true'],
    ['hcloud_server', 'backups', true, 'retention', 'true'],
    ['hcloud_firewall', 'rule.0.source_ips', ['0.0.0.0/0'], 'exposure', 'restrict'],
    ['linode_instance', 'backups_enabled', true, 'retention', 'true'],
    ['linode_instance', 'watchdog_enabled', true, 'unknown', null],
    ['oci_objectstorage_bucket', 'access_type', 'ObjectRead', 'unknown', null],
    ['oci_identity_user_capabilities_management', 'can_use_api_keys', true, 'secret', null],
    ['oci_core_security_list', 'ingress_security_rules.0.source', '0.0.0.0/0', 'exposure', null],
    ['alicloud_db_instance', 'deletion_protection', true, 'guard', 'true'],
    ['alicloud_oss_bucket', 'acl', 'public-read', 'exposure', null],
    ['alicloud_kms_key', 'automatic_rotation', true, 'encryption', 'true'],
    ['aiven_pg', 'termination_protection', true, 'guard', 'true'],
    ['aiven_kafka_topic', 'config.0.retention_ms', '1000', 'retention', 'more'],
    ['artifactory_local_repository', 'archive_browsing_enabled', true, 'retention', 'true'],
    ['consul_acl_policy', 'rules', 'x', 'exposure', null],
    ['docker_container', 'privileged', true, 'guard', 'false'],
    ['elasticstack_elasticsearch_security_user', 'password', 'x', 'secret', null],
    ['grafana_contact_point', 'email.0.addresses', ['a@example.com'], 'observability', null],
    ['keycloak_realm', 'brute_force_detection', true, 'guard', 'true'],
    ['nomad_job', 'purge_on_destroy', true, 'destructive', 'false'],
    ['opsgenie_escalation', 'rules.0.delay', 5, 'observability', null],
    ['rabbitmq_permissions', 'permissions.0.write', '.*', 'identity', null],
    ['sentry_project', 'digests_max_delay', 30, 'tuning', null],
    ['spacelift_stack', 'protect_from_deletion', true, 'guard', 'true'],
    ['spacelift_stack', 'autodeploy', true, 'unknown', null],
    ['tailscale_tailnet_key', 'ephemeral', true, 'retention', 'false'],
    ['vercel_project', 'git_repository', 'a/b', 'data_path', null],
  ])('%s.%s = %j is %s, safe at %s', (type, path, value, effect, safe_end) => {
    expect(inferEffect(type, path, value)).toEqual({ effect, safe_end, sentinel: null, inferred: true });
  });

  test('knows no safe end without a value', () => {
    expect(inferEffect('acme_bucket', 'public_access')).toMatchObject({ effect: 'exposure', safe_end: null });
  });

  test('reads names in snake case, camel case and with hyphens alike', () => {
    const names = ['deletion_protection', 'deletionProtection', 'deletion-protection'];

    for (const name of names) expect(inferEffect('acme_x', name, true)).toMatchObject({ effect: 'guard' });
  });
});

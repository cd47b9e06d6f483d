import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

const has = (type: string, path: string, level: string) => ({ [`R-ATTR-${type}.${path}`]: level });

type Case = [type: string, path: string, level: string, before: JsonObject, after: JsonObject];

/** Each change is dangerous, and its opposite is safe. */
const CASES: Case[] = [
  ['github_repository_environment', 'wait_timer', 'medium', { wait_timer: 30 }, { wait_timer: 0 }],
  [
    'gitlab_project_level_mr_approvals',
    'merge_requests_author_approval',
    'high',
    { merge_requests_author_approval: false },
    { merge_requests_author_approval: true },
  ],
  ['bitbucket_branch_restriction', 'value', 'high', { value: 2 }, { value: 1 }],
  [
    'azuredevops_check_approval',
    'requester_can_approve',
    'high',
    { requester_can_approve: false },
    { requester_can_approve: true },
  ],
  ['cloudflare_load_balancer_pool', 'monitor', 'high', { monitor: 'm1' }, { monitor: null }],
  [
    'fastly_service_vcl',
    'rate_limiter.*.action',
    'high',
    { rate_limiter: [{ name: 'a', action: 'response' }] },
    { rate_limiter: [{ name: 'a', action: 'log_only' }] },
  ],
  ['akamai_gtm_property', 'handout_limit', 'medium', { handout_limit: 8 }, { handout_limit: 1 }],
  [
    'newrelic_workflow',
    'muting_rules_handling',
    'medium',
    { muting_rules_handling: 'NOTIFY_ALL_ISSUES' },
    { muting_rules_handling: 'DONT_NOTIFY_FULLY_MUTED_ISSUES' },
  ],
  [
    'grafana_rule_group',
    'rule.*.no_data_state',
    'medium',
    { rule: [{ name: 'a', no_data_state: 'Alerting' }] },
    { rule: [{ name: 'a', no_data_state: 'OK' }] },
  ],
  [
    'opsgenie_escalation',
    'repeat.*.close_alert_after_all',
    'high',
    { repeat: [{ close_alert_after_all: false }] },
    { repeat: [{ close_alert_after_all: true }] },
  ],
  ['sentry_key', 'rate_limit_window', 'high', { rate_limit_window: 60 }, { rate_limit_window: 3600 }],
  ['honeycombio_slo', 'target_percentage', 'medium', { target_percentage: 99.9 }, { target_percentage: 99 }],
  ['splunk_indexes', 'cold_to_frozen_dir', 'high', { cold_to_frozen_dir: '/archive' }, { cold_to_frozen_dir: null }],
  ['elasticstack_elasticsearch_snapshot_lifecycle', 'partial', 'medium', { partial: false }, { partial: true }],
  ['okta_app_signon_policy_rule', 'factor_mode', 'high', { factor_mode: '2FA' }, { factor_mode: '1FA' }],
  ['auth0_guardian', 'policy', 'high', { policy: 'all-applications' }, { policy: 'never' }],
  [
    'keycloak_authentication_execution',
    'requirement',
    'high',
    { requirement: 'REQUIRED' },
    { requirement: 'ALTERNATIVE' },
  ],
  ['snowflake_user', 'mins_to_bypass_mfa', 'high', { mins_to_bypass_mfa: 0 }, { mins_to_bypass_mfa: 240 }],
  [
    'databricks_workspace_conf',
    'custom_config.enableIpAccessLists',
    'high',
    { custom_config: { enableIpAccessLists: 'true' } },
    { custom_config: { enableIpAccessLists: 'false' } },
  ],
  [
    'mongodbatlas_cloud_backup_schedule',
    'restore_window_days',
    'high',
    { restore_window_days: 7 },
    { restore_window_days: 2 },
  ],
  ['confluent_kafka_acl', 'operation', 'high', { operation: 'READ' }, { operation: 'ALL' }],
  ['aiven_kafka_topic', 'replication', 'high', { replication: 3 }, { replication: 2 }],
  ['mysql_user', 'tls_option', 'high', { tls_option: 'SSL' }, { tls_option: 'NONE' }],
  [
    'rabbitmq_policy',
    'policy.*.definition.max-length',
    'high',
    { policy: [{ definition: { 'max-length': 10_000 } }] },
    { policy: [{ definition: { 'max-length': 100 } }] },
  ],
  ['vault_ssh_secret_backend_role', 'allowed_users', 'critical', { allowed_users: 'ubuntu' }, { allowed_users: '*' }],
  ['consul_acl_binding_rule', 'selector', 'critical', { selector: 'value.ns==web' }, { selector: '' }],
  [
    'boundary_target',
    'enable_session_recording',
    'high',
    { enable_session_recording: true },
    { enable_session_recording: false },
  ],
  ['tfe_policy_set', 'overridable', 'high', { overridable: false }, { overridable: true }],
  ['spacelift_stack', 'autodeploy', 'high', { autodeploy: false }, { autodeploy: true }],
  ['launchdarkly_environment', 'secure_mode', 'high', { secure_mode: true }, { secure_mode: false }],
  ['twingate_resource', 'approval_mode', 'high', { approval_mode: 'MANUAL' }, { approval_mode: 'AUTOMATIC' }],
  ['zpa_application_segment', 'bypass_type', 'high', { bypass_type: 'NEVER' }, { bypass_type: 'ALWAYS' }],
  [
    'linode_database_mysql',
    'replication_type',
    'high',
    { replication_type: 'semi_synch' },
    { replication_type: 'none' },
  ],
  [
    'scaleway_rdb_instance',
    'backup_schedule_retention',
    'high',
    { backup_schedule_retention: 14 },
    { backup_schedule_retention: 1 },
  ],
  [
    'oci_mysql_mysql_db_system',
    'crash_recovery',
    'critical',
    { crash_recovery: 'ENABLED' },
    { crash_recovery: 'DISABLED' },
  ],
  [
    'vsphere_compute_cluster',
    'ha_host_monitoring',
    'high',
    { ha_host_monitoring: 'enabled' },
    { ha_host_monitoring: 'disabled' },
  ],
  [
    'harbor_retention_policy',
    'rule.*.most_recently_pushed',
    'high',
    { rule: [{ most_recently_pushed: 50 }] },
    { rule: [{ most_recently_pushed: 5 }] },
  ],
  ['xray_watch', 'active', 'high', { active: true }, { active: false }],
  ['airbyte_connection', 'status', 'high', { status: 'active' }, { status: 'inactive' }],
];

describe('moves of software services', () => {
  test.each(CASES)('%s: %s gets a reason at level %s, and the opposite none', (type, path, level, before, after) => {
    expect(judge('update', type, { before, after })).toMatchObject(has(type, path, level));
    expect(judge('update', type, { before: after, after: before })).not.toHaveProperty([`R-ATTR-${type}.${path}`]);
  });

  test.each(CASES)('%s: a new resource is not judged by %s', (type, path, _level, _before, after) => {
    expect(judge('create', type, { after })).not.toHaveProperty([`R-ATTR-${type}.${path}`]);
  });

  test('a bypass of the login is critical only if everyone is included', () => {
    const policy = (decision: string, include: JsonObject) => ({ decision, include: [include] });
    const rate = (include: JsonObject) =>
      judge('update', 'cloudflare_access_policy', {
        before: policy('allow', include),
        after: policy('bypass', include),
      });
    const id = 'R-ATTR-cloudflare_access_policy.decision';
    expect(rate({ everyone: true })).toMatchObject({ [id]: 'critical' });
    expect(rate({ ip: ['192.0.2.0/24'] })).not.toHaveProperty([id]);
  });

  test('a star is a star and not any value', () => {
    const type = 'keycloak_openid_client';
    const change = (uris: string[]) =>
      judge('update', type, {
        before: { valid_redirect_uris: ['https://a.example/cb'] },
        after: { valid_redirect_uris: uris },
      });
    expect(change(['https://a.example/cb', '*'])).toMatchObject(has(type, 'valid_redirect_uris', 'critical'));
    expect(change(['https://a.example/cb', '/login'])).not.toHaveProperty([`R-ATTR-${type}.valid_redirect_uris`]);
  });

  test('a first address on a list that admitted everyone is a limit, not a gain', () => {
    const [before, after] = [{ allowed_ip_list: [] }, { allowed_ip_list: ['192.0.2.0/24'] }];
    const { reasons } = findings('update', 'snowflake_network_policy', { before, after });
    expect(reasons.filter(({ rule_id }) => rule_id.startsWith('R-ATTR-'))).toEqual([]);
  });
});

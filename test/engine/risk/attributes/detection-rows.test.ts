import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { findings, judge } from './judging.ts';

type Case = [type: string, safe: JsonObject, dangerous: JsonObject, level: string];

const RECORDS: Case[] = [
  ['aws_guardduty_detector_feature', { status: 'ENABLED' }, { status: 'DISABLED' }, 'high'],
  [
    'aws_guardduty_organization_configuration',
    { auto_enable_organization_members: 'ALL' },
    { auto_enable_organization_members: 'NONE' },
    'high',
  ],
  ['aws_guardduty_organization_configuration_feature', { auto_enable: 'ALL' }, { auto_enable: 'NEW' }, 'high'],
  ['aws_securityhub_organization_configuration', { auto_enable: true }, { auto_enable: false }, 'high'],
  ['aws_inspector2_enabler', { resource_types: ['EC2', 'ECR'] }, { resource_types: ['EC2'] }, 'high'],
  [
    'aws_config_configuration_recorder',
    { recording_group: [{ all_supported: true }] },
    { recording_group: [{ all_supported: false }] },
    'high',
  ],
  [
    'aws_config_configuration_recorder',
    { recording_group: [{ include_global_resource_types: true }] },
    { recording_group: [{ include_global_resource_types: false }] },
    'medium',
  ],
  [
    'aws_config_configuration_recorder',
    { recording_group: [{ resource_types: ['AWS::IAM::Role', 'AWS::EC2::VPC'] }] },
    { recording_group: [{ resource_types: ['AWS::EC2::VPC'] }] },
    'high',
  ],
  [
    'aws_cloudtrail',
    { event_selector: [{ include_management_events: true }] },
    { event_selector: [{ include_management_events: false }] },
    'high',
  ],
  [
    'aws_cloudtrail',
    { event_selector: [{ read_write_type: 'All' }] },
    { event_selector: [{ read_write_type: 'WriteOnly' }] },
    'high',
  ],
  ['aws_cloudtrail', { advanced_event_selector: [{ name: 'all' }] }, { advanced_event_selector: [] }, 'medium'],
  ['aws_cloudtrail', { cloud_watch_logs_group_arn: 'arn:logs' }, { cloud_watch_logs_group_arn: '' }, 'medium'],
  ['aws_cloudfront_distribution', { logging_config: [{ bucket: 'b' }] }, { logging_config: [] }, 'medium'],
  [
    'aws_db_instance',
    { enabled_cloudwatch_logs_exports: ['audit', 'error'] },
    { enabled_cloudwatch_logs_exports: ['error'] },
    'medium',
  ],
  [
    'aws_neptune_cluster',
    { enable_cloudwatch_logs_exports: ['audit'] },
    { enable_cloudwatch_logs_exports: null },
    'medium',
  ],
  ['aws_redshift_cluster', { logging: [{ enable: true }] }, { logging: [{ enable: false }] }, 'medium'],
  ['aws_apigatewayv2_stage', { access_log_settings: [{ format: 'x' }] }, { access_log_settings: [] }, 'medium'],
  ['aws_elb', { access_logs: [{ enabled: true }] }, { access_logs: [{ enabled: false }] }, 'medium'],
  ['aws_alb', { access_logs: [{ enabled: true }] }, { access_logs: [] }, 'medium'],
  [
    'aws_opensearch_domain',
    { log_publishing_options: [{ log_type: 'AUDIT_LOGS' }] },
    { log_publishing_options: [] },
    'medium',
  ],
  ['aws_msk_cluster', { logging_info: [{ broker_logs: [] }] }, { logging_info: [] }, 'medium'],
  ['aws_mq_broker', { logs: [{ audit: 'true' }] }, { logs: [{ audit: 'false' }] }, 'medium'],
  ['google_storage_bucket', { logging: [{ log_bucket: 'b' }] }, { logging: [] }, 'medium'],
  [
    'google_container_cluster',
    { logging_config: [{ enable_components: ['SYSTEM_COMPONENTS', 'WORKLOADS'] }] },
    { logging_config: [{ enable_components: [] }] },
    'high',
  ],
  [
    'google_container_cluster',
    { logging_config: [{ enable_components: ['SYSTEM_COMPONENTS', 'WORKLOADS'] }] },
    { logging_config: [{ enable_components: ['SYSTEM_COMPONENTS'] }] },
    'medium',
  ],
  [
    'google_project_iam_audit_config',
    { audit_log_config: [{ log_type: 'DATA_READ' }, { log_type: 'DATA_WRITE' }] },
    { audit_log_config: [{ log_type: 'DATA_READ' }] },
    'high',
  ],
  [
    'google_organization_iam_audit_config',
    { audit_log_config: [{ log_type: 'DATA_READ', exempted_members: [] }] },
    { audit_log_config: [{ log_type: 'DATA_READ', exempted_members: ['user:a@example.com'] }] },
    'high',
  ],
  ['google_logging_project_sink', { disabled: false }, { disabled: true }, 'high'],
  ['google_logging_project_exclusion', { disabled: true }, { disabled: false }, 'high'],
  ['google_compute_backend_service', { log_config: [{ enable: true }] }, { log_config: [{ enable: false }] }, 'medium'],
  ['google_compute_firewall', { log_config: [{ metadata: 'INCLUDE_ALL_METADATA' }] }, { log_config: [] }, 'medium'],
  ['google_dns_policy', { enable_logging: true }, { enable_logging: false }, 'high'],
  [
    'google_dns_managed_zone',
    { cloud_logging_config: [{ enable_logging: true }] },
    { cloud_logging_config: [{ enable_logging: false }] },
    'high',
  ],
  ['azurerm_network_watcher_flow_log', { enabled: true }, { enabled: false }, 'high'],
  ['azurerm_mssql_server_extended_auditing_policy', { enabled: true }, { enabled: false }, 'high'],
  ['azurerm_mssql_server_security_alert_policy', { state: 'Enabled' }, { state: 'Disabled' }, 'high'],
  [
    'azurerm_kubernetes_cluster',
    { microsoft_defender: [{ log_analytics_workspace_id: '/w' }] },
    { microsoft_defender: [] },
    'high',
  ],
];

const ALARMS: Case[] = [
  ['aws_cloudwatch_metric_alarm', { actions_enabled: true }, { actions_enabled: false }, 'high'],
  ['aws_cloudwatch_metric_alarm', { alarm_actions: ['arn:topic'] }, { alarm_actions: [] }, 'high'],
  ['google_monitoring_alert_policy', { notification_channels: ['c'] }, { notification_channels: [] }, 'high'],
  ['azurerm_monitor_metric_alert', { enabled: true }, { enabled: false }, 'high'],
];

const LOG_DAYS: Case[] = [
  ['google_logging_project_bucket_config', { retention_days: 400 }, { retention_days: 30 }, 'medium'],
  ['azurerm_mssql_server_extended_auditing_policy', { retention_in_days: 0 }, { retention_in_days: 7 }, 'medium'],
];

describe.each([
  ['a log or detector that is turned off', 'R-LOG-OFF', RECORDS],
  ['a log that is kept for a shorter time', 'R-STO-EXPIRE', LOG_DAYS],
  ['an alarm that notifies no one', 'R-ATTR-', ALARMS],
])('%s', (_name, rule, cases) => {
  test.each(cases)('%s: changing %j to %j gives one reason, at level %s', (type, safe, dangerous, level) => {
    const { reasons } = findings('update', type, { before: safe, after: dangerous });
    expect(reasons.map((reason) => reason.level)).toEqual([level]);
    expect(reasons[0]!.rule_id.startsWith(rule)).toBe(true);
  });

  test.each(cases)('%s gives no reason for the reverse change or without a change', (type, safe, dangerous, _level) => {
    expect(judge('update', type, { before: dangerous, after: safe })).toEqual({});
    expect(judge('update', type, { before: dangerous, after: dangerous })).toEqual({});
  });
});

test('removing all selectors of a trail gives a single reason', () => {
  const before = { event_selector: [{ read_write_type: 'All', include_management_events: true }] };
  expect(judge('update', 'aws_cloudtrail', { before, after: { event_selector: [] } })).toEqual({
    'R-LOG-OFF': 'medium',
  });
});

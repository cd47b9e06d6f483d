import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('alarms', () => {
  const cpu = { metric_name: 'CPUUtilization', comparison_operator: 'GreaterThanThreshold' };
  const beats = { metric_name: 'Beats', comparison_operator: 'LessThanThreshold', threshold: 1 };
  const space = { metric_name: 'FreeStorageSpace', comparison_operator: 'LessThanThreshold' };
  testLevels([
    [
      'aws_cloudwatch_metric_alarm',
      { ...space, threshold: 2e10 },
      { ...space, threshold: 2e4 },
      'high',
      'R-VAL-THRESHOLD',
    ],
    ['aws_cloudwatch_metric_alarm', { ...space, threshold: 2e10 }, { ...space, threshold: 2e9 }, 'medium'],
    ['aws_cloudwatch_metric_alarm', { ...cpu, threshold: 80 }, { ...cpu, threshold: 800 }, 'high', 'R-VAL-THRESHOLD'],
    ['aws_cloudwatch_metric_alarm', { ...cpu, threshold: 90 }, { ...cpu, threshold: 100 }, 'high', 'R-VAL-THRESHOLD'],
    ['aws_cloudwatch_metric_alarm', { ...beats }, { ...beats, threshold: 0 }, 'high', 'R-VAL-THRESHOLD'],
    [
      'aws_cloudwatch_metric_alarm',
      { ...cpu, threshold: 80 },
      { ...cpu, threshold: 80, comparison_operator: 'LessThanThreshold' },
      'high',
      'R-VAL-THRESHOLD',
    ],
    [
      'azurerm_monitor_metric_alert',
      { criteria: [{ metric_name: 'Percentage CPU', operator: 'GreaterThan', threshold: 85 }] },
      { criteria: [{ metric_name: 'Percentage CPU', operator: 'GreaterThan', threshold: 185 }] },
      'high',
      'R-VAL-THRESHOLD',
    ],
    [
      'google_monitoring_alert_policy',
      {
        conditions: [
          {
            condition_threshold: [
              {
                filter: 'metric.type="compute.googleapis.com/instance/cpu/utilization"',
                comparison: 'COMPARISON_GT',
                threshold_value: 0.8,
              },
            ],
          },
        ],
      },
      {
        conditions: [
          {
            condition_threshold: [
              {
                filter: 'metric.type="compute.googleapis.com/instance/cpu/utilization"',
                comparison: 'COMPARISON_GT',
                threshold_value: 80,
              },
            ],
          },
        ],
      },
      'high',
      'R-VAL-THRESHOLD',
    ],
    [
      'aws_cloudwatch_metric_alarm',
      { metric_name: 'Errors', comparison_operator: 'GreaterThanThreshold', threshold: 5 },
      { metric_name: 'Errors', comparison_operator: 'GreaterThanThreshold', threshold: 500 },
      'medium',
      'R-VAL-THRESHOLD',
    ],
    [
      'aws_cloudwatch_metric_alarm',
      { metric_name: 'Errors', comparison_operator: 'GreaterThanThreshold', threshold: 500 },
      { metric_name: 'Errors', comparison_operator: 'GreaterThanThreshold', threshold: 400 },
      'low',
    ],
    ['aws_cloudwatch_metric_alarm', { ...cpu, threshold: 80 }, { ...cpu, threshold: 85 }, 'low'],
    [
      'aws_cloudwatch_metric_alarm',
      { ...beats, treat_missing_data: 'breaching' },
      { ...beats, treat_missing_data: 'notBreaching' },
      'high',
      'R-VAL-NODATA',
    ],
    [
      'aws_cloudwatch_metric_alarm',
      { ...cpu, treat_missing_data: 'breaching' },
      { ...cpu, treat_missing_data: 'ignore' },
      'medium',
      'R-VAL-NODATA',
    ],
    ['datadog_monitor', { notify_no_data: true }, { notify_no_data: false }, 'medium', 'R-VAL-NODATA'],
    [
      'datadog_monitor',
      { on_missing_data: 'show_and_notify_no_data' },
      { on_missing_data: 'resolve' },
      'medium',
      'R-VAL-NODATA',
    ],
    [
      'grafana_rule_group',
      { rule: [{ no_data_state: 'Alerting' }] },
      { rule: [{ no_data_state: 'OK' }] },
      'medium',
      'R-VAL-NODATA',
    ],
    [
      'newrelic_nrql_alert_condition',
      { open_violation_on_expiration: true },
      { open_violation_on_expiration: false },
      'medium',
    ],
    [
      'aws_cloudwatch_metric_alarm',
      { ...cpu, treat_missing_data: 'missing' },
      { ...cpu, treat_missing_data: 'breaching' },
      'low',
    ],
    [
      'aws_cloudwatch_metric_alarm',
      { ...cpu, treat_missing_data: 'missing' },
      { ...cpu, treat_missing_data: 'ignore' },
      'low',
    ],
    [
      'datadog_monitor',
      { message: 'Down @opsgenie-core @slack-core' },
      { message: 'Down @slack-core' },
      'medium',
      'R-VAL-NOTIFIED',
    ],
    ['datadog_monitor', { message: 'Down @slack-core' }, { message: 'Down, see the wiki' }, 'high', 'R-VAL-NOTIFIED'],
    ['datadog_monitor', { message: 'Down @pagerduty-a' }, { message: 'It is down @pagerduty-b' }, 'low'],
    [
      'pagerduty_service',
      { incident_urgency_rule: [{ urgency: 'high' }] },
      { incident_urgency_rule: [{ urgency: 'low' }] },
      'high',
      'R-VAL-URGENCY',
    ],
  ]);
});

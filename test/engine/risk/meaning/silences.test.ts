import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgeAlone, makeChange } from '../helpers.ts';
import { type LevelCase, testLevels } from './judging.ts';

describe('silences', () => {
  const subscription = '/subscriptions/11111111-2222-3333-4444-555555555555';
  const criteria = (criterion: JsonObject[]) => [{ criterion }];
  const created = (type: string, after: JsonObject) => judgeAlone(makeChange(type, 'create', [null, after])).level;

  test.each<[string, JsonObject]>([
    ['azurerm_monitor_alert_processing_rule_suppression', { scopes: [subscription], enabled: true, schedule: [] }],
    ['azurerm_monitor_alert_processing_rule_suppression', { scopes: ['/'], condition: [] }],
    ['datadog_downtime_schedule', { scope: '*' }],
    ['datadog_downtime', { scope: ['*'], end: null }],
    [
      'aws_guardduty_filter',
      { action: 'ARCHIVE', finding_criteria: criteria([{ field: 'severity', greater_than_or_equal: '0' }]) },
    ],
    ['google_scc_mute_config', { filter: '*' }],
  ])('%s %j without an end is high', (type, after) => {
    expect(created(type, after)).toBe('high');
  });

  test.each<[string, JsonObject]>([
    ['azurerm_monitor_alert_processing_rule_suppression', { scopes: [`${subscription}/resourceGroups/dev`] }],
    [
      'azurerm_monitor_alert_processing_rule_suppression',
      { scopes: [subscription], schedule: [{ effective_until: '2031-01-01' }] },
    ],
    ['azurerm_monitor_alert_processing_rule_suppression', { scopes: [subscription], enabled: false }],
    ['datadog_downtime_schedule', { scope: 'env:staging' }],
    [
      'aws_guardduty_filter',
      { action: 'NOOP', finding_criteria: criteria([{ field: 'severity', greater_than_or_equal: '0' }]) },
    ],
    [
      'aws_guardduty_filter',
      { action: 'ARCHIVE', finding_criteria: criteria([{ field: 'type', equals: ['Recon:EC2/Portscan'] }]) },
    ],
  ])('%s %j is low', (type, after) => {
    expect(created(type, after)).toBe('low');
  });
});

describe('exclusions of logs', () => {
  const sink = (...filters: string[]) => ({
    filter: '',
    exclusions: filters.map((filter, at) => ({ name: `e${at}`, filter })),
  });
  testLevels([
    ...['severity>=DEFAULT', 'severity >= 0', 'true', '*', 'timestamp > "2000-01-01T00:00:00Z"'].map(
      (filter): LevelCase => ['google_logging_project_sink', sink(), sink(filter), 'high', 'R-LOG-OFF'],
    ),
    ['google_logging_organization_sink', sink(), sink('resource.type="k8s_container" AND severity=DEBUG'), 'low'],
    ['google_logging_folder_sink', sink(), sink('resource.type="gce_instance" AND severity<=INFO'), 'low'],
    ['google_logging_project_sink', sink(), sink('resource.type="gce_instance"'), 'medium', 'R-LOG-OFF'],
  ]);
});

describe('filters of events', () => {
  const finding = (severity: JsonObject | string[]) =>
    JSON.stringify({
      source: ['aws.guardduty'],
      detail: { severity: Array.isArray(severity) ? severity : [severity] },
    });
  const amount = (...numeric: (string | number)[]) => ({ filter_policy: JSON.stringify({ amount: [{ numeric }] }) });
  const root = (name: string) => ({ pattern: `{ $.userIdentity.type = "${name}" }` });
  const order = (state: string) => ({ filter_policy: JSON.stringify({ state: [state] }) });
  testLevels([
    ['aws_sns_topic_subscription', amount('>', 1000), amount('<', 1000), 'high', 'R-VAL-CONDITION'],
    ['aws_sns_topic_subscription', amount('>=', 1000), amount('=', 1000), 'medium', 'R-VAL-FILTER'],
    ['aws_sns_topic_subscription', amount('>=', 10, '<', 50), amount('>=', 20, '<', 50), 'medium', 'R-VAL-FILTER'],
    [
      'aws_cloudwatch_event_rule',
      { event_pattern: finding({ numeric: ['>=', 4] }) },
      { event_pattern: finding({ numeric: ['>=', 4, '<=', 5] }) },
      'high',
      'R-VAL-FILTER',
    ],
    ['aws_cloudwatch_log_metric_filter', root('Root'), root('root'), 'high', 'R-VAL-FILTER'],
    ['aws_sns_topic_subscription', order('Paid'), order('paid'), 'high', 'R-VAL-FILTER'],
  ]);

  test('a range that grows delivers no fewer events', () => {
    const { reasons } = judgeAlone(
      makeChange('aws_sns_topic_subscription', 'update', [amount('>=', 1000), amount('>=', 100)]),
    );
    expect(reasons.map(({ rule_id }) => rule_id)).not.toContain('R-VAL-FILTER');
  });

  testLevels([
    [
      'aws_cloudwatch_event_rule',
      { event_pattern: finding({ numeric: ['>=', 7] }) },
      { event_pattern: finding({ numeric: ['>', 10] }) },
      'high',
      'R-VAL-FILTER',
    ],
    [
      'aws_cloudwatch_event_rule',
      { event_pattern: '{"detail":{"cvssScore":[{"numeric":[">=",7]}]}}' },
      { event_pattern: '{"detail":{"cvssScore":[{"numeric":[">=",70]}]}}' },
      'high',
      'R-VAL-FILTER',
    ],
    [
      'aws_sns_topic_subscription',
      { filter_policy: '{"severity":["high","critical"]}' },
      { filter_policy: '{"severity":["critical"]}' },
      'medium',
      'R-VAL-FILTER',
    ],
    [
      'aws_sns_topic_subscription',
      { filter_policy: '{"priority":["p1","p2"]}' },
      { filter_policy: '{"priority":["p1"]}' },
      'medium',
      'R-VAL-FILTER',
    ],
    [
      'aws_sns_topic_subscription',
      { filter_policy: '{"alarm":["cpu","disk"]}' },
      { filter_policy: '{"alarm":["cpu"]}' },
      'medium',
      'R-VAL-FILTER',
    ],
    [
      'aws_cloudwatch_event_rule',
      { event_pattern: finding({ numeric: ['>=', 7] }) },
      { event_pattern: finding({ numeric: ['>=', 4] }) },
      'low',
    ],
    [
      'aws_sns_topic_subscription',
      { filter_policy: '{"severity":["critical"]}' },
      { filter_policy: '{"severity":["high","critical"]}' },
      'low',
    ],
    ['aws_sns_topic_subscription', { filter_policy: '{"shop":["a","b"]}' }, { filter_policy: '{"shop":["a"]}' }, 'low'],
  ]);
});

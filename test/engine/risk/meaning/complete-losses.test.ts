import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('networks that come to be the internet, whatever stands before the slash', () => {
  const list = (name: string, entries: string[]) => ({ name: 'ledger', [name]: entries });
  const OFFICE = '198.51.100.7/32';
  testLevels([
    ['stashdb_cluster', list('allowed_networks', [OFFICE]), list('allowed_networks', ['198.51.100.7/0']), 'high'],
    ['stashdb_cluster', list('allowed_networks', ['10.0.0.0/8']), list('allowed_networks', ['10.0.0.0/0']), 'high'],
    ['acme_access', list('trusted_cidrs', [OFFICE]), list('trusted_cidrs', ['0.0.0.0/1', '128.0.0.0/1']), 'high'],
    ['acme_access', list('trusted_cidrs', [OFFICE]), list('trusted_cidrs', [OFFICE, '2000::/3']), 'high'],
    ['acme_access', list('trusted_cidrs', ['198.51.100.0/24']), list('trusted_cidrs', ['198.51.100.0/25']), 'low'],
  ]);
});

describe('data that was kept for years', () => {
  const keep = (name: string, value: string | number) => ({ name: 'confirmations', [name]: value });
  testLevels([
    ['archivum_rule', keep('keep_days', 2555), keep('keep_days', 7), 'high', 'R-VAL-LIFETIME'],
    ['archivum_policy', keep('retain_years', 7), keep('retain_years', 1), 'high', 'R-VAL-LIFETIME'],
    ['docuvault_schedule', keep('retention', 'P10Y'), keep('retention', 'P30D'), 'high', 'R-VAL-LIFETIME'],
    ['archivum_rule', keep('keep_days', 2555), keep('keep_days', 2190), 'low'],
    ['archivum_rule', keep('keep_days', 30), keep('keep_days', 3), 'medium', 'R-VAL-LIFETIME'],
    ['archivum_rule', keep('keep_days', 2555), keep('keep_days', 3650), 'low'],
    ['snowflake_table', keep('data_retention_time_in_days', 30), keep('data_retention_time_in_days', 21), 'medium'],
    ['snowflake_table', keep('data_retention_time_in_days', 90), keep('data_retention_time_in_days', 1), 'high'],
  ]);
});

describe('who may see something without a login', () => {
  const share = (fields: Record<string, string | boolean | string[]>) => ({ name: 'payroll', ...fields });
  testLevels([
    ['gatehouse_grant', share({ audience: 'group:payroll' }), share({ audience: 'anyone-with-link' }), 'high'],
    ['docshare_link', share({ scope: 'team:legal' }), share({ scope: 'anyone_with_the_link' }), 'high'],
    ['acme_folder', share({ sharing: 'invited people' }), share({ sharing: 'Anyone with link' }), 'high'],
    ['gatehouse_grant', share({ require_sign_in: true }), share({ require_sign_in: false }), 'high'],
    ['docshare_link', share({ password_protected: true }), share({ password_protected: false }), 'high'],
    ['stashdb_snapshot', share({ shared_with: ['team-a'] }), share({ shared_with: ['all'] }), 'high'],
    ['lakehouse_grant', share({ grantee: 'team:claims' }), share({ grantee: 'all_employees' }), 'high'],
    ['lakehouse_grant', share({ grantee: 'team:claims' }), share({ grantee: 'team:audit' }), 'low'],
    ['gatehouse_grant', share({ audience: 'group:payroll' }), share({ audience: 'group:internal-audit' }), 'low'],
    ['gatehouse_grant', share({ require_sign_in: false }), share({ require_sign_in: true }), 'low'],
  ]);
});

describe('filters inside the queries of alarms', () => {
  const START = 'AppExceptions | where AppRoleName == "claims"';
  const END = 'summarize Failures = count() by bin(TimeGenerated, 5m)';
  const alarm = (filter: string, operator = 'GreaterThan') => ({
    name: 'claims',
    criteria: [{ query: `${START} ${filter} | ${END}`, threshold: 5, operator }],
  });
  const TYPE = 'azurerm_monitor_scheduled_query_rules_alert_v2';
  const search = (query: string) => ({ name: 'logins', query });
  testLevels([
    [TYPE, alarm('| where SeverityLevel >= 3'), alarm('| where SeverityLevel >= 5'), 'high', 'R-VAL-CONDITION'],
    [TYPE, alarm('| where SeverityLevel >= 3'), alarm('| where SeverityLevel == 9'), 'medium'],
    [TYPE, alarm('| where SeverityLevel >= 2'), alarm('| where SeverityLevel >= 3'), 'medium', 'R-VAL-CONDITION'],
    [TYPE, alarm('| where SeverityLevel >= 3'), alarm('| where SeverityLevel >= 2'), 'low'],
    [TYPE, alarm('| where ItemCount > 3', 'LessThan'), alarm('| where ItemCount > 2', 'LessThan'), 'medium'],
    [TYPE, alarm(''), alarm('| where 1 == 2'), 'high', 'R-VAL-CONDITION'],
    [TYPE, alarm(''), alarm('| where ClientType != "Browser"'), 'medium', 'R-VAL-CONDITION'],
    [TYPE, alarm('| where ClientType != "Browser"'), alarm(''), 'low'],
    ['acme_detection', search('status_code >= 500'), search('status_code >= 600'), 'high', 'R-VAL-CONDITION'],
    ['acme_detection', search('risk_score > 80 and new'), search('risk_score > 40 and new'), 'low'],
  ]);
});

describe('what is left of the capacity', () => {
  const group = (desired_capacity: number) => ({ name: 'sales', desired_capacity });
  const pool = (node_count: number, max_unavailable: number) => ({
    ...{ name: 'pay', node_count },
    upgrade_settings: [{ max_surge: 1, max_unavailable }],
  });
  testLevels([
    ['aws_autoscaling_group', group(42), group(6), 'high', 'R-CMP-SCALE0'],
    ['aws_autoscaling_group', group(12), group(5), 'medium', 'R-CMP-SCALE0'],
    ['aws_autoscaling_group', group(5), group(1), 'medium', 'R-CMP-SCALE0'],
    ['google_container_node_pool', pool(3, 0), pool(3, 3), 'high', 'R-VAL-AVAILABILITY'],
    ['google_container_node_pool', pool(3, 0), pool(3, 1), 'medium'],
  ]);
});

describe('answers and times of checks', () => {
  const check = (matcher: string) => ({ name: 'x', health_check: [{ path: '/health', matcher }] });
  const incident = (auto_resolve_timeout: number | null) => ({ name: 'core', auto_resolve_timeout });
  testLevels([
    ['aws_lb_target_group', check('200'), check('200-204'), 'low'],
    ['aws_lb_target_group', check('200'), check('200-399'), 'medium', 'R-VAL-PROBE'],
    ['aws_lb_target_group', check('200'), check('200-599'), 'high', 'R-VAL-PROBE'],
    ['pagerduty_service', incident(null), incident(60), 'high'],
    ['pagerduty_service', incident(null), incident(86_400), 'medium'],
    ['acme_pager_service', { name: 'a', auto_resolve_after: '8h' }, { name: 'a', auto_resolve_after: '90s' }, 'high'],
  ]);
});

describe('memory that is left', () => {
  const limit = (memory: string) => ({ resources: [{ limits: { memory } }] });
  testLevels([
    ['acme_workload', limit('1Gi'), limit('8Mi'), 'high', 'R-VAL-QUANTITY'],
    ['acme_workload', limit('1Gi'), limit('128Mi'), 'medium', 'R-VAL-QUANTITY'],
    ['acme_workload', limit('1Gi'), limit('1280Mi'), 'low'],
  ]);
});

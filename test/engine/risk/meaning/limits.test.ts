import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('limits of zero', () => {
  testLevels([
    ['aws_lambda_function', { reserved_concurrent_executions: 50 }, { reserved_concurrent_executions: 0 }, 'high'],
    [
      'aws_api_gateway_usage_plan',
      { quota_settings: [{ limit: 5000, period: 'DAY' }] },
      { quota_settings: [{ limit: 0, period: 'DAY' }] },
      'high',
      'R-VAL-LIMIT',
    ],
    [
      'kubernetes_resource_quota_v1',
      { spec: [{ hard: { pods: '50' } }] },
      { spec: [{ hard: { pods: '0' } }] },
      'high',
      'R-VAL-LIMIT',
    ],
    [
      'kubernetes_resource_quota_v1',
      { spec: [{ hard: { 'requests.memory': '64Gi' } }] },
      { spec: [{ hard: { 'requests.memory': '0' } }] },
      'high',
      'R-VAL-LIMIT',
    ],
    ['acme_worker_group', { max_concurrency: 20 }, { max_concurrency: 0 }, 'high', 'R-VAL-LIMIT'],
    ['acme_service', { replicas: 3 }, { replicas: 0 }, 'high', 'R-VAL-LIMIT'],
    [
      'kubernetes_resource_quota_v1',
      { spec: [{ hard: { 'limits.cpu': '40' } }] },
      { spec: [{ hard: { 'limits.cpu': '8' } }] },
      'medium',
      'R-VAL-LIMIT',
    ],
    ['kubernetes_resource_quota_v1', { spec: [{ hard: { pods: '50' } }] }, { spec: [{ hard: { pods: '60' } }] }, 'low'],
    ['acme_service', { max_retries: 3 }, { max_retries: 0 }, 'low'],
    ['acme_service', { max_surge: 1 }, { max_surge: 0 }, 'low'],
  ]);
});

describe('limits that protect', () => {
  testLevels([
    ['acme_transfer_policy', { daily_limit: 5000 }, { daily_limit: -1 }, 'high', 'R-VAL-LIMIT'],
    ['acme_account', { withdrawal_limit: '1000' }, { withdrawal_limit: 'unlimited' }, 'high', 'R-VAL-LIMIT'],
    ['acme_card', { max_transaction_amount: 500 }, { max_transaction_amount: 50000 }, 'high', 'R-VAL-LIMIT'],
    ['acme_team', { spending_cap: 100 }, { spending_cap: 'never' }, 'high', 'R-VAL-LIMIT'],
    ['acme_refund_rule', { max_amount: 100 }, { max_amount: 250 }, 'medium', 'R-VAL-LIMIT'],
    ['acme_transfer_policy', { daily_limit: 5000 }, { daily_limit: 6000 }, 'low'],
    ['acme_transfer_policy', { daily_limit: 5000 }, { daily_limit: 2000 }, 'low'],
    ['azurerm_application_insights', { daily_data_cap_in_gb: 100 }, { daily_data_cap_in_gb: 1 }, 'high', 'R-VAL-LIMIT'],
    ['azurerm_log_analytics_workspace', { daily_quota_gb: -1 }, { daily_quota_gb: 50 }, 'medium', 'R-VAL-LIMIT'],
    ['azurerm_log_analytics_workspace', { daily_quota_gb: 5 }, { daily_quota_gb: -1 }, 'low'],
    ['azurerm_log_analytics_workspace', { daily_quota_gb: 5 }, { daily_quota_gb: 20 }, 'low'],
  ]);
});

describe('disruption budgets', () => {
  const pdb = 'kubernetes_pod_disruption_budget_v1';
  testLevels([
    [pdb, { spec: [{ max_unavailable: '1' }] }, { spec: [{ max_unavailable: '0' }] }, 'medium', 'R-VAL-AVAILABILITY'],
    [pdb, { spec: [{ min_available: '50%' }] }, { spec: [{ min_available: '100%' }] }, 'medium', 'R-VAL-AVAILABILITY'],
    [
      pdb,
      { spec: [{ max_unavailable: '1' }] },
      { spec: [{ max_unavailable: '100%' }] },
      'medium',
      'R-VAL-AVAILABILITY',
    ],
    [
      'aws_ecs_service',
      { deployment_minimum_healthy_percent: 100 },
      { deployment_minimum_healthy_percent: 0 },
      'medium',
      'R-VAL-AVAILABILITY',
    ],
    [
      'aws_autoscaling_group',
      { instance_refresh: [{ preferences: [{ min_healthy_percentage: 90 }] }] },
      { instance_refresh: [{ preferences: [{ min_healthy_percentage: 0 }] }] },
      'high',
      'R-VAL-AVAILABILITY',
    ],
    [
      'google_compute_instance_group_manager',
      { update_policy: [{ max_unavailable_percent: 20 }] },
      { update_policy: [{ max_unavailable_percent: 100 }] },
      'high',
      'R-VAL-AVAILABILITY',
    ],
    [pdb, { spec: [{ max_unavailable: '1' }] }, { spec: [{ max_unavailable: '2' }] }, 'low'],
    [pdb, { spec: [{ min_available: '50%' }] }, { spec: [{ min_available: '60%' }] }, 'low'],
    [
      'kubernetes_deployment',
      { spec: [{ strategy: [{ rolling_update: [{ max_unavailable: '25%' }] }] }] },
      { spec: [{ strategy: [{ rolling_update: [{ max_unavailable: '0' }] }] }] },
      'low',
    ],
  ]);
});

describe('quantities', () => {
  const limit = (memory: string, cpu = '1') => ({
    spec: [{ template: [{ spec: [{ container: [{ name: 'a', resources: [{ limits: { memory, cpu } }] }] }] }] }],
  });
  testLevels([
    ['kubernetes_deployment', limit('512Mi'), limit('512m'), 'high', 'R-VAL-QUANTITY'],
    ['kubernetes_stateful_set_v1', limit('2Gi'), limit('2k'), 'high', 'R-VAL-UNIT'],
    ['kubernetes_daemon_set_v1', limit('4Gi'), limit('512Mi'), 'medium', 'R-VAL-QUANTITY'],
    ['kubernetes_deployment_v1', limit('1Gi', '2'), limit('1Gi', '200m'), 'medium', 'R-VAL-QUANTITY'],
    ['acme_app', { resource_limits: { memory: '1Gi' } }, { resource_limits: { memory: '1M' } }, 'high', 'R-VAL-UNIT'],
    ['kubernetes_deployment', limit('1Gi'), limit('2Gi'), 'low'],
    ['kubernetes_deployment', limit('1Gi'), limit('768Mi'), 'low'],
    ['kubernetes_deployment', limit('1Gi', '1000m'), limit('1Gi', '900m'), 'low'],
  ]);
});

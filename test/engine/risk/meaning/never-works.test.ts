import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

const QUERY_ALERT = 'azurerm_monitor_scheduled_query_rules_alert_v2';

describe('memory below the least that any program needs', () => {
  testLevels([
    ['acme_workload', { limits: { memory: '512Mi' } }, { limits: { memory: '512m' } }, 'high', 'R-VAL-QUANTITY'],
    ['acme_job', { resources: { requests: { memory: '2Gi' } } }, { resources: { requests: { memory: '2' } } }, 'high'],
    [
      'acme_pool',
      { resources: { limits: { memory: '2G' } } },
      { resources: { limits: { memory: '1k' } } },
      'high',
      'R-VAL-QUANTITY',
    ],
    [
      'kubernetes_deployment_v1',
      { spec: [{ template: [{ spec: [{ container: [{ resources: [{ limits: { memory: '1Gi' } }] }] }] }] }] },
      { spec: [{ template: [{ spec: [{ container: [{ resources: [{ limits: { memory: '512m' } }] }] }] }] }] },
      'high',
      'R-VAL-QUANTITY',
    ],
    [
      'kubernetes_manifest',
      { manifest: { kind: 'Widget', spec: { resources: { limits: { memory: '256Mi' } } } } },
      { manifest: { kind: 'Widget', spec: { resources: { limits: { memory: '256m' } } } } },
      'high',
    ],
    ['acme_workload', { limits: { memory: '512Mi' } }, { limits: { memory: '768Mi' } }, 'low'],
    ['acme_workload', { limits: { cpu: '1' } }, { limits: { cpu: '500m' } }, 'low'],
  ]);
});

describe('alarms whose query never holds', () => {
  const rule = (expr: string) => ({ groups: [{ rules: [{ alert: 'Down', expr }] }] });
  testLevels([
    ['acme_rules', rule('absent(up{job="api"})'), rule('absent(up{job="api"}) == 0'), 'high', 'R-VAL-CONDITION'],
    ['acme_rules', rule('absent_over_time(up[5m])'), rule('absent_over_time(up[5m]) > 1'), 'high'],
    [
      'acme_alert',
      { query: 'sum(rate(requests{status=~"5.."}[5m])) > 3' },
      { query: 'sum(rate(requests{status="5.."}[5m])) > 3' },
      'high',
    ],
    ['acme_monitor', { query: 'up{pod=~"api-.*"} < 1' }, { query: 'up{pod="api-.*"} < 1' }, 'high'],
    [
      QUERY_ALERT,
      { criteria: [{ query: 'AppRequests | where toint(ResultCode) >= 500' }] },
      { criteria: [{ query: 'AppRequests | where ResultCode == "5xx"' }] },
      'high',
    ],
    [
      QUERY_ALERT,
      { criteria: [{ query: 'Heartbeat | where Computer startswith "prod-"' }] },
      { criteria: [{ query: 'Heartbeat | where Computer == "prod-*"' }] },
      'high',
    ],
    ['acme_rules', rule('absent(up{job="api"})'), rule('absent(up{job="api"}) == 1'), 'low'],
    ['acme_rules', rule('up < 1 or absent(up)'), rule('up < 1 or absent(up) == 0'), 'low'],
    [
      'acme_alert',
      { filter: 'response_code_class = "4xx"' },
      { filter: 'response_code_class = "5xx"' },
      'medium',
      'R-VAL-CONDITION',
    ],
  ]);
});

describe('commands that no longer do their work', () => {
  testLevels([
    ['acme_job', { command: 'pg_dump ledger' }, { command: 'pg_dump --schema-only ledger' }, 'high', 'R-VAL-COMMAND'],
    ['acme_job', { args: ['mysqldump', 'shop'] }, { args: ['mysqldump', '--no-data', 'shop'] }, 'high'],
    [
      'acme_task',
      { command: ['restic'], args: ['backup', '/data'] },
      { command: ['restic'], args: ['backup', '--dry-run', '/data'] },
      'high',
      'R-VAL-COMMAND',
    ],
    ['acme_task', { script: 'aws s3 sync /data s3://x' }, { script: 'aws s3 sync --dryrun /data s3://x' }, 'high'],
    ['acme_task', { script: 'rsync -a /data host:/data' }, { script: 'rsync -an /data host:/data' }, 'high'],
    [
      'kubernetes_cron_job_v1',
      { spec: [{ job_template: [{ spec: [{ container: [{ args: ['pg_dump ledger | mc pipe x'] }] }] }] }] },
      { spec: [{ job_template: [{ spec: [{ container: [{ args: ['pg_dump -s ledger | mc pipe x'] }] }] }] }] },
      'high',
      'R-VAL-COMMAND',
    ],
    ['acme_job', { command: 'pg_dump --compress=6 ledger' }, { command: 'pg_dump --compress=9 ledger' }, 'low'],
    ['acme_job', { command: 'pg_dump --schema-only ledger' }, { command: 'pg_dump ledger' }, 'low'],
    ['acme_job', { command: 'helm upgrade web' }, { command: 'helm upgrade --dry-run=none web' }, 'low'],
  ]);
});

describe('selections in another letter case', () => {
  testLevels([
    [
      'aws_backup_selection',
      { selection_tag: [{ type: 'STRINGEQUALS', key: 'backup', value: 'daily' }] },
      { selection_tag: [{ type: 'STRINGEQUALS', key: 'backup', value: 'Daily' }] },
      'high',
      'R-VAL-SELECTION',
    ],
    [
      'aws_dlm_lifecycle_policy',
      { policy_details: [{ target_tags: { Snapshot: 'true' } }] },
      { policy_details: [{ target_tags: { Snapshot: 'TRUE' } }] },
      'high',
      'R-VAL-SELECTION',
    ],
    [
      'acme_backup_plan',
      { selector: { match_labels: { tier: 'gold' } } },
      { selector: { match_labels: { tier: 'Gold' } } },
      'high',
      'R-VAL-SELECTION',
    ],
    [
      'acme_security_scan',
      { tag_filter: [{ key: 'env', value: 'prod' }] },
      { tag_filter: [{ key: 'env', value: 'PROD' }] },
      'high',
      'R-VAL-SELECTION',
    ],
    [
      'acme_backup_plan',
      { condition: [{ string_equals: [{ key: 'aws:ResourceTag/env', value: 'prod' }], tags: {} }] },
      { condition: [{ string_equals: [{ key: 'aws:ResourceTag/env', value: 'Prod' }], tags: {} }] },
      'high',
    ],
    ['acme_backup_plan', { title: { text: 'daily' } }, { title: { text: 'Daily' } }, 'low'],
  ]);
});

describe('updates that stop everything at once', () => {
  testLevels([
    [
      'aws_autoscaling_group',
      { instance_refresh: [{ preferences: [{ min_healthy_percentage: 90 }] }] },
      { instance_refresh: [{ preferences: [{ min_healthy_percentage: 0 }] }] },
      'high',
      'R-VAL-AVAILABILITY',
    ],
    ['acme_node_pool', { update: { max_unavailable: '10%' } }, { update: { max_unavailable: '100%' } }, 'high'],
    ['acme_scale_set', { upgrade: { minimum_healthy: 50 } }, { upgrade: { minimum_healthy: 0 } }, 'high'],
    ['acme_machine_group', { min_available: 2 }, { min_available: 0 }, 'high', 'R-VAL-AVAILABILITY'],
    ['acme_fleet', { min_healthy_percent: 60 }, { min_healthy_percent: 0 }, 'high', 'R-VAL-AVAILABILITY'],
    ['acme_service', { min_healthy_percent: 60 }, { min_healthy_percent: 0 }, 'medium', 'R-VAL-AVAILABILITY'],
    ['acme_disruption_budget', { min_available: 2 }, { min_available: 0 }, 'medium', 'R-VAL-AVAILABILITY'],
    ['acme_node_pool', { update: { max_unavailable: '10%' } }, { update: { max_unavailable: '20%' } }, 'low'],
  ]);
});

describe('firewall rules that stop the opposite', () => {
  const rule = (expression: string) => ({ rules: [{ action: 'block', expression }] });
  testLevels([
    [
      'cloudflare_ruleset',
      rule('(starts_with(http.request.uri.path, "/admin") and not ip.src in $offices)'),
      rule('(starts_with(http.request.uri.path, "/admin") and ip.src in $offices)'),
      'high',
      'R-VAL-CONDITION',
    ],
    ['acme_waf', rule('country ne "DE"'), rule('country eq "DE"'), 'high', 'R-VAL-CONDITION'],
    ['acme_firewall', rule('not cf.bot_management.verified'), rule('cf.bot_management.verified'), 'high'],
    ['acme_waf', rule('ip.src in $bad'), rule('not ip.src in $bad'), 'high', 'R-VAL-CONDITION'],
    [
      'acme_waf',
      { rules: [{ action: 'challenge', expression: 'path eq "/login" and not asn in {64500}' }] },
      { rules: [{ action: 'challenge', expression: 'path eq "/login" and asn in {64500}' }] },
      'high',
    ],
    ['acme_waf', rule('country eq "DE" or country eq "FR"'), rule('country eq "DE"'), 'medium', 'R-VAL-CONDITION'],
  ]);
});

import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('caches at the edge', () => {
  const policy = (path_pattern: string, cache_policy_id: string) => ({
    ordered_cache_behavior: [{ path_pattern, cache_policy_id }],
  });
  const OFF = '4135ea2d-6df8-44a3-9df3-5be84ad39dd2';
  const ON = '658327ea-f89d-4fab-a63d-7e88639e58f6';
  testLevels([
    ['aws_cloudfront_distribution', policy('/account/*', OFF), policy('/account/*', ON), 'high', 'R-VAL-CACHE'],
    ['aws_cloudfront_distribution', policy('/api/orders/*', OFF), policy('/api/orders/*', ON), 'high', 'R-VAL-CACHE'],
    ['aws_cloudfront_distribution', policy('/shop/*', OFF), policy('/shop/*', ON), 'medium', 'R-VAL-CACHE'],
    ['aws_cloudfront_distribution', policy('/static/*', OFF), policy('/static/*', ON), 'low'],
    ['aws_cloudfront_distribution', policy('/*.css', OFF), policy('/*.css', ON), 'low'],
    [
      'acme_cdn_rule',
      { path: '/my/profile', cache_mode: 'bypass' },
      { path: '/my/profile', cache_mode: 'cache_everything' },
      'high',
      'R-VAL-CACHE',
    ],
  ]);
});

describe('conditions of firewall rules', () => {
  const rule = (action: string, expression: string) => ({ rules: [{ action, expression }] });
  const IPS = 'ip.src in {198.51.100.7}';
  const AGENT = 'http.user_agent contains "Probe"';
  testLevels([
    ['cloudflare_ruleset', rule('skip', `${IPS} and ${AGENT}`), rule('skip', `${IPS} or ${AGENT}`), 'high'],
    ['cloudflare_ruleset', rule('skip', IPS), rule('skip', `${IPS} or http.cookie contains "x"`), 'high'],
    ['acme_waf_rule', rule('block', 'a.b eq 1'), rule('block', `a.b eq 1 and not ${AGENT}`), 'high', 'R-VAL-CONDITION'],
    ['acme_waf_rule', rule('block', 'a.b eq 1 or c.d eq 2'), rule('block', 'a.b eq 1'), 'medium', 'R-VAL-CONDITION'],
    ['acme_waf_rule', rule('allow', IPS), rule('allow', `${IPS} or ip.src in {203.0.113.9}`), 'medium'],
    ['acme_waf_rule', rule('allow', IPS), rule('allow', `${IPS} and ${AGENT}`), 'low'],
    ['acme_waf_rule', rule('block', 'a.b eq 1'), rule('block', 'a.b eq 1 or c.d eq 2'), 'low'],
    [
      'acme_waf_rule',
      rule('skip', 'http.request.uri.path eq "/health"'),
      rule('skip', 'http.request.uri.path in {"/health" "/ready"}'),
      'low',
    ],
  ]);
});

describe('the deletion of stored data', () => {
  testLevels([
    ['acme_records_rule', { purge_after_days: 3650 }, { purge_after_days: 0 }, 'high', 'R-VAL-LIFETIME'],
    ['acme_archive', { delete_after: '365d' }, { delete_after: '7d' }, 'high', 'R-VAL-LIFETIME'],
    ['acme_archive', { erase_after_years: 10 }, { erase_after_years: 5 }, 'medium', 'R-VAL-LIFETIME'],
    ['acme_archive', { hard_delete_after_days: null }, { hard_delete_after_days: 30 }, 'high'],
    ['acme_archive', { purge_after_days: 30 }, { purge_after_days: 60 }, 'low'],
    ['acme_purge_job', { dry_run: true }, { dry_run: false }, 'medium', 'R-VAL-DELETION'],
    ['acme_report_job', { dry_run: true }, { dry_run: false }, 'low'],
  ]);
});

describe('alerts', () => {
  testLevels([
    [
      'pagerduty_event_orchestration_service',
      { catch_all: [{ actions: [{ suppress: false }] }] },
      { catch_all: [{ actions: [{ suppress: true }] }] },
      'high',
    ],
    ['acme_alert_rule', { muted: false }, { muted: true }, 'high'],
    ['acme_alert_rule', { muted: true }, { muted: false }, 'low'],
    ['pagerduty_service', { auto_resolve_timeout: 'null' }, { auto_resolve_timeout: '300' }, 'medium', 'R-VAL-MUTED'],
    ['pagerduty_service', { auto_resolve_timeout: '14400' }, { auto_resolve_timeout: '28800' }, 'low'],
    ['grafana_notification_policy', { contact_point: 'oncall' }, { contact_point: 'null-sink' }, 'high'],
    ['grafana_notification_policy', { contact_point: 'oncall' }, { contact_point: 'oncall-eu' }, 'low'],
  ]);
});

describe('thresholds inside queries', () => {
  const query = (limit: string) => ({ query: `avg(last_5m):100 * sum:errors{a:b} / sum:hits{a:b} > ${limit}` });
  testLevels([
    ['datadog_monitor', query('5'), query('500'), 'high', 'R-VAL-THRESHOLD'],
    ['datadog_monitor', query('5'), query('20'), 'medium', 'R-VAL-THRESHOLD'],
    ['datadog_monitor', query('5'), query('6'), 'low'],
    ['datadog_monitor', query('5'), query('4'), 'low'],
    ['acme_alert_rule', { expr: 'rate(x[5m]) > 5' }, { expr: 'rate(x[5m]) < 5' }, 'high', 'R-VAL-THRESHOLD'],
    ['acme_alert_rule', { expr: 'rate(x[5m]) > 5' }, { expr: 'rate(x[10m]) > 5' }, 'low'],
  ]);
});

describe('modes of protections', () => {
  testLevels([
    ['acme_policy', { enforcement_mode: 'enforce' }, { enforcement_mode: 'monitor' }, 'high', 'R-VAL-MODE'],
    ['acme_guardrail', { mode: 'BLOCK' }, { mode: 'DETECT_ONLY' }, 'high', 'R-VAL-MODE'],
    ['acme_bot_filter', { action: 'deny' }, { action: 'allow' }, 'high', 'R-VAL-MODE'],
    ['acme_inspection', { on_failure: 'block' }, { on_failure: 'allow' }, 'high', 'R-VAL-FAILOPEN'],
    ['acme_dlp_rule', { response: 'quarantine' }, { response: 'LogOnly' }, 'high', 'R-VAL-MODE'],
    ['acme_policy', { enforcement_mode: 'monitor' }, { enforcement_mode: 'enforce' }, 'low'],
    ['acme_printer', { mode: 'block' }, { mode: 'log' }, 'low'],
  ]);
});

describe('roles of types that no rule knows', () => {
  testLevels([
    ['acme_seat', { role: 'viewer' }, { role: 'admin' }, 'high', 'R-IAM-ROLE'],
    ['acme_seat', { role: 'viewer' }, { role: 'editor' }, 'medium', 'R-IAM-ROLE'],
    ['acme_seat', { permission: 'read' }, { permission: 'owner' }, 'high', 'R-IAM-ROLE'],
    ['acme_seat', { role: 'admin' }, { role: 'viewer' }, 'low'],
  ]);
});

describe('copies and quorums', () => {
  testLevels([
    ['acme_topic', { min_insync_replicas: 2 }, { min_insync_replicas: 1 }, 'medium', 'R-VAL-COPIES'],
    ['acme_store', { write_quorum: 3 }, { write_quorum: 1 }, 'medium'],
    ['acme_topic', { replication_factor: 3 }, { replication_factor: 1 }, 'high', 'R-VAL-COPIES'],
    ['acme_service', { backup_retention_days: 7 }, { backup_retention_days: 0 }, 'high', 'R-VAL-COPIES'],
    ['acme_service', { backups_to_keep: 1, backup_count: 30 }, { backups_to_keep: 1, backup_count: 3 }, 'medium'],
    ['acme_store', { write_quorum: 1 }, { write_quorum: 2 }, 'low'],
    ['acme_service', { backup_window_minutes: 60 }, { backup_window_minutes: 0 }, 'low'],
  ]);
});

describe('consistency and durability', () => {
  testLevels([
    ['acme_reader', { consistency_level: 'Strong' }, { consistency_level: 'Eventual' }, 'medium', 'R-VAL-CONSISTENCY'],
    ['acme_reader', { isolation_level: 'serializable' }, { isolation_level: 'read_uncommitted' }, 'medium'],
    ['acme_producer', { acks: 'all' }, { acks: '0' }, 'medium', 'R-VAL-DURABILITY'],
    ['acme_reader', { consistency_level: 'Eventual' }, { consistency_level: 'Strong' }, 'low'],
  ]);
});

describe('logins', () => {
  testLevels([
    ['acme_login_rule', { mfa: 'required' }, { mfa: 'optional' }, 'high', 'R-VAL-FACTOR'],
    ['acme_login_rule', { session_lifetime: '15m' }, { session_lifetime: '30d' }, 'medium', 'R-VAL-ENDLESS'],
    ['acme_login_rule', { session_lifetime: '15m' }, { session_lifetime: '20m' }, 'low'],
    ['acme_login_rule', { max_failed_attempts: 5 }, { max_failed_attempts: 0 }, 'high', 'R-VAL-LIMIT'],
    ['acme_limiter', { rate_limit: 100 }, { rate_limit: 0 }, 'medium', 'R-VAL-LIMIT'],
    ['acme_limiter', { rate_limit: 100 }, { rate_limit: 120 }, 'low'],
  ]);
});

describe('approvals and triggers', () => {
  const filters = (...types: string[]) => ({
    filter_group: [{ filter: types.map((type) => ({ type, pattern: 'x' })) }],
  });
  testLevels([
    ['acme_release', { approval_mode: 'manual' }, { approval_mode: 'auto' }, 'medium', 'R-VAL-APPROVAL'],
    ['acme_release', { approval_mode: 'auto' }, { approval_mode: 'manual' }, 'low'],
    [
      'aws_codebuild_webhook',
      filters('EVENT', 'ACTOR_ACCOUNT_ID'),
      filters('EVENT', 'BASE_REF'),
      'high',
      'R-VAL-TRIGGER',
    ],
    ['aws_codebuild_webhook', filters('ACTOR_ACCOUNT_ID', 'EVENT'), filters('EVENT', 'ACTOR_ACCOUNT_ID'), 'low'],
    [
      'github_organization_ruleset',
      { rules: [{ required_status_checks: [{ required_check: [{ context: 'a' }, { context: 'c' }] }] }] },
      {
        rules: [
          { required_status_checks: [{ required_check: [{ context: 'a' }, { context: 'b' }, { context: 'c' }] }] },
        ],
      },
      'low',
    ],
  ]);
});

describe('patterns of what is allowed', () => {
  const pattern = (image: string) => ({ validate: [{ pattern: { image } }] });
  testLevels([
    ['acme_admission', pattern('reg.acme.io/*'), pattern('reg.acme.io/* | *.example.io/*'), 'medium', 'R-VAL-PATTERN'],
    ['acme_admission', pattern('reg.acme.io/*'), pattern('*'), 'high', 'R-VAL-PATTERN'],
    ['acme_admission', pattern('reg.acme.io/* | x.io/*'), pattern('reg.acme.io/*'), 'low'],
    ['acme_admission', pattern('reg.acme.io/*'), pattern('reg.acme.io/* | reg.acme.io/a/*'), 'low'],
  ]);
});

describe('what is routine in types that no rule knows', () => {
  testLevels([
    ['acme_card', { template: 'Do not share your password.' }, { template: 'Welcome back' }, 'low'],
    ['acme_card', { runbook: 'Check the limit and verify the token' }, { runbook: 'See the wiki' }, 'low'],
    ['acme_card', { docks: 24 }, { docks: 26 }, 'low'],
    ['acme_card', { sort_order: 'asc' }, { sort_order: 'desc' }, 'low'],
    ['acme_card', { poll_interval: '30s' }, { poll_interval: '60s' }, 'low'],
    ['acme_card', { opening_hours: '08:00-18:00' }, { opening_hours: '08:00-20:00' }, 'low'],
  ]);
});

describe('amounts of protections', () => {
  const budget = (units: string) => ({ amount: [{ specified_amount: [{ units }] }] });
  const rule = (priority: number) => ({ rule: [{ name: 'a', priority, action: [{ block: [{}] }] }] });
  testLevels([
    ['google_billing_budget', budget('100'), budget('150'), 'low'],
    ['google_billing_budget', budget('100'), budget('1000'), 'medium'],
    ['aws_wafv2_rule_group', rule(5), rule(4), 'medium', 'R-EFF-GUARD'],
  ]);
});

describe('edited rules that block', () => {
  const rules = (...expressions: string[]) => ({
    rules: expressions.map((expression) => ({ action: 'block', expression })),
  });
  testLevels([
    ['cloudflare_ruleset', rules('a.b eq 1'), rules('a.b eq 1 or c.d eq 2'), 'low'],
    ['cloudflare_ruleset', rules('a.b eq 1 or c.d eq 2'), rules('a.b eq 1'), 'high', 'R-SEC-WAF'],
    ['cloudflare_ruleset', rules('a.b eq 1'), rules(), 'high', 'R-SEC-WAF'],
  ]);
});

import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('spans of time, mail, listeners and credentials', () => {
  testLevels([
    [
      'corp_maintenance',
      { starts_at: '2026-05-01', ends_at: '2026-06-01' },
      { starts_at: '2026-05-01', ends_at: '2026-04-01' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'corp_grant',
      { valid_from: '2026-05-01', valid_until: '2026-12-01' },
      { valid_from: '2026-05-01', valid_until: '2026-02-01' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'corp_job',
      { not_before: '2026-05-01', not_after: '2027-12-01' },
      { not_before: '2028-05-01', not_after: '2027-12-01' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'azurerm_automation_schedule',
      { start_time: '2026-05-01T00:00:00Z', expiry_time: '2027-06-01T00:00:00Z' },
      { start_time: '2026-05-01T00:00:00Z', expiry_time: '2026-03-01T00:00:00Z' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'corp_shift',
      { start: '2026-05-01T08:00:00Z', end: '2026-07-01T08:00:00Z' },
      { start: '2026-05-01T08:00:00Z', end: '2026-05-01T07:00:00Z' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'corp_maintenance',
      { starts_at: '2026-05-01', ends_at: '2026-06-01' },
      { starts_at: '2026-05-01', ends_at: '2026-07-01' },
      'low',
    ],
    [
      'corp_maintenance',
      { starts_at: '2026-05-01', ends_at: '2026-06-01' },
      { starts_at: '2026-05-08', ends_at: '2026-06-01' },
      'low',
    ],
    [
      'corp_mailbox',
      { forward_to: 'office@acme.com' },
      { forward_to: 'acme.office@other-mail.net' },
      'high',
      'R-VAL-FORWARD',
    ],
    [
      'corp_user',
      { email: 'a@acme.com', forward_to: null },
      { email: 'a@acme.com', forward_to: 'x@other-mail.net' },
      'high',
      'R-VAL-FORWARD',
    ],
    [
      'corp_mail_rule',
      { blind_copy_to: ['a@acme.com'] },
      { blind_copy_to: ['a@acme.com', 'b@acme-mail.co'] },
      'high',
      'R-VAL-FORWARD',
    ],
    [
      'cloudflare_email_routing_rule',
      { action: [{ type: 'forward', value: ['ops@acme.com'] }] },
      { action: [{ type: 'forward', value: ['ops@mail.example'] }] },
      'high',
      'R-VAL-FORWARD',
    ],
    ['corp_mail_rule', { redirect_to: 'a@acme.com' }, { redirect_to: 'a@rival.example' }, 'high', 'R-VAL-FORWARD'],
    ['corp_mailbox', { forward_to: 'office@acme.com' }, { forward_to: 'desk@acme.com' }, 'low'],
    [
      'docker_container',
      { ports: [{ internal: 2375, ip: '127.0.0.1' }] },
      { ports: [{ internal: 2375, ip: '0.0.0.0' }] },
      'high',
      'R-VAL-LISTEN',
    ],
    ['corp_proxy', { listen_address: '127.0.0.1:9000' }, { listen_address: '0.0.0.0:9000' }, 'medium', 'R-VAL-LISTEN'],
    ['corp_db', { bind: 'localhost' }, { bind: '*' }, 'medium', 'R-VAL-LISTEN'],
    ['corp_agent', { http_listen: '[::1]:8500' }, { http_listen: ':8500' }, 'medium', 'R-VAL-LISTEN'],
    ['corp_cache', { bind_interface: 'loopback' }, { bind_interface: 'all' }, 'medium', 'R-VAL-LISTEN'],
    ['corp_proxy', { listen_address: '0.0.0.0:9000' }, { listen_address: '0.0.0.0:9001' }, 'low'],
    ['corp_proxy', { listen_address: '0.0.0.0:9000' }, { listen_address: '127.0.0.1:9000' }, 'low'],
    ['corp_auth', { token_ttl: 3600 }, { token_ttl: 0 }, 'medium', 'R-VAL-ENDLESS'],
    ['corp_api_key', { lifetime_days: 90 }, { lifetime_days: 0 }, 'medium', 'R-VAL-ENDLESS'],
    ['corp_auth', { token_ttl: 3600 }, { token_ttl: 1800 }, 'low'],
  ]);
});

describe('operations of private providers', () => {
  testLevels([
    ['corp_webhook', { method: 'POST' }, { method: 'GET' }, 'high', 'R-VAL-WORDS'],
    ['corp_uptime_check', { method: 'GET' }, { method: 'HEAD' }, 'low'],
    ['corp_deployment', { rollback: 'automatic' }, { rollback: 'none' }, 'high', 'R-VAL-WORDS'],
    ['corp_deployment', { on_failure: 'rollback' }, { on_failure: 'continue' }, 'medium', 'R-VAL-WORDS'],
    ['corp_deployment', { on_failure: 'continue' }, { on_failure: 'rollback' }, 'low'],
    ['corp_mfa_policy', { enforcement: 'required' }, { enforcement: 'optional' }, 'high'],
    ['corp_audit_log', { events: ['login', 'admin'] }, { events: ['login'] }, 'high', 'R-VAL-WORDS'],
    ['corp_audit_log', { events: ['login'] }, { events: ['login', 'admin'] }, 'low'],
    ['corp_audit_log', { destination: 's3://acme-audit' }, { destination: '' }, 'high', 'R-VAL-WORDS'],
    ['corp_lb', { backends: ['a', 'b'] }, { backends: [] }, 'high', 'R-VAL-WORDS'],
    ['corp_lb', { backends: ['a', 'b'] }, { backends: ['a', 'b', 'c'] }, 'low'],
    ['corp_webhook', { secret_verification: 'hmac' }, { secret_verification: 'none' }, 'high', 'R-VAL-WORDS'],
    ['corp_exporter', { fields: ['id', 'total'] }, { fields: ['id', 'total', 'email'] }, 'high', 'R-VAL-WORDS'],
    ['corp_exporter', { fields: ['id', 'total'] }, { fields: ['id', 'total', 'token_count'] }, 'low'],
    [
      'corp_proxy',
      { tls_ciphers: ['TLS_AES_256_GCM_SHA384'] },
      { tls_ciphers: ['TLS_AES_256_GCM_SHA384', 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'] },
      'high',
      'R-VAL-WORDS',
    ],
    ['corp_tenant_isolation', { level: 'dedicated' }, { level: 'shared' }, 'high', 'R-VAL-WORDS'],
    ['corp_tenant_isolation', { level: 'shared' }, { level: 'dedicated' }, 'low'],
    ['corp_scanner', { fail_on: 'high' }, { fail_on: 'never' }, 'high', 'R-VAL-WORDS'],
    ['corp_scanner', { exclude_paths: ['docs/'] }, { exclude_paths: ['docs/', 'src/'] }, 'high', 'R-VAL-WORDS'],
    ['corp_scanner', { exclude_paths: ['docs/'] }, { exclude_paths: ['docs/', 'node_modules/'] }, 'low'],
    ['corp_slo', { objective: 99.9 }, { objective: 50 }, 'high', 'R-VAL-WORDS'],
    ['corp_slo', { objective: 99.9 }, { objective: 99.95 }, 'low'],
    ['corp_rate_limit', { requests_per_minute: 600 }, { requests_per_minute: 0 }, 'high', 'R-VAL-WORDS'],
    ['corp_rate_limit', { requests_per_minute: 600 }, { requests_per_minute: 500 }, 'low'],
    ['corp_patch_policy', { auto_approve_after_days: 7 }, { auto_approve_after_days: 365 }, 'medium', 'R-VAL-WORDS'],
    ['corp_patch_policy', { severity: ['critical', 'important'] }, { severity: ['critical'] }, 'medium', 'R-VAL-WORDS'],
    ['corp_budget', { action: 'stop' }, { action: 'none' }, 'medium', 'R-VAL-WORDS'],
    ['corp_session', { idle_timeout: '15m' }, { idle_timeout: '30d' }, 'medium', 'R-VAL-WORDS'],
    ['corp_session', { idle_timeout: '15m' }, { idle_timeout: '20m' }, 'low'],
    ['corp_redaction', { fields: ['iban', 'email'] }, { fields: ['iban'] }, 'high', 'R-VAL-WORDS'],
    ['corp_backup', { exclude: ['tmp'] }, { exclude: ['tmp', 'ledger'] }, 'medium', 'R-VAL-WORDS'],
    ['corp_backup', { exclude: ['tmp'] }, { exclude: ['tmp', 'cache'] }, 'low'],
    ['corp_mute_rule', { severities: ['info'] }, { severities: ['info', 'critical'] }, 'high', 'R-VAL-MUTED'],
    ['corp_mute_rule', { match: "env = 'dev'" }, { match: "env = 'dev' or env = 'prod'" }, 'high'],
    [
      'corp_route',
      { path: '/admin/*', auth: [{ mode: 'sso' }] },
      { path: '/admin/', auth: [{ mode: 'sso' }] },
      'high',
      'R-VAL-EXCLUDE',
    ],
    ['corp_route', { path: '/shop/*', auth: [] }, { path: '/shop/', auth: [] }, 'low'],
  ]);
});

describe('secrets that leave their store', () => {
  const run = (env: object) => ({
    template: [{ containers: [{ image: 'i', env: [{ name: 'DB_PASSWORD', ...env }] }] }],
  });
  const task = (environment: object[], secrets: object[]) => ({
    container_definitions: JSON.stringify([{ name: 'app', environment, secrets }]),
  });
  const pod = (env: object) => ({ spec: [{ template: [{ spec: [{ container: [{ name: 'c', env: [env] }] }] }] }] });
  const FROM_SECRET = { name: 'API_TOKEN', value: '', value_from: [{ secret_key_ref: [{ name: 's', key: 'k' }] }] };
  const FROM_MAP = { name: 'LOG_LEVEL', value: '', value_from: [{ config_map_key_ref: [{ name: 's', key: 'k' }] }] };

  testLevels([
    [
      'google_cloud_run_v2_service',
      run({ value: '', value_source: [{ secret_key_ref: [{ secret: 'db' }] }] }),
      run({ value: 'Tr0mbone-9', value_source: [] }),
      'high',
      'R-SEC-SECRETPLAIN',
    ],
    [
      'aws_ecs_task_definition',
      task([], [{ name: 'DB_PASSWORD', valueFrom: 'arn:aws:secretsmanager:x' }]),
      task([{ name: 'DB_PASSWORD', value: 'Tr0mbone-9' }], []),
      'high',
      'R-SEC-SECRETPLAIN',
    ],
    [
      'kubernetes_deployment_v1',
      pod(FROM_SECRET),
      pod({ name: 'API_TOKEN', value: 'hunter-22', value_from: [] }),
      'high',
      'R-SEC-SECRETPLAIN',
    ],
    [
      'azurerm_container_app',
      { template: [{ container: [{ env: [{ name: 'DB_PASSWORD', secret_name: 'db', value: '' }] }] }] },
      { template: [{ container: [{ env: [{ name: 'DB_PASSWORD', secret_name: '', value: 'Tr0mbone-9' }] }] }] },
      'high',
      'R-SEC-SECRETPLAIN',
    ],
    [
      'corp_worker',
      { env: [{ name: 'DB_PASSWORD', secret_ref: 'db' }] },
      { env: [{ name: 'DB_PASSWORD', value: 'Tr0mbone-9' }] },
      'high',
      'R-SEC-SECRETPLAIN',
    ],
    ['kubernetes_deployment_v1', pod(FROM_MAP), pod({ name: 'LOG_LEVEL', value: 'debug', value_from: [] }), 'low'],
  ] as Parameters<typeof testLevels>[0]);
});

describe('backups and copies that are switched off in a block of their own', () => {
  testLevels([
    ['acme_keyspace', { snapshots: { enabled: true } }, { snapshots: { enabled: false } }, 'high', 'R-VAL-WORDS'],
    ['acme_store', { snapshot: [{ active: true }] }, { snapshot: [{ active: false }] }, 'high', 'R-VAL-WORDS'],
    ['acme_bucket', { versioning: { enabled: true } }, { versioning: { enabled: false } }, 'high'],
    ['acme_db', { pitr: { enabled: true } }, { pitr: { enabled: false } }, 'high', 'R-VAL-WORDS'],
    ['acme_service', { failover: { enabled: 'on' } }, { failover: { enabled: 'off' } }, 'high', 'R-VAL-WORDS'],
    ['acme_keyspace', { snapshots: { enabled: false } }, { snapshots: { enabled: true } }, 'low'],
    ['acme_service', { preview: { enabled: true } }, { preview: { enabled: false } }, 'low'],
  ]);
});

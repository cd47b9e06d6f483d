import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../../engine/documents/index.ts';
import { analyzePlan, type JsonObject, type JsonValue } from '../../../../engine/index.ts';

function judge(type: string, before: JsonObject, after: JsonObject): string | null {
  const change = { actions: ['update'], before, after, after_unknown: {}, before_sensitive: {}, after_sensitive: {} };
  const resource = { address: `${type}.x`, mode: 'managed', type, name: 'x', provider_name: 'example/x', change };
  const plan = { format_version: '1.2', terraform_version: '1.11.0', resource_changes: [resource] };
  return analyzePlan(JSON.stringify(plan), { parsers: () => documentParsers }).risk_level;
}

const RELEASE = { name: 'ops', chart: 'ops-admin', namespace: 'ops' };
const helm = (before: string, after: string) =>
  judge('helm_release', { ...RELEASE, values: [before] }, { ...RELEASE, values: [after] });

describe('a value of an unknown chart', () => {
  const RANGE = 'nginx.ingress.kubernetes.io/whitelist-source-range';
  test.each([
    [
      `annotations:\n  ${RANGE}: 10.0.0.0/8,203.0.113.40/32`,
      `annotations:\n  ${RANGE}: 10.0.0.0/8,203.0.113.40/0`,
      'high',
    ],
    ['loadBalancerSourceRanges: [198.51.100.0/24]', 'loadBalancerSourceRanges: [0.0.0.0/1, 128.0.0.0/1]', 'high'],
    ['loadBalancerSourceRanges: [198.51.100.0/24]', 'loadBalancerSourceRanges: [64.0.0.0/3]', 'high'],
    ['loadBalancerSourceRanges: [198.51.100.0/24]', 'loadBalancerSourceRanges: [198.51.100.0/25]', 'low'],
    [
      'loadBalancerSourceRanges: [198.51.100.0/24]',
      'loadBalancerSourceRanges: [198.51.100.0/24, 203.0.113.9/32]',
      'medium',
    ],
    ['config:\n  retentionDays: 2555', 'config:\n  retentionDays: 30', 'high'],
    ['config:\n  retentionDays: 2555', 'config:\n  retentionDays: 2600', 'low'],
    ['config:\n  audit:\n    level: full', 'config:\n  audit:\n    level: none', 'high'],
    ['config:\n  defaultRole: viewer', 'config:\n  defaultRole: admin', 'high'],
    ['config:\n  adminGroup: platform-admins', 'config:\n  adminGroup: "*"', 'high'],
    ['config:\n  share:\n    mode: private', 'config:\n  share:\n    mode: anyone-with-link', 'high'],
    ['oauth:\n  redirectUris: ["https://a.example/cb"]', 'oauth:\n  redirectUris: ["https://*"]', 'high'],
    [
      'oauth:\n  redirectUris: ["https://a.example/cb"]',
      'oauth:\n  redirectUris: ["https://a.example/cb", "https://a.example/silent"]',
      'medium',
    ],
    ['args: [serve, --auth-mode=server]', 'args: [serve, --auth-mode=none]', 'high'],
    ['args: [serve]', 'args: [serve, --insecure-skip-tls-verify]', 'high'],
    ['args: [serve, --workers, "4"]', 'args: [serve, --workers, "6"]', 'low'],
    [
      'file: |\n  email_domains = [ "a.example" ]\n  port = 1',
      'file: |\n  email_domains = [ "*" ]\n  port = 1',
      'high',
    ],
    ['ldap:\n  userFilter: "(&(a=b)(memberOf=c))"', 'ldap:\n  userFilter: "(a=b)"', 'high'],
    ['passwordPolicy:\n  minLength: 14', 'passwordPolicy:\n  minLength: 4', 'high'],
    ['passwordPolicy:\n  minLength: 12', 'passwordPolicy:\n  minLength: 14', 'low'],
    ['payouts: four-eyes', 'payouts: automatic', 'high'],
    ['backup:\n  keepDays: 365', 'backup:\n  keepDays: 3', 'high'],
    ['config:\n  logLevel: info', 'config:\n  logLevel: warn', 'low'],
  ])('that moves from %j to %j is %s', (before, after, level) => {
    expect(helm(`${before}\nreplicas: 2\n`, `${after}\nreplicas: 2\n`)).toBe(level);
  });
});

describe('a bucket policy for everybody in the organization', () => {
  const ORGANIZATION = { StringEquals: { 'aws:PrincipalOrgID': 'o-a1b2c3d4e5' } };
  const grant = (Principal: unknown, Condition: unknown) => ({
    ...{ Effect: 'Allow', Principal, Action: 's3:GetObject', Resource: 'arn:aws:s3:::acme-claims/*' },
    ...(Condition === null ? {} : { Condition }),
  });
  const policy = (...Statement: unknown[]): JsonObject => ({
    bucket: 'acme-claims',
    policy: JSON.stringify({ Version: '2012-10-17', Statement }),
  });
  const ROLE = { AWS: 'arn:aws:iam::733910265584:role/audit' };
  const OURS = grant('*', ORGANIZATION);

  test.each([
    [
      'holds only for callers with an organization',
      [grant('*', { StringEqualsIfExists: ORGANIZATION.StringEquals })],
      'high',
    ],
    ['holds for networks of every size', [grant('*', { IpAddress: { 'aws:SourceIp': '198.51.100.0/0' } })], 'high'],
    ['also names a role of the same organization', [OURS, grant(ROLE, ORGANIZATION)], 'medium'],
    ['also names a role without a condition', [OURS, grant(ROLE, null)], 'high'],
    [
      'also names a role of another organization',
      [OURS, grant(ROLE, { StringEquals: { 'aws:PrincipalOrgID': 'o-zzzzzzzzzz' } })],
      'high',
    ],
  ])('that now %s', (_change, statements, level) => {
    expect(judge('aws_s3_bucket_policy', policy(OURS), policy(...statements))).toBe(level);
  });
});

describe('a custom rule of a firewall before the rules of the provider', () => {
  const firewall = (custom_rules: JsonObject[]): JsonObject => ({
    ...{ name: 'shop', custom_rules, policy_settings: [{ enabled: true, mode: 'Prevention' }] },
    managed_rules: [{ managed_rule_set: [{ type: 'OWASP', version: '3.2' }] }],
  });
  const rule = (action: string, variable_name: string, operator: string, match_values: string[]): JsonObject => ({
    ...{ name: 'base', priority: 1, action, enabled: true, rule_type: 'MatchRule' },
    match_conditions: [{ match_variables: [{ variable_name }], operator, match_values, negation_condition: false }],
  });

  test.each([
    [rule('Allow', 'RequestUri', 'Any', ['*']), 'high'],
    [rule('Allow', 'RequestUri', 'BeginsWith', ['/']), 'high'],
    [rule('Allow', 'RemoteAddr', 'IPMatch', ['0.0.0.0/0']), 'high'],
    [rule('Allow', 'RemoteAddr', 'IPMatch', ['203.0.113.9/32']), 'medium'],
    [rule('Block', 'RemoteAddr', 'IPMatch', ['203.0.113.9/32']), 'medium'],
  ])('%j is %s', (added, level) => {
    expect(judge('azurerm_web_application_firewall_policy', firewall([]), firewall([added]))).toBe(level);
  });
});

/** One setting, wherever it stands. */
const LOSSES: [
  name: string,
  before: string | number | boolean | string[],
  after: string | number | boolean | string[],
  level: string,
][] = [
  ['authentication', 'required', 'optional', 'high'],
  ['mfa', 'required', 'optional', 'high'],
  ['backup_enabled', true, false, 'high'],
  ['audit_logging', true, false, 'high'],
  ['firewall_mode', 'block', 'monitor', 'high'],
  ['waf_action', 'deny', 'log', 'high'],
  ['default_role', 'viewer', 'admin', 'high'],
  ['redirect_uris', ['https://a.example/cb'], ['https://a.example/cb', 'https://*.example/*'], 'high'],
  ['alert_recipients', ['oncall@acme.example'], [], 'high'],
  ['object_lock_mode', 'COMPLIANCE', 'NONE', 'high'],
  ['private_key_exportable', false, true, 'high'],
  ['allow_force_push', false, true, 'high'],
  ['failure_policy', 'Fail', 'Ignore', 'high'],
  ['passwordless_sudo', false, true, 'high'],
  ['protocol', 'https', 'http', 'high'],
  ['rate_limit_enabled', true, false, 'medium'],
  ['session_timeout', '30m', '720h', 'medium'],
  ['encryption_at_rest', false, true, 'low'],
  ['allowed_cidrs', ['10.0.0.0/16', '10.1.0.0/16'], ['10.0.0.0/16'], 'low'],
  ['required_approvals', 1, 2, 'low'],
  ['max_connections', 100, 150, 'low'],
  ['backup_schedule', '0 2 * * *', '0 3 * * *', 'low'],
  ['batch_size', 100, 120, 'low'],
];
const toText = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value));
const toYaml = (name: string, value: unknown) => `service:\n  tier: std\n  ${name}: ${JSON.stringify(value)}\n`;
const PLACES: [place: string, type: string, hold: (name: string, value: JsonValue) => JsonObject][] = [
  ['an argument of an unknown provider', 'orbita_service', (name, value) => ({ name: 'claims', [name]: value })],
  [
    'a block of an unknown provider',
    'orbita_service',
    (name, value) => ({ name: 'claims', parts: [{ [name]: value }] }),
  ],
  [
    'a JSON document',
    'orbita_service',
    (name, value) => ({ definition: JSON.stringify({ tier: 'std', service: { [name]: value } }) }),
  ],
  ['a YAML file', 'kubernetes_config_map', (name, value) => ({ data: { 'app.yaml': toYaml(name, value) } })],
  ['a Helm value', 'helm_release', (name, value) => ({ ...RELEASE, values: [toYaml(name, value)] })],
  [
    'an option of a command',
    'helm_release',
    (name, value) => ({
      ...RELEASE,
      values: [`args:\n  - serve\n  - --${name.replaceAll('_', '-')}=${toText(value)}\n`],
    }),
  ],
  [
    'a variable of a function',
    'aws_lambda_function',
    (name, value) => ({ environment: [{ variables: { TIER: 'std', [name.toUpperCase()]: toText(value) } }] }),
  ],
];

describe.each(PLACES)('%s', (_place, type, hold) => {
  test.each(LOSSES)('that moves %s from %j to %j is %s', (name, before, after, level) => {
    expect(judge(type, hold(name, before), hold(name, after))).toBe(level);
  });
});

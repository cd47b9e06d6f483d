import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../../engine/documents/index.ts';
import { analyzePlan, type JsonObject } from '../../../../engine/index.ts';

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

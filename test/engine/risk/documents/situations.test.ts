import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../../engine/documents/index.ts';
import { analyzePlan, type JsonValue } from '../../../../engine/index.ts';
import { isProse } from '../../../../engine/risk/documents/prose.ts';

/** The level and the noise of a plan that changes one resource. */
function judge(type: string, before: JsonValue, after: JsonValue): string {
  const change = { actions: ['update'], before, after, after_unknown: {}, before_sensitive: {}, after_sensitive: {} };
  const resource = { address: `${type}.x`, mode: 'managed', type, name: 'x', provider_name: 'example/x', change };
  const plan = { format_version: '1.2', terraform_version: '1.11.0', resource_changes: [resource] };
  return analyzePlan(JSON.stringify(plan), { parsers: () => documentParsers }).changes[0]!.risk.level;
}

const helm = (before: string, after: string) =>
  judge('helm_release', { name: 'x', values: [before] }, { name: 'x', values: [after] });
const file = (before: string, after: string) =>
  judge('acme_file', { name: 'x', content: before }, { name: 'x', content: after });

describe('a Helm value', () => {
  test.each([
    ['backup:\n  enabled: true\nx: 1\n', 'backup:\n  enabled: false\nx: 1\n', 'high'],
    ['schedules:\n  daily:\n    disabled: false\n', 'schedules:\n  daily:\n    disabled: true\n', 'medium'],
    ['cronjob:\n  suspend: false\n', 'cronjob:\n  suspend: true\n', 'medium'],
    ['backup:\n  schedule: "0 2 * * *"\n', 'backup:\n  schedule: "0 2 31 2 *"\n', 'high'],
    ['replicaCount: 3\nx: 1\n', 'replicaCount: 0\nx: 1\n', 'high'],
    ['replicaCount: 3\nx: 1\n', 'replicaCount: 4\nx: 1\n', 'low'],
    ['dashboard:\n  enabled: true\n', 'dashboard:\n  enabled: false\n', 'low'],
    ['tests:\n  enabled: true\njob: {}\n', 'tests:\n  enabled: false\njob: {}\n', 'low'],
    ['cronjob:\n  suspend: true\n', 'cronjob:\n  suspend: false\n', 'low'],
  ])('%j to %j is %s', (before, after, level) => expect(helm(before, after)).toBe(level));
});

describe('a state machine', () => {
  const machine = (next: string, extra: object = {}) => ({
    definition: JSON.stringify({
      StartAt: 'Load',
      States: {
        Load: { Type: 'Task', Resource: 'a', Next: next },
        ApproveOrder: { Type: 'Task', Resource: 'b', Next: 'Tidy' },
        Tidy: { Type: 'Pass', Next: 'Ship' },
        Ship: { Type: 'Task', Resource: 'c', End: true },
        ...extra,
      },
    }),
  });

  test('that goes around an approval is high', () => {
    expect(judge('aws_sfn_state_machine', machine('ApproveOrder'), machine('Ship'))).toBe('high');
  });

  test('that goes around another step is medium', () => {
    expect(judge('aws_sfn_state_machine', machine('Tidy'), machine('Ship'))).toBe('medium');
  });

  test('with another step is low', () => {
    const more = machine('ApproveOrder', { Extra: { Type: 'Pass', Next: 'Ship' } });
    expect(judge('aws_sfn_state_machine', machine('ApproveOrder'), more)).toBe('low');
  });
});

describe('rules of Prometheus', () => {
  const rule = (expr: string, wait = '5m') =>
    `groups:\n- name: a\n  rules:\n  - alert: Errors\n    expr: ${expr}\n    for: ${wait}\n`;
  test.each([
    ['with a threshold that is never reached', rule('100 * e / t > 5'), rule('100 * e / t > 500'), 'high'],
    ['that wait for days', rule('e > 5'), rule('e > 5', '7d'), 'high'],
    ['that wait a little longer', rule('e > 5'), rule('e > 5', '45m'), 'medium'],
    ['that are gone', rule('e > 5'), 'groups:\n- name: a\n  rules: []\n', 'medium'],
    ['with a slightly higher threshold', rule('e > 5'), rule('e > 6'), 'low'],
  ])('%s are %4$s', (_, before, after, level) => expect(file(before, after)).toBe(level));
});

describe('a configuration of a host', () => {
  const CLOUD = '#cloud-config\nssh_pwauth: false\ndisable_root: true\npackages:\n  - nginx\n';
  test.each([
    ['accepts passwords', CLOUD, CLOUD.replace('pwauth: false', 'pwauth: true'), 'high'],
    ['lets root log in', CLOUD, CLOUD.replace('root: true', 'root: false'), 'high'],
    ['installs a package', CLOUD, `${CLOUD}  - htop\n`, 'low'],
    ['accepts TLS 1.0', 'ssl_protocols TLSv1.2;\na b;\n', 'ssl_protocols TLSv1 TLSv1.2;\na b;\n', 'medium'],
    ['forbids TLS 1.0', 'ssl-opts no-tlsv10;\na b;\n', 'ssl-opts no-tlsv10 no-tlsv11;\na b;\n', 'low'],
    ['lists folders', 'listen 80;\na b;\n', 'listen 80;\nautoindex on;\na b;\n', 'medium'],
  ])('that %s is judged', (_, before, after, level) => expect(file(before, after)).toBe(level));
});

describe('sentences', () => {
  test.each(['Do not share your token with anyone.', 'We block fraud.', 'p = Validate your order within 24 hours'])(
    '%j restricts nothing',
    (line) => expect(isProse(line)).toBe(true),
  );

  test.each([
    'deny all;',
    'PasswordAuthentication no',
    'http-request deny if blocked',
    'REVOKE ALL ON orders FROM PUBLIC',
    'WHERE tenant_id = 4',
    'Require valid-user',
    'input.user.role == "admin"',
  ])('%j is a line for a program', (line) => expect(isProse(line)).toBe(false));

  test('of a mail template are not judged', () => {
    expect(file('<p>Never share your token.</p>\n<p>We block fraud.</p>', '<p>Hello</p>\n<p>Bye</p>')).toBe('low');
  });
});

describe('policies of a cluster', () => {
  const manifest = (kind: string, spec: JsonValue) => ({
    manifest: { apiVersion: 'x/v1', kind, metadata: { name: 'a', namespace: 'b' }, spec },
  });
  const policy = (kind: string, before: JsonValue, after: JsonValue) =>
    judge('kubernetes_manifest', manifest(kind, before), manifest(kind, after));
  const from = (...principals: string[]) => ({ from: [{ source: { principals } }] });
  const peer = { from: [{ podSelector: { matchLabels: { a: 'b' } } }] };
  const net = (ingress: JsonValue) => ({ podSelector: {}, policyTypes: ['Ingress'], ingress });

  test.each<[string, string, JsonValue, JsonValue, string]>([
    ['an empty rule', 'AuthorizationPolicy', { rules: [from('a')] }, { rules: [from('a'), {}] }, 'high'],
    ['every principal', 'AuthorizationPolicy', { rules: [from('a')] }, { rules: [from('*')] }, 'high'],
    ['no denial', 'AuthorizationPolicy', { action: 'DENY', rules: [from('a')] }, { rules: [from('a')] }, 'high'],
    ['another principal', 'AuthorizationPolicy', { rules: [from('a')] }, { rules: [from('a', 'b')] }, 'medium'],
    ['no tokens', 'RequestAuthentication', { jwtRules: [{ issuer: 'x' }] }, { jwtRules: [] }, 'high'],
    ['every source', 'NetworkPolicy', net([peer]), net([{}]), 'high'],
    ['no source', 'NetworkPolicy', net([peer]), { podSelector: {}, policyTypes: ['Ingress'] }, 'medium'],
    [
      'only reports',
      'ValidatingAdmissionPolicyBinding',
      { validationActions: ['Deny'] },
      { validationActions: ['Warn'] },
      'high',
    ],
    [
      'every namespace',
      'K8sAllowedRepos',
      { match: { excludedNamespaces: ['a'] } },
      { match: { excludedNamespaces: ['a', '*'] } },
      'high',
    ],
    [
      'every image',
      'K8sAllowedRepos',
      { parameters: { repos: ['a.io/'] } },
      { parameters: { repos: ['a.io/', ''] } },
      'high',
    ],
    [
      'another image',
      'K8sAllowedRepos',
      { parameters: { repos: ['a.io/'] } },
      { parameters: { repos: ['a.io/', 'b.io/'] } },
      'medium',
    ],
    [
      'all nodes at once',
      'NodePool',
      { disruption: { budgets: [{ nodes: '10%' }] } },
      { disruption: { budgets: [{ nodes: '100%' }] } },
      'medium',
    ],
  ])('that allow %s are judged (%s)', (_, kind, before, after, level) =>
    expect(policy(kind, before, after)).toBe(level),
  );
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/index.ts';
import { judge } from './judge.ts';

const release = (chart: string, values: string[], set: JsonObject[] = []): JsonObject => ({ chart, values, set });
const level = (type: string, before: JsonObject | null, after: JsonObject) => judge(type, before, after).risk.level;

describe('values of a chart', () => {
  test.each([
    ['vault', 'server:\n  ha:\n    replicas: 5\n', 'server:\n  ha:\n    replicas: 1\n', 'high'],
    ['vault', 'server:\n  ha:\n    replicas: 3\n', 'server:\n  ha:\n    replicas: 5\n', 'low'],
    ['oci://registry.example.com/charts/external-dns', 'policy: upsert-only\n', 'policy: sync\n', 'high'],
    ['external-dns', 'policy: sync\n', 'policy: upsert-only\n', 'low'],
    [
      'argo-cd',
      'configs:\n  rbac:\n    policy.default: ""\n',
      'configs:\n  rbac:\n    policy.default: role:admin\n',
      'critical',
    ],
    ['cilium', 'policyEnforcementMode: default\n', 'policyEnforcementMode: never\n', 'high'],
    ['cert-manager', 'installCRDs: true\n', 'installCRDs: false\n', 'critical'],
    ['cert-manager', 'installCRDs: true\n', 'crds:\n  enabled: true\n', 'low'],
    ['./charts/shop', 'replicaCount: 3\n', 'replicaCount: 0\n', 'high'],
    ['./charts/shop', 'replicaCount: 3\n', 'replicaCount: 4\n', 'low'],
    ['./charts/shop', 'fullnameOverride: shop\nport: 80\n', 'fullnameOverride: store\nport: 80\n', 'high'],
  ])('%s: %j to %j is %s', (chart, before, after, expected) => {
    expect(level('helm_release', release(chart, [before]), release(chart, [after]))).toBe(expected);
  });

  test('count as Helm merges them: a later document and a set block override', () => {
    const off = 'auth:\n  enabled: false\nport: 1\n';
    const on = 'auth:\n  enabled: true\nport: 1\n';
    const before = release('redis', [on]);

    expect(level('helm_release', before, release('redis', [on, off]))).toBe('high');
    expect(level('helm_release', before, release('redis', [off, on]))).toBe('low');
    expect(level('helm_release', before, release('redis', [on], [{ name: 'auth.enabled', value: 'false' }]))).toBe(
      'high',
    );
    expect(level('helm_release', before, release('redis', [off], [{ name: 'auth.enabled', value: 'true' }]))).toBe(
      'low',
    );
  });

  test('an edited entry of a list neither comes nor goes', () => {
    const pools = (size: number) =>
      `cephBlockPools:\n  - name: a\n    spec:\n      replicated:\n        size: ${size}\n`;

    expect(
      level('helm_release', release('rook-ceph-cluster', [pools(2)]), release('rook-ceph-cluster', [pools(3)])),
    ).toBe('low');
    expect(
      level('helm_release', release('rook-ceph-cluster', [pools(3)]), release('rook-ceph-cluster', [pools(1)])),
    ).toBe('high');
  });
});

const file = (content: string): JsonObject => ({ content, name: 'x' });

describe('a file of a known kind', () => {
  const routes = ['  - matchers: [team="a"]\n    receiver: a\n', '  - matchers: [team="b"]\n    receiver: b\n'];
  const alertmanager = (receiver: string, list: string[]) =>
    `route:\n  receiver: ${receiver}\n  routes:\n${list.join('')}receivers:\n  - name: a\n  - name: b\n  - name: blackhole\n`;

  test.each([
    ['a null receiver', alertmanager('a', routes), alertmanager('blackhole', routes), 'critical'],
    [
      'a null receiver of an alert that always fires',
      alertmanager('a', routes),
      alertmanager('a', [...routes, '  - matchers: [\'alertname="Watchdog"\']\n    receiver: blackhole\n']),
      'low',
    ],
    ['another order of routes', alertmanager('a', routes), alertmanager('a', [...routes].reverse()), 'high'],
    [
      'another priority of a detection',
      '- rule: Shell\n  condition: spawned\n  priority: CRITICAL\n',
      '- rule: Shell\n  condition: spawned\n  priority: NOTICE\n',
      'high',
    ],
    [
      'a more urgent detection',
      '- rule: Shell\n  condition: spawned\n  priority: NOTICE\n',
      '- rule: Shell\n  condition: spawned\n  priority: CRITICAL\n',
      'low',
    ],
    [
      'another authorization of an API server',
      'cluster:\n  apiServer:\n    extraArgs:\n      v: "2"\n',
      'cluster:\n  apiServer:\n    extraArgs:\n      v: "2"\n      authorization-mode: AlwaysAllow\n',
      'critical',
    ],
  ])('with %s', (_, before, after, expected) => {
    expect(level('example_file', file(before), file(after))).toBe(expected);
  });
});

describe('a text of directives', () => {
  const sshd = (line: string) => `Port 22\nPermitRootLogin no\n${line}\nAuthorizedKeysFile .ssh/authorized_keys\n`;
  const hba = (lines: string[]) => `${['local all all peer', ...lines].join('\n')}\n`;
  const rules = ['hostssl all all 10.9.0.0/16 reject', 'host all app 10.0.0.0/8 scram-sha-256'];

  test.each([
    ['sshd that accepts every account', sshd('AllowGroups ops'), sshd('# none'), 'high'],
    ['sshd with another group', sshd('AllowGroups ops'), sshd('AllowGroups ops dev'), 'low'],
    ['pg_hba with trust', hba(rules), hba([...rules, 'host all all 10.0.0.0/8 trust']), 'critical'],
    ['pg_hba in another order', hba(rules), hba([...rules].reverse()), 'high'],
    [
      'a job with an argument in braces',
      'job "a" {\n  group "a" {\n    config { image = "a" privileged = false }\n  }\n}\n',
      'job "a" {\n  group "a" {\n    config { image = "a" privileged = true }\n  }\n}\n',
      'high',
    ],
  ])('%s', (_, before, after, expected) => {
    expect(level('example_file', file(before), file(after))).toBe(expected);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../../engine/model/result.ts';
import { judge } from '../judging.ts';

function isHigh(type: string, before: JsonObject, after: JsonObject): boolean {
  return judge('update', type, { before: { spec: before }, after: { spec: after } })['R-K8S-POLICY'] === 'high';
}

const route = (prefix: string, host: string): JsonObject => ({
  match: [{ uri: { prefix } }],
  route: [{ destination: { host } }],
});
const packet = (action: string, nets?: string): JsonObject =>
  nets === undefined ? { action } : { action, destination: { nets: [nets] } };
const alert = (receiver: string, matchers: JsonValue[], more: JsonObject = {}): JsonObject => ({
  receiver,
  matchers,
  ...more,
});

describe('lists of which the first entry that matches decides', () => {
  const [pay, img, rest] = [route('/pay', 'pay'), route('/img', 'img'), route('/', 'web')];

  test('are high when an entry that takes everything moves before others', () => {
    expect(isHigh('kubernetes_virtual_service', { http: [pay, img, rest] }, { http: [rest, pay, img] })).toBe(true);
    const [deny, allow] = [packet('Deny', '10.1.0.0/16'), packet('Allow')];
    expect(isHigh('kubernetes_global_network_policy', { egress: [deny, allow] }, { egress: [allow, deny] })).toBe(true);
    const [page, all] = [alert('page', [{ name: 'severity', value: 'critical' }]), alert('chat', [])];
    const routes = (list: JsonValue[]): JsonObject => ({ route: { receiver: 'chat', routes: list } });
    expect(isHigh('kubernetes_alertmanager_config', routes([page, all]), routes([all, page]))).toBe(true);
  });

  test('are not when no entry is hidden', () => {
    expect(isHigh('kubernetes_virtual_service', { http: [pay, img, rest] }, { http: [img, pay, rest] })).toBe(false);
    expect(isHigh('kubernetes_virtual_service', { http: [rest, pay] }, { http: [pay, rest] })).toBe(false);
    expect(isHigh('kubernetes_virtual_service', { http: [pay] }, { http: [pay, rest] })).toBe(false);
    const more = alert('chat', [], { continue: true });
    const page = alert('page', [{ name: 'severity', value: 'critical' }]);
    const routes = (list: JsonValue[]): JsonObject => ({ route: { receiver: 'chat', routes: list } });
    expect(isHigh('kubernetes_alertmanager_config', routes([page, more]), routes([more, page]))).toBe(false);
  });
});

describe('a check of an admission policy', () => {
  const checks = (expression: string): JsonObject => ({ validations: [{ expression }] });
  const type = 'kubernetes_validating_admission_policy';
  const one = 'object.spec.replicas <= 5';

  test('is high when another alternative makes it true', () => {
    expect(isHigh(type, checks(one), checks(`${one} || request.userInfo.username == "ci"`))).toBe(true);
  });

  test('is not when it demands more', () => {
    expect(isHigh(type, checks(one), checks(`${one} && object.spec.paused == false`))).toBe(false);
  });
});

describe('roles and new network policies', () => {
  test('a role that may escalate is high, even if it has everything in other groups', () => {
    const rule = (verbs: string[]): JsonObject => ({
      rule: [
        { api_groups: [''], resources: ['*'], verbs: ['*'] },
        { api_groups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs },
      ],
    });
    const type = 'kubernetes_cluster_role_v1';
    expect(judge('update', type, { before: rule(['get']), after: rule(['get', 'bind']) })).toEqual({
      'R-IAM-WIDE': 'high',
    });
    expect(judge('update', type, { before: rule(['get']), after: rule(['get', 'list']) })).toEqual({});
  });

  test('a new network policy that admits every source is medium', () => {
    const policy = (ingress: JsonValue[]): JsonObject => ({ spec: [{ policy_types: ['Ingress'], ingress }] });
    const make = (ingress: JsonValue[]) => judge('create', 'kubernetes_network_policy_v1', { after: policy(ingress) });
    expect(make([{ from: [], ports: [] }])).toEqual({ 'R-K8S-POLICY': 'medium' });
    expect(make([{ from: [{ pod_selector: [{ match_labels: { app: 'a' } }] }], ports: [] }])).toEqual({});
    expect(make([])).toEqual({});
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject, RiskLevel } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

describe('a Kubernetes service with a load balancer', () => {
  const service = (spec: JsonObject, annotations: JsonObject = {}) => ({
    metadata: [{ name: 'db', annotations }],
    spec: [{ type: 'LoadBalancer', port: [{ port: 5432 }], load_balancer_source_ranges: [], ...spec }],
  });
  const type = 'kubernetes_service_v1';
  const inner = service({ type: 'ClusterIP' });

  test('is high when it exposes a database port to the internet', () => {
    const { reasons, change } = findings('update', type, { before: inner, after: service({}) });
    expect(reasons.map(({ rule_id, level }) => [rule_id, level])).toEqual([['R-NET-OPEN', 'high']]);
    expect(reasons[0]!.message).toContain('5432');
    expect(change.diffs[0]!.direction).toBe('weakening');
    expect(judge('create', type, { after: service({}) })).toEqual({ 'R-NET-OPEN': 'high' });
    expect(judge('update', type, { before: service({}), after: inner })).toEqual({
      'R-ATTR-kubernetes_service_v1.spec.*.type': 'high',
    });
    expect(judge('update', type, { before: service({}), after: service({ session_affinity: 'None' }) })).toEqual({});
  });

  test.each<[JsonObject, JsonObject]>([
    [{}, { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' }],
    [{}, { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' }],
    [{}, { 'networking.gke.io/load-balancer-type': 'Internal' }],
    [{ load_balancer_source_ranges: ['10.0.0.0/8'] }, {}],
    [{ port: [{ port: 443 }] }, {}],
    [{ type: 'NodePort' }, {}],
  ])('gives no reason when it is internal, restricted or serves HTTPS: %j %j', (spec, annotations) => {
    expect(judge('create', type, { after: service(spec, annotations) })).toEqual({});
  });
});

describe('a pod with access to its host', () => {
  const pod = (spec: JsonObject) => ({ spec: [{ template: [{ spec: [spec] }] }] });
  const type = 'kubernetes_deployment_v1';
  const mount = (path: string) => ({ volume: [{ name: 'v', host_path: [{ path }] }] });
  const powers = (...add: string[]) => ({
    container: [{ name: 'a', security_context: [{ capabilities: [{ add }] }] }],
  });

  test.each([mount('/'), mount('/var/run/docker.sock'), mount('/etc/kubernetes'), powers('SYS_ADMIN'), powers('ALL')])(
    'is high with %j',
    (spec) => {
      expect(judge('create', type, { after: pod(spec) })).toEqual({ 'R-CMP-PRIV': 'high' });
      expect(judge('update', type, { before: pod(spec), after: pod({}) })).toEqual({});
    },
  );

  test.each([
    mount('/var/log'),
    mount('/data'),
    powers('NET_BIND_SERVICE'),
    { volume: [{ name: 'v', empty_dir: [{}] }] },
  ])('gives no reason with %j', (spec) => {
    expect(judge('create', type, { after: pod(spec) })).toEqual({});
  });
});

test('lowering the pod security standard of a namespace is reported by the new standard', () => {
  const namespace = (enforce?: string) => ({
    metadata: [{ labels: enforce ? { 'pod-security.kubernetes.io/enforce': enforce, team: 'a' } : { team: 'a' } }],
  });
  const type = 'kubernetes_namespace';
  const rule = `R-ATTR-${type}.metadata.*.labels`;
  expect(judge('update', type, { before: namespace('restricted'), after: namespace() })).toEqual({ [rule]: 'high' });
  expect(judge('update', type, { before: namespace('restricted'), after: namespace('baseline') })).toEqual({
    [rule]: 'medium',
  });
  expect(judge('update', type, { before: namespace(), after: namespace('baseline') })).toEqual({});
});

describe('a cluster role', () => {
  const role = (resources: string[], verbs: string[], more: JsonObject = {}) => ({
    rule: [{ api_groups: [''], resources, verbs, ...more }],
  });
  const type = 'kubernetes_cluster_role_v1';

  test.each<[JsonObject, string]>([
    [role(['users'], ['impersonate']), 'R-IAM-WIDE'],
    [role(['clusterroles'], ['bind', 'escalate'], { api_groups: ['rbac.authorization.k8s.io'] }), 'R-IAM-WIDE'],
    [role(['pods/exec'], ['create']), 'R-IAM-WILDCARD'],
    [role(['secrets'], ['get']), 'R-IAM-WILDCARD'],
  ])('with %j is high', (after, rule) => {
    expect(judge('create', type, { after })).toEqual({ [rule]: 'high' });
    expect(judge('update', type, { before: after, after: role(['pods'], ['get']) })).toEqual({});
  });

  test.each([
    role(['pods', 'services'], ['get', 'list', 'watch']),
    role(['secrets'], ['get'], { resource_names: ['tls'] }),
    role(['*'], ['*'], { api_groups: ['cert-manager.io'] }),
  ])('with %j gives no reason', (after) => {
    expect(judge('create', type, { after })).toEqual({});
  });

  const binding = (name: string, subject: JsonObject) => ({ role_ref: [{ name }], subject: [subject] });
  const bound = 'kubernetes_cluster_role_binding';

  test.each<[from: [kind: string, name: string], to: JsonObject, RiskLevel | undefined]>([
    [['Group', 'system:serviceaccounts:ci'], { kind: 'ServiceAccount', name: 'deployer', namespace: 'ci' }, undefined],
    [['Group', 'system:serviceaccounts'], { kind: 'ServiceAccount', name: 'deployer', namespace: 'ci' }, undefined],
    [['Group', 'system:authenticated'], { kind: 'ServiceAccount', name: 'deployer', namespace: 'ci' }, undefined],
    [['Group', 'system:serviceaccounts'], { kind: 'Group', name: 'system:serviceaccounts:ci' }, undefined],
    [['Group', 'system:authenticated'], { kind: 'Group', name: 'system:serviceaccounts' }, undefined],
    [['Group', 'system:authenticated'], { kind: 'User', name: 'jane' }, undefined],
    [['Group', 'system:authenticated'], { kind: 'User', name: 'system:anonymous' }, 'critical'],
    [['Group', 'system:serviceaccounts:ci'], { kind: 'ServiceAccount', name: 'a', namespace: 'dev' }, 'critical'],
    [['Group', 'system:serviceaccounts:ci'], { kind: 'Group', name: 'system:serviceaccounts' }, 'critical'],
    [['ServiceAccount', 'deployer'], { kind: 'Group', name: 'system:serviceaccounts:ci' }, 'critical'],
  ])('with full access from %j to %j is %s', ([kind, name], to, level) => {
    const sides = { before: binding('cluster-admin', { kind, name }), after: binding('cluster-admin', to) };
    expect(judge('update', bound, sides)['R-IAM-ADMIN']).toBe(level);
  });

  test('is high for all authenticated users and critical for unauthenticated ones', () => {
    const group = (name: string) => ({ kind: 'Group', name });
    expect(judge('create', bound, { after: binding('view', group('system:authenticated')) })).toEqual({
      'R-IAM-TRUST': 'high',
    });
    expect(judge('create', bound, { after: binding('view', group('system:unauthenticated')) })).toEqual({
      'R-IAM-TRUST': 'critical',
    });
    const discovery = binding('system:public-info-viewer', group('system:unauthenticated'));
    expect(judge('create', bound, { after: discovery })).toEqual({});
    expect(judge('create', bound, { after: binding('view', group('developers')) })).toEqual({});
    expect(judge('create', bound, { after: binding('edit', group('developers')) })).toEqual({ 'R-IAM-WIDE': 'high' });
    expect(judge('create', 'kubernetes_role_binding', { after: binding('edit', group('developers')) })).toEqual({});
  });
});

import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { judgePlan } from '../../plans.ts';

type Names = Record<string, string>;
const listRules = (type: string, kind: string, before: Names, after: Names) => {
  const side = (names: Names): JsonObject => ({ metadata: [{ name: 'x', [kind]: names }], spec: [{}] });
  return judgePlan([[type, side(before), side(after)]]).rules;
};

const CASES: [string, string, string, Names, Names][] = [
  ['a namespace leaves the mesh', 'kubernetes_namespace', 'labels', { 'istio-injection': 'enabled' }, {}],
  ['a pod leaves the mesh', 'kubernetes_deployment', 'annotations', {}, { 'sidecar.istio.io/inject': 'false' }],
  [
    'an ingress loses its login',
    'kubernetes_ingress_v1',
    'annotations',
    { 'nginx.ingress.kubernetes.io/auth-url': 'https://login.acme.io' },
    {},
  ],
  [
    'an ingress loses its allow list',
    'kubernetes_ingress_v1',
    'annotations',
    { 'nginx.ingress.kubernetes.io/whitelist-source-range': '10.0.0.0/8' },
    {},
  ],
  [
    'a load balancer faces the internet',
    'kubernetes_ingress_v1',
    'annotations',
    { 'alb.ingress.kubernetes.io/scheme': 'internal' },
    { 'alb.ingress.kubernetes.io/scheme': 'internet-facing' },
  ],
  [
    'a namespace is exempt from policies',
    'kubernetes_namespace',
    'labels',
    {},
    { 'admission.gatekeeper.sh/ignore': 'yes' },
  ],
  [
    'a volume is left out of backups',
    'kubernetes_persistent_volume_claim',
    'labels',
    {},
    { 'velero.io/exclude-from-backup': 'true' },
  ],
];

test.each(CASES)('%s: a reason', (_, type, kind, before, after) => {
  expect(listRules(type, kind, before, after)).toContain('R-K8S-CONTROLLER');
});

test.each(CASES)('%s, the other way round: no reason', (_, type, kind, before, after) => {
  expect(listRules(type, kind, after, before)).not.toContain('R-K8S-CONTROLLER');
});

test('other labels are no reason', () => {
  expect(listRules('kubernetes_namespace', 'labels', { team: 'a' }, { team: 'b' })).not.toContain('R-K8S-CONTROLLER');
});

test('a role that joins another one gives its permissions to everybody who has it', () => {
  const role = (labels: Names, resource: string): JsonObject => ({
    metadata: [{ name: 'r', labels }],
    rule: [{ api_groups: [''], resources: [resource], verbs: ['get', 'list'] }],
  });
  const joined = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
  const findLevel = (resource: string) =>
    judgePlan([['kubernetes_cluster_role', role({}, resource), role(joined, resource)]]).level;

  expect(findLevel('secrets')).toBe('high');
  expect(findLevel('pods')).toBe('medium');
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, RiskLevel } from '../../../../../engine/index.ts';
import { isAtLeast } from '../../../../../engine/model/levels.ts';
import { unwrap } from '../../../../../engine/risk/generic-types/index.ts';
import { judgeAlone, makeChange } from '../../helpers.ts';
import { judge } from '../judging.ts';

const pod = (spec: JsonObject): JsonObject => ({ spec: [{ template: [{ spec: [spec] }] }] });
const container = (inner: JsonObject): JsonObject => pod({ container: [{ name: 'app', image: 'app:1', ...inner }] });
const annotated = (name: string, value: string | null): JsonObject => ({
  metadata: [{ name: 'a', annotations: value === null ? {} : { [name]: value } }],
});
const spec = (inner: JsonObject): JsonObject => ({ spec: [inner] });

function findLevel(type: string, before: JsonObject, after: JsonObject): RiskLevel {
  const levels = Object.values(judge('update', type, { before, after }));
  return levels.reduce((most, level) => (isAtLeast(level, most) ? level : most), 'none' as RiskLevel);
}

/** Level of the move, and of the opposite one. */
const MOVES: readonly [name: string, type: string, JsonObject, JsonObject, RiskLevel, RiskLevel][] = [
  [
    'pods without a readiness probe',
    'kubernetes_deployment_v1',
    container({ readiness_probe: [{ period_seconds: 5 }] }),
    container({ readiness_probe: [] }),
    'high',
    'none',
  ],
  [
    'a probe that gives up at once',
    'kubernetes_stateful_set',
    container({ liveness_probe: [{ failure_threshold: 3 }] }),
    container({ liveness_probe: [{ failure_threshold: 1 }] }),
    'high',
    'none',
  ],
  [
    'capabilities that are kept',
    'kubernetes_job',
    container({ security_context: [{ capabilities: [{ drop: ['ALL'] }] }] }),
    container({ security_context: [{ capabilities: [{ drop: [] }] }] }),
    'high',
    'none',
  ],
  [
    'a pod that leaves its sandbox',
    'kubernetes_deployment',
    pod({ runtime_class_name: 'gvisor' }),
    pod({ runtime_class_name: null }),
    'high',
    'none',
  ],
  [
    'a cron job that is suspended',
    'kubernetes_cron_job_v1',
    spec({ suspend: false }),
    spec({ suspend: true }),
    'high',
    'none',
  ],
  [
    'a target out of reach',
    'kubernetes_horizontal_pod_autoscaler_v2',
    spec({ metric: [{ type: 'Resource', resource: [{ name: 'cpu', target: [{ average_value: '700m' }] }] }] }),
    spec({ metric: [{ type: 'Resource', resource: [{ name: 'cpu', target: [{ average_value: '700' }] }] }] }),
    'high',
    'none',
  ],
  [
    'a class that deletes volumes',
    'kubernetes_storage_class',
    { reclaim_policy: 'Retain' },
    { reclaim_policy: 'Delete' },
    'high',
    'none',
  ],
  [
    'an ingress without redirect',
    'kubernetes_ingress_v1',
    annotated('nginx.ingress.kubernetes.io/ssl-redirect', 'true'),
    annotated('nginx.ingress.kubernetes.io/ssl-redirect', 'false'),
    'high',
    'none',
  ],
  [
    'an annotation of its own resource',
    'kubernetes_annotations',
    { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    { annotations: { 'storageclass.kubernetes.io/is-default-class': 'false' } },
    'medium',
    'none',
  ],
  [
    'mutual TLS that is optional',
    'kubernetes_peer_authentication',
    { spec: { mtls: { mode: 'STRICT' } } },
    { spec: { mtls: { mode: 'PERMISSIVE' } } },
    'high',
    'none',
  ],
  [
    'every target',
    'kubernetes_cilium_network_policy',
    { spec: { egress: [{ to_entities: ['cluster'] }] } },
    { spec: { egress: [{ to_entities: ['cluster', 'world'] }] } },
    'high',
    'none',
  ],
  [
    'policies that refuse everything',
    'kubernetes_authorization_policy',
    { spec: { rule: [{ from: [{ source: { namespaces: ['a'] } }] }] } },
    { spec: { rule: [] } },
    'high',
    'none',
  ],
  [
    'one broker is enough',
    'kubernetes_kafka_topic',
    { spec: { config: { 'min.insync.replicas': 2 } } },
    { spec: { config: { 'min.insync.replicas': 1 } } },
    'high',
    'none',
  ],
  [
    'a store for everybody',
    'kubernetes_cluster_secret_store',
    { spec: { conditions: [{ namespace_selector: {} }] } },
    { spec: { conditions: [] } },
    'high',
    'none',
  ],
  [
    'tenants everywhere',
    'argocd_project',
    spec({ destination: [{ server: 's', namespace: 'a-*' }] }),
    spec({ destination: [{ server: 's', namespace: '*' }] }),
    'high',
    'none',
  ],
  [
    'repositories of everybody',
    'argocd_project',
    spec({ source_repos: ['https://git/a'] }),
    spec({ source_repos: ['https://git/a', '*'] }),
    'high',
    'none',
  ],
  [
    'controllers in reach of all pods',
    'flux_bootstrap_git',
    { network_policy: true },
    { network_policy: false },
    'high',
    'none',
  ],
  [
    'sign-in for everybody',
    'rancher2_auth_config_github',
    { access_mode: 'restricted' },
    { access_mode: 'unrestricted' },
    'critical',
    'none',
  ],
];

describe('moves of Kubernetes, Argo CD, Flux and Rancher', () => {
  test.each(MOVES)('know %s', (_, type, before, after, level, opposite) => {
    expect([findLevel(type, before, after), findLevel(type, after, before)]).toEqual([level, opposite]);
  });

  test('apply to pods of every kind, and to init containers', () => {
    const job = (path: string): JsonObject => ({
      spec: [
        {
          job_template: [
            { spec: [{ template: [{ spec: [{ init_container: [{ name: 'i', working_dir: path }] }] }] }] },
          ],
        },
      ],
    });
    expect(judgeAlone(makeChange('kubernetes_cron_job', 'update', [job('/a'), job('/b')])).level).toBe('medium');
    const rollout = (command: JsonValue) => ({ spec: { template: { spec: { container: [{ name: 'a', command }] } } } });
    const sides: [JsonObject, JsonObject] = [rollout(['run']), rollout(['sleep'])];
    expect(judgeAlone(makeChange('kubernetes_rollout', 'update', sides)).level).toBe('medium');
  });

  test('do not mistake a container that comes or goes for a change of one', () => {
    const one = { name: 'app', image: 'app:1' };
    const other = {
      name: 'log',
      command: ['run'],
      readiness_probe: [{ period_seconds: 5 }],
      resources: [{ limits: { memory: '1Gi' } }],
    };
    const [few, many] = [pod({ container: [one] }), pod({ container: [one, other] })];
    expect(judge('update', 'kubernetes_deployment', { before: few, after: many })).toEqual({});
    expect(judge('update', 'kubernetes_deployment', { before: many, after: few })).toEqual({});
  });

  test('compare with arguments of the same container', () => {
    const sides = (image: string, policy: string) =>
      pod({
        container: [
          { name: 'a', image, image_pull_policy: policy },
          { name: 'b', image: 'b:latest' },
        ],
      });
    const type = 'kubernetes_deployment';
    expect(findLevel(type, sides('a:1', 'Always'), sides('a:1', 'IfNotPresent'))).toBe('none');
    expect(findLevel(type, sides('a:latest', 'Always'), sides('a:latest', 'IfNotPresent'))).toBe('medium');
  });

  test('say nothing about new resources, except tokens that work for months', () => {
    expect(judge('create', 'kubernetes_deployment', { after: spec({ replicas: 0 }) })).toEqual({});
    const token = (seconds: number) =>
      judge('create', 'kubernetes_token_request_v1', { after: spec({ expiration_seconds: seconds }) });
    expect(Object.values(token(31_536_000))).toEqual(['medium']);
    expect(token(3600)).toEqual({});
  });

  test('read the manifest of a custom resource', () => {
    const manifest = (mode: string) => ({
      manifest: { apiVersion: 'v1', kind: 'PeerAuthentication', spec: { mtls: { mode } } },
    });
    const change = makeChange('kubernetes_manifest', 'update', [manifest('STRICT'), manifest('DISABLE')]);
    const { level, reasons } = judgeAlone(change);
    expect(level).toBe('high');
    expect(reasons[0]!.message).toContain('manifest.spec.mtls.mode changes from "STRICT" to "DISABLE"');
  });

  test.each<[kind: string, JsonObject, string[]]>([
    ['HorizontalPodAutoscaler', { spec: { metrics: [{ type: 'Resource' }] } }, ['spec', 'metric']],
    ['ValidatingWebhookConfiguration', { webhooks: [{ name: 'a' }] }, ['webhook']],
    ['AppProject', { spec: { syncWindows: [{ kind: 'deny' }] } }, ['spec', 'sync_window']],
    ['CiliumNetworkPolicy', { spec: { toFQDNs: [{ matchName: 'a' }] } }, ['spec', 'to_fqdns']],
    ['Service', { spec: { externalIPs: ['1.2.3.4'] } }, ['spec', 'external_ips']],
    ['AnalysisTemplate', { spec: { metrics: [{ name: 'a' }] } }, ['spec', 'metrics']],
  ])('find the blocks of a %s', (kind, content, path) => {
    const change = makeChange('kubernetes_manifest', 'create', [
      null,
      { manifest: { apiVersion: 'v1', kind, ...content } },
    ]);
    const after = unwrap(change)!.change.after as JsonObject;
    expect(path.reduce<JsonValue | undefined>((value, key) => (value as JsonObject)[key], after)).toBeDefined();
  });
});

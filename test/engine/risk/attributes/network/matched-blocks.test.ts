import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { judgePlan } from '../../plans.ts';

const findLevel = (type: string, before: JsonObject, after: JsonObject) => judgePlan([[type, before, after]]).level;

const mesh = (rules: JsonObject[], action = 'ALLOW') => ({
  manifest: {
    apiVersion: 'security.istio.io/v1',
    kind: 'AuthorizationPolicy',
    metadata: { name: 'p' },
    spec: { action, rules },
  },
});
const from = (...namespaces: string[]) => ({ from: [{ source: { namespaces } }] });
const get = { to: [{ operation: { methods: ['GET'] } }] };

const network = (sources: JsonObject[]) => ({
  metadata: [{ name: 'p' }],
  spec: [{ pod_selector: [], policy_types: ['Ingress'], ingress: [{ from: sources, ports: [] }], egress: [] }],
});
const pods = (app: string) => ({ pod_selector: [{ match_labels: { app } }], namespace_selector: [], ip_block: [] });

const hook = (...types: string[]) => ({
  project_name: 'b',
  filter_group: [{ filter: types.map((type) => ({ type, pattern: '^x$', exclude_matched_pattern: false })) }],
});

const listener = (status: string | null, ...conditions: JsonObject[]) => ({
  listener_arn: 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:listener/app/a/1/2',
  action: [
    status === null ? { type: 'forward' } : { type: 'fixed-response', fixed_response: [{ status_code: status }] },
  ],
  condition: conditions,
});
const path = { path_pattern: [{ values: ['/admin/*'] }], source_ip: [] };
const addresses = (...values: string[]) => ({ path_pattern: [], source_ip: [{ values }] });

test.each<[string, string, JsonObject, JsonObject]>([
  ['an empty rule of a mesh', 'kubernetes_manifest', mesh([from('a')]), mesh([from('a'), {}])],
  ['a rule of a mesh without callers', 'kubernetes_manifest', mesh([{ ...from('a'), ...get }]), mesh([get])],
  [
    'a denial of a mesh that covers less',
    'kubernetes_manifest',
    mesh([from('a', 'b')], 'DENY'),
    mesh([from('a')], 'DENY'),
  ],
  ['a network policy without sources', 'kubernetes_network_policy', network([pods('api')]), network([])],
  ['a build trigger without its actors', 'aws_codebuild_webhook', hook('EVENT', 'ACTOR_ACCOUNT_ID'), hook('EVENT')],
  [
    'a listener rule without its addresses',
    'aws_lb_listener_rule',
    listener(null, path, addresses('203.0.113.0/24')),
    listener(null, path),
  ],
  [
    'a refusing listener rule with fewer addresses',
    'aws_lb_listener_rule',
    listener('403', addresses('192.0.2.1/32', '198.18.0.0/15')),
    listener('403', addresses('192.0.2.1/32')),
  ],
])('%s is high', (_, type, before, after) => {
  expect(findLevel(type, before, after)).toBe('high');
});

test.each<[string, string, JsonObject, JsonObject]>([
  ['one more caller of a mesh', 'kubernetes_manifest', mesh([from('a')]), mesh([from('a', 'b')])],
  ['callers of a mesh in another order', 'kubernetes_manifest', mesh([from('a', 'b')]), mesh([from('b', 'a')])],
  ['a mesh rule with more demands', 'kubernetes_manifest', mesh([from('a')]), mesh([{ ...from('a'), ...get }])],
  ['a build trigger with more filters', 'aws_codebuild_webhook', hook('EVENT'), hook('EVENT', 'ACTOR_ACCOUNT_ID')],
  [
    'a listener rule that gets addresses',
    'aws_lb_listener_rule',
    listener(null, path),
    listener(null, path, addresses('203.0.113.0/24')),
  ],
  [
    'a refusing listener rule with more addresses',
    'aws_lb_listener_rule',
    listener('403', addresses('192.0.2.1/32')),
    listener('403', addresses('192.0.2.1/32', '198.18.0.0/15')),
  ],
])('%s is at most medium', (_, type, before, after) => {
  expect(['none', 'low', 'medium']).toContain(findLevel(type, before, after));
});

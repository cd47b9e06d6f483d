import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgePlan, type PlannedResource, unchanged } from '../plans.ts';

const move = (
  type: string,
  side: JsonObject,
  attribute: string,
  [from, to]: [number, number],
  replace?: string[],
): PlannedResource => [type, { ...side, [attribute]: from }, { ...side, [attribute]: to }, replace];

const listener = 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:listener/app/web/1/2';
const path = (...values: string[]) => ({ condition: [{ path_pattern: [{ values }] }] });
const forward = { listener_arn: listener, action: [{ type: 'forward' }] };
const login = { listener_arn: listener, action: [{ type: 'authenticate-oidc' }, { type: 'forward' }] };
const acl = { network_acl_id: 'acl-0a', egress: false, protocol: 'tcp', from_port: 0, to_port: 65535 };
const refuse = { ...acl, rule_action: 'deny', cidr_block: '198.51.100.0/24' };
const admit = { ...acl, rule_action: 'allow', cidr_block: '0.0.0.0/0', rule_number: 300 };
const firewall = { network: 'vpc', direction: 'INGRESS', source_ranges: ['0.0.0.0/0'] };
const ports = [{ protocol: 'tcp', ports: ['3306'] }];

describe('a rule that moves among others', () => {
  test.each<[string, PlannedResource, PlannedResource]>([
    [
      'a replaced rule that refuses, behind one that admits',
      move('aws_network_acl_rule', refuse, 'rule_number', [100, 310], ['rule_number']),
      unchanged('aws_network_acl_rule', admit),
    ],
    [
      'a strict sign-on rule, behind one with one factor for everybody',
      move('okta_app_signon_policy_rule', { policy_id: 'p1', factor_mode: '2FA', access: 'ALLOW' }, 'priority', [2, 8]),
      unchanged('okta_app_signon_policy_rule', {
        policy_id: 'p1',
        factor_mode: '1FA',
        access: 'ALLOW',
        priority: 5,
      }),
    ],
    [
      'a page rule that caches everything, before one that bypasses the cache',
      move(
        'cloudflare_page_rule',
        { zone_id: 'z', target: 'shop.example/*', actions: [{ cache_level: 'cache_everything' }] },
        'priority',
        [1, 7],
      ),
      unchanged('cloudflare_page_rule', {
        zone_id: 'z',
        target: 'shop.example/cart/*',
        actions: [{ cache_level: 'bypass' }],
        priority: 4,
      }),
    ],
    [
      'a firewall rule that denies, behind the number of one that allows',
      move('google_compute_firewall', { ...firewall, name: 'd', deny: ports }, 'priority', [900, 1001]),
      unchanged('google_compute_firewall', { ...firewall, name: 'a', allow: ports, priority: 1000 }),
    ],
    [
      'a refusal of the DNS firewall, behind a list that is allowed',
      move('aws_route53_resolver_firewall_rule', { firewall_rule_group_id: 'g', action: 'BLOCK' }, 'priority', [1, 9]),
      unchanged('aws_route53_resolver_firewall_rule', { firewall_rule_group_id: 'g', action: 'ALLOW', priority: 5 }),
    ],
  ])('%s is high', (_, change, other) => {
    expect(judgePlan([change, other]).level).toBe('high');
  });

  test.each<[string, PlannedResource, PlannedResource]>([
    [
      'a replaced rule that keeps its place',
      move('aws_network_acl_rule', refuse, 'rule_number', [100, 290], ['rule_number']),
      unchanged('aws_network_acl_rule', admit),
    ],
    [
      'a rule that denies and gets the number of one that allows',
      move('google_compute_firewall', { ...firewall, name: 'd', deny: ports }, 'priority', [900, 1000]),
      unchanged('google_compute_firewall', { ...firewall, name: 'a', allow: ports, priority: 1000 }),
    ],
    [
      'a bypass for an office, which is evaluated before all policies anyway',
      move('cloudflare_access_policy', { application_id: 'a', decision: 'bypass' }, 'precedence', [9, 1]),
      unchanged('cloudflare_access_policy', { application_id: 'a', decision: 'deny', precedence: 5 }),
    ],
    [
      'a page rule for another path',
      move(
        'cloudflare_page_rule',
        { zone_id: 'z', target: 'shop.example/img/*', actions: [{ cache_level: 'cache_everything' }] },
        'priority',
        [1, 7],
      ),
      unchanged('cloudflare_page_rule', {
        zone_id: 'z',
        target: 'shop.example/cart/*',
        actions: [{ cache_level: 'bypass' }],
        priority: 4,
      }),
    ],
  ])('%s is low', (_, change, other) => {
    expect(judgePlan([change, other]).level).toBe('low');
  });
});

describe('a rule before others', () => {
  const guarded = unchanged('aws_lb_listener_rule', { ...login, ...path('/admin/*'), priority: 20 });

  test('that matches everything that a stricter one matches is high', () => {
    expect(
      judgePlan([['aws_lb_listener_rule', null, { ...forward, ...path('/admin/*'), priority: 10 }], guarded]).level,
    ).toBe('high');
  });

  test('that is an exception or stands behind is not', () => {
    const quiet = [
      { ...forward, ...path('/admin/health'), priority: 10 },
      { ...forward, ...path('/admin/*'), priority: 30 },
    ];
    for (const rule of quiet) expect(judgePlan([['aws_lb_listener_rule', null, rule], guarded]).level).not.toBe('high');
  });
});

describe('rules that the cloud itself keeps', () => {
  const route = { network: 'vpc', dest_range: '0.0.0.0/0', next_hop_ilb: '10.0.0.9' };
  const schema = (matchingPrecedence: number, level: string): JsonObject => ({
    manifest: {
      kind: 'FlowSchema',
      metadata: { name: 'jobs' },
      spec: {
        matchingPrecedence,
        priorityLevelConfiguration: { name: level },
        rules: [{ subjects: [{ kind: 'Group', group: { name: 'system:authenticated' } }] }],
      },
    },
  });
  const flow = (from: number, to: number, level: string): PlannedResource => [
    'kubernetes_manifest',
    schema(from, level),
    schema(to, level),
  ];

  test('a route through a firewall loses to the default route only behind its number', () => {
    expect(judgePlan([move('google_compute_route', route, 'priority', [100, 1001], ['priority'])]).level).toBe('high');
    expect(judgePlan([move('google_compute_route', route, 'priority', [100, 800], ['priority'])]).level).toBe('low');
  });

  test('requests of nodes must not be sorted into a shared priority level', () => {
    expect(judgePlan([flow(9000, 5, 'global-default')]).level).toBe('high');
    expect(judgePlan([flow(9000, 8000, 'global-default')]).level).toBe('low');
  });

  test('a rule finds its neighbors in a list of hundreds', () => {
    const others = Array.from({ length: 300 }, (_, i) =>
      unchanged('aws_network_acl_rule', { ...admit, cidr_block: `10.${i % 250}.0.0/16`, rule_number: 1_000 + 10 * i }),
    );
    const admitted = unchanged('aws_network_acl_rule', { ...admit, rule_number: 2_505 });
    const behind = (to: number) => move('aws_network_acl_rule', refuse, 'rule_number', [2_495, to], ['rule_number']);

    expect(judgePlan([behind(2_515), ...others, admitted]).level).toBe('high');
    expect(judgePlan([behind(2_501), ...others, admitted]).level).not.toBe('high');
  });
});

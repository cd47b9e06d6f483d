import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgePlan } from '../plans.ts';

const routes = (...prefixes: string[]): JsonObject => ({
  manifest: {
    kind: 'VirtualService',
    metadata: { name: 'v' },
    spec: {
      http: prefixes.map((prefix) => ({
        match: [{ uri: { prefix } }],
        route: [{ destination: { host: `svc-${prefix}` } }],
      })),
    },
  },
});
const allow = { name: 'out', action: 'allow', source_addresses: ['10.0.0.0/8'], applications: ['any'] };
const deny = { name: 'block', action: 'deny', source_addresses: ['any'], applications: ['bittorrent'] };
const other = { name: 'dns', action: 'allow', source_addresses: ['192.0.2.0/24'], applications: ['dns'] };

describe('entries of one resource that change places', () => {
  test('are high when an entry is never reached or loses to one that lets pass', () => {
    expect(judgePlan([['kubernetes_manifest', routes('/cart', '/'), routes('/', '/cart')]]).level).toBe('high');
    expect(judgePlan([['panos_security_rule_group', { rule: [deny, allow] }, { rule: [allow, deny] }]]).level).toBe(
      'high',
    );
  });

  test('are low when they match different requests, or a refusal moves to the front', () => {
    expect(judgePlan([['kubernetes_manifest', routes('/cart', '/img'), routes('/img', '/cart')]]).level).toBe('low');
    expect(judgePlan([['panos_security_rule_group', { rule: [deny, other] }, { rule: [other, deny] }]]).level).toBe(
      'low',
    );
    expect(
      judgePlan([['panos_security_rule_group', { rule: [allow, deny] }, { rule: [deny, allow] }]]).rules,
    ).not.toContain('R-NET-ORDER');
  });
});

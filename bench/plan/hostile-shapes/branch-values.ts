import type { JsonValue } from '../../../engine/model/result.ts';

/**
 * Values that reach the branches of rules, by attribute name; the first value of each allows access. Other attributes
 * get values by the form of their name.
 */
const BRANCH_VALUES: Record<string, readonly JsonValue[]> = {
  access: ['Allow', 'Deny'],
  action: ['allow', 'deny', 'block', 'Allow', 'deny(403)'],
  rule_action: ['allow', 'deny'],
  decision: ['allow', 'bypass'],
  direction: ['Inbound', 'INGRESS', 'in', 'ingress'],
  enabled: [true, false],
  disabled: [false, true],
  egress: [false, true],
  paused: [false, true],
  privileged: [true, false],
  protocol: ['tcp', 'udp', '-1'],
  ip_protocol: ['tcp', 'udp', '-1'],
  status: ['Enabled', 'Disabled'],
  type: ['ingress', 'Delete', 'egress', 'LoadBalancer'],
  effect: ['Allow', 'Deny'],
  field: ['eventName', 'eventCategory', 'resources.type'],
};

/** Value number `i` of an attribute that rules compare with known values; undefined for other attributes. */
export function findBranchValue(name: string, i: number): JsonValue | undefined {
  const branch_values = BRANCH_VALUES[name];
  return branch_values?.[i % branch_values.length];
}

const ADDRESS = /cidr|address|prefix|range|source|^ip|_ips?$|^ipv/;
const NUMBER = /port|priority|number|days|size|count|_no$|age|max|min|capacity|replicas/;

export type Fill = 'distinct' | 'equal' | 'public';

/** A value that an attribute of this name may have, different for each `i` unless `fill` is `equal`. */
export function buildFillValue(name: string, i: number, fill: Fill): JsonValue {
  const n = fill === 'equal' ? 7 : i;
  if (ADDRESS.test(name)) {
    if (fill === 'public') return i % 2 === 0 ? '0.0.0.0/0' : '::/0';
    return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}/32`;
  }
  return NUMBER.test(name) ? n % 65_536 : `${name}-${n}`;
}

import type { JsonValue } from '../../../engine/model/result.ts';

/**
 * Values that open the branches of rules, by the name of the attribute; of each the first lets something in. What is not
 * here is filled by the form that its name suggests.
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

export function findBranchValue(name: string, i: number): JsonValue | undefined {
  const branch_values = BRANCH_VALUES[name];
  return branch_values?.[i % branch_values.length];
}

const ADDRESS = /cidr|address|prefix|range|source|^ip|_ips?$|^ipv/;
const NUMBER = /port|priority|number|days|size|count|_no$|age|max|min|capacity|replicas/;

export type Fill = 'distinct' | 'equal' | 'world';

/** A value that an attribute of this name may hold: another for each `i`, unless all are to be equal. */
export function buildFillValue(name: string, i: number, fill: Fill): JsonValue {
  const n = fill === 'equal' ? 7 : i;
  if (ADDRESS.test(name)) {
    if (fill === 'world') return i % 2 === 0 ? '0.0.0.0/0' : '::/0';
    return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}/32`;
  }
  return NUMBER.test(name) ? n % 65_536 : `${name}-${n}`;
}

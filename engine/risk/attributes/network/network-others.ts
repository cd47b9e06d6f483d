/** Packet filters of smaller clouds, mapped to the same checks as those of the large clouds. */

import { parseCidr } from '../../../lib/cidr.ts';
import type { Path, Rule, Value } from '../types.ts';
import { list, member, quantity, strings, text } from '../values.ts';
import { judgeIngress } from './network.ts';
import { ALL_PORTS, combine, normalizeProtocol, type Opening, type Range } from './openings.ts';

interface FirewallSchema {
  types: readonly string[];
  /** The attribute that contains the rules; null when the resource is a single rule. */
  block: string | null;
  protocol: string;
  /** One attribute with ranges, or two attributes for the first and last port. */
  ports: readonly [both: string] | readonly [from: string, to: string];
  sources: readonly string[];
  /** The value that makes a rule allow inbound traffic; without it, every rule does. */
  allows?: readonly [attribute: string, value: string];
}

const FIREWALL_SCHEMAS: readonly FirewallSchema[] = [
  {
    types: ['digitalocean_firewall'],
    block: 'inbound_rule',
    protocol: 'protocol',
    ports: ['port_range'],
    sources: ['source_addresses'],
  },
  {
    types: ['hcloud_firewall'],
    block: 'rule',
    protocol: 'protocol',
    ports: ['port'],
    sources: ['source_ips'],
    allows: ['direction', 'in'],
  },
  {
    types: ['linode_firewall'],
    block: 'inbound',
    protocol: 'protocol',
    ports: ['ports'],
    sources: ['ipv4', 'ipv6'],
    allows: ['action', 'accept'],
  },
  {
    types: ['openstack_networking_secgroup_rule_v2'],
    block: null,
    protocol: 'protocol',
    ports: ['port_range_min', 'port_range_max'],
    sources: ['remote_ip_prefix'],
    allows: ['direction', 'ingress'],
  },
  {
    types: ['alicloud_security_group_rule'],
    block: null,
    protocol: 'ip_protocol',
    ports: ['port_range'],
    sources: ['cidr_ip', 'ipv6_cidr_ip'],
    allows: ['type', 'ingress'],
  },
];

function openings(schema: FirewallSchema, side: Value): Opening[] {
  const { block } = schema;
  if (block === null) return side ? readRuleOpenings(schema, side, []) : [];
  return list(member(side, block)).flatMap((rule, index) => readRuleOpenings(schema, rule, [block, index]));
}

function readRuleOpenings(
  { allows, protocol: attribute, ports, sources }: FirewallSchema,
  rule: Value,
  parent: Path,
): Opening[] {
  if (allows && text(member(rule, allows[0])).toLowerCase() !== allows[1]) return [];
  const protocol = normalizeProtocol(text(member(rule, attribute)) || 'all');
  const ranges = protocol === 'all' ? [ALL_PORTS] : readRanges(rule, ports);
  const named = sources.flatMap((name) => {
    const path = [...parent, name];
    return strings(member(rule, name)).map((label) => ({ source: parseCidr(label) ?? null, label, path }));
  });
  return combine(protocol, ranges, named);
}

function readRanges(rule: Value, [from, to]: FirewallSchema['ports']): Range[] {
  if (to !== undefined) {
    const first = quantity(member(rule, from));
    return first === undefined ? [ALL_PORTS] : [[first, quantity(member(rule, to)) ?? first]];
  }
  return text(member(rule, from)).split(',').map(parseRange);
}

/** Parses `22`, `20-30` or `20/30`; any other text, such as `all`, `any`, `0` or `-1/-1`, means every port. */
function parseRange(range: string): Range {
  const ends = /^\s*([0-9]{1,5})\s*(?:[-/]\s*([0-9]{1,5})\s*)?$/.exec(range);
  if (!ends || ends[1] === '0') return ALL_PORTS;
  return [Number(ends[1]), Number(ends[2] ?? ends[1])];
}

function buildWatches({ block, protocol, ports, sources, allows }: FirewallSchema): Rule['watches'] {
  const prefix = block === null ? '' : `${block}.*.`;
  const plain = [protocol, ...ports, ...(allows ? [allows[0]] : [])].map((name) => ({ path: prefix + name }));
  return [...plain, ...sources.map((name) => ({ path: prefix + name, hides: true as const }))];
}

export const OTHER_NETWORK_RULES: readonly Rule[] = FIREWALL_SCHEMAS.map((schema) => {
  const watches = buildWatches(schema);
  const attributes = schema.block === null ? watches.map(({ path }) => path) : [schema.block];
  return {
    types: schema.types,
    watches,
    find: (subject) =>
      judgeIngress(subject, {
        before: openings(schema, subject.before),
        after: openings(schema, subject.after),
        attributes,
      }),
  };
});

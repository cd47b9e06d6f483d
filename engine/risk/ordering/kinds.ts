/** Types whose resources are the rules of one ordered list, and how to read such a rule. */
import type { JsonObject } from '../../model/result.ts';
import { list, member, strings, text } from '../attributes/values.ts';

/** What a rule matches, by dimension; a dimension that is missing matches everything. */
export type Match = Record<string, readonly string[]>;

export interface OrderedKind {
  types: readonly string[];
  /** Attributes that name the list. */
  parent: readonly string[];
  /** The lowest number is evaluated first. */
  priority: string;
  default_priority?: number;
  /** Whether the rule refuses, or asks for authentication first. */
  blocks(rule: JsonObject): boolean;
  match(rule: JsonObject): Match;
}

const says = (rule: JsonObject, attribute: string, pattern: RegExp): boolean =>
  pattern.test(text(member(rule, attribute)));

function pick(rule: JsonObject, dimensions: Record<string, readonly string[]>): Match {
  const found: Match = {};
  for (const [name, attributes] of Object.entries(dimensions)) {
    const values = attributes
      .flatMap((attribute) => list(member(rule, attribute)).map(text))
      .filter((value) => value !== '');
    if (values.length > 0) found[name] = values;
  }
  return found;
}

const LISTENER_DIMENSIONS = [
  'path_pattern',
  'host_header',
  'source_ip',
  'http_request_method',
  'http_header',
  'query_string',
];

function matchListener(rule: JsonObject): Match {
  const found: Match = {};
  for (const condition of list(member(rule, 'condition'))) {
    for (const name of LISTENER_DIMENSIONS) {
      const values = list(member(condition, name)).flatMap((block) => strings(member(block, 'values')));
      if (values.length > 0) found[name] = values;
    }
  }
  return found;
}

function blocksListener(rule: JsonObject): boolean {
  return list(member(rule, 'action')).some((action) => {
    const type = text(member(action, 'type'));
    const codes = list(member(action, 'fixed_response')).map((block) => text(member(block, 'status_code')));
    return type.startsWith('authenticate') || (type === 'fixed-response' && codes.some((code) => /^[45]/.test(code)));
  });
}

function matchFirewall(rule: JsonObject): Match {
  const blocks = [...list(member(rule, 'allow')), ...list(member(rule, 'deny'))];
  const ports = blocks.flatMap((block) => strings(member(block, 'ports')));
  const found = pick(rule, {
    direction: ['direction'],
    source: ['source_ranges'],
    destination: ['destination_ranges'],
  });
  return ports.length > 0 ? { ...found, ports } : found;
}

const DENIES = /^(?:deny|block|drop|reject)/i;

export const ORDERED_KINDS: readonly OrderedKind[] = [
  {
    types: ['aws_lb_listener_rule', 'aws_alb_listener_rule'],
    parent: ['listener_arn'],
    priority: 'priority',
    blocks: blocksListener,
    match: matchListener,
  },
  {
    types: ['aws_network_acl_rule'],
    parent: ['network_acl_id', 'egress'],
    priority: 'rule_number',
    blocks: (rule) => says(rule, 'rule_action', DENIES),
    match: (rule) => pick(rule, { source: ['cidr_block', 'ipv6_cidr_block'], from: ['from_port'] }),
  },
  {
    types: ['azurerm_network_security_rule'],
    parent: ['resource_group_name', 'network_security_group_name', 'direction'],
    priority: 'priority',
    blocks: (rule) => says(rule, 'access', DENIES),
    match: (rule) =>
      pick(rule, {
        source: ['source_address_prefix', 'source_address_prefixes'],
        destination: ['destination_address_prefix', 'destination_address_prefixes'],
        ports: ['destination_port_range', 'destination_port_ranges'],
        protocol: ['protocol'],
      }),
  },
  {
    types: ['google_compute_firewall'],
    parent: ['network', 'direction'],
    priority: 'priority',
    default_priority: 1000,
    blocks: (rule) => list(member(rule, 'deny')).length > 0,
    match: matchFirewall,
  },
  {
    types: ['google_compute_security_policy_rule', 'google_compute_region_security_policy_rule'],
    parent: ['project', 'region', 'security_policy'],
    priority: 'priority',
    blocks: (rule) => says(rule, 'action', DENIES),
    match: () => ({}),
  },
  {
    types: [
      'google_compute_firewall_policy_rule',
      'google_compute_network_firewall_policy_rule',
      'google_compute_region_network_firewall_policy_rule',
    ],
    parent: ['project', 'firewall_policy', 'direction'],
    priority: 'priority',
    blocks: (rule) => says(rule, 'action', DENIES),
    match: () => ({}),
  },
  {
    types: ['aws_route53_resolver_firewall_rule'],
    parent: ['firewall_rule_group_id'],
    priority: 'priority',
    blocks: (rule) => says(rule, 'action', DENIES),
    match: (rule) => pick(rule, { domains: ['firewall_domain_list_id'] }),
  },
  {
    types: ['azurerm_firewall_network_rule_collection', 'azurerm_firewall_application_rule_collection'],
    parent: ['resource_group_name', 'azure_firewall_name'],
    priority: 'priority',
    blocks: (rule) => says(rule, 'action', DENIES),
    match: () => ({}),
  },
  {
    types: ['okta_app_signon_policy_rule', 'okta_policy_rule_signon', 'okta_auth_server_policy_rule'],
    parent: ['policy_id', 'auth_server_id'],
    priority: 'priority',
    blocks: (rule) => says(rule, 'access', DENIES),
    match: () => ({}),
  },
];

const BY_TYPE = new Map(ORDERED_KINDS.flatMap((kind) => kind.types.map((type) => [type, kind] as const)));

export function findOrderedKind(type: string): OrderedKind | undefined {
  return BY_TYPE.get(type);
}

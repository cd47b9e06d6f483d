/** Types whose resources are the rules of one ordered list, and how to read such a rule. */
import type { JsonObject } from '../../model/result.ts';
import { list, member, strings, text, truth } from '../attributes/values.ts';
import { FLOW_SCHEMAS } from './flow-schemas.ts';
import { GOOGLE_ROUTES } from './google-routes.ts';
import { DENIES, type Match, type OrderedKind, pick, refuses, says } from './kind.ts';
import { SIGN_ON_KINDS } from './sign-on.ts';

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

function rateListener(rule: JsonObject): number {
  const blocks = list(member(rule, 'action')).some((action) => {
    const type = text(member(action, 'type'));
    const codes = list(member(action, 'fixed_response')).map((block) => text(member(block, 'status_code')));
    return type.startsWith('authenticate') || (type === 'fixed-response' && codes.some((code) => /^[45]/.test(code)));
  });
  return blocks ? 1 : 0;
}

function matchAclRule(rule: JsonObject): Match {
  const found = pick(rule, { source: ['cidr_block', 'ipv6_cidr_block'] });
  const [from, to] = [text(member(rule, 'from_port')), text(member(rule, 'to_port'))];
  const has_ports = !says(rule, 'protocol', /^(?:-1|all|1|icmp)$/) && from !== '' && to !== '';
  return has_ports ? { ...found, ports: [`${from}-${to}`] } : found;
}

function matchFirewall(rule: JsonObject): Match {
  const blocks = [...list(member(rule, 'allow')), ...list(member(rule, 'deny'))];
  const ports = blocks.flatMap((block) => strings(member(block, 'ports')));
  const found = pick(rule, {
    direction: ['direction'],
    source: ['source_ranges'],
    destination: ['destination_ranges'],
  });
  // Sources with tags match in addition to ranges.
  if (Object.keys(pick(rule, { tags: ['source_tags', 'source_service_accounts'] })).length > 0) delete found['source'];
  const open = blocks.some((block) => strings(member(block, 'ports')).length === 0);
  return ports.length > 0 && !open ? { ...found, ports } : found;
}

function matchPolicyRule(rule: JsonObject): Match {
  const [match] = list(member(rule, 'match'));
  const layers = list(member(match, 'layer4_configs'));
  const ports = layers.flatMap((layer) => strings(member(layer, 'ports')));
  const open = layers.some((layer) => strings(member(layer, 'ports')).length === 0);
  const found = pick(match, { source: ['src_ip_ranges'], destination: ['dest_ip_ranges'] });
  return ports.length > 0 && !open ? { ...found, ports } : found;
}

/** Rules that give the decision to the next policy neither refuse nor let pass. */
const ratePolicyRule = (rule: JsonObject): number => (says(rule, 'action', /^allow/i) ? 0 : 1);

const PAGE_STRICT = /^(?:bypass|high|under_attack|full|strict|on)$/i;

/** Settings of page rules that keep something from caches or demand more of visitors. */
function ratePageRule(rule: JsonObject): number {
  const actions = list(member(rule, 'actions'));
  const is_strict = ['cache_level', 'security_level', 'ssl', 'waf', 'always_use_https'].some((name) =>
    actions.some((action) => PAGE_STRICT.test(text(member(action, name))) || member(action, name) === true),
  );
  return is_strict ? 1 : 0;
}

export const ORDERED_KINDS: readonly OrderedKind[] = [
  {
    types: ['aws_lb_listener_rule', 'aws_alb_listener_rule'],
    list: 'listener_arn',
    priority: 'priority',
    strictness: rateListener,
    match: matchListener,
    whole_match: true,
  },
  {
    types: ['aws_network_acl_rule'],
    list: 'network_acl_id',
    within: ['egress'],
    priority: 'rule_number',
    strictness: refuses('rule_action'),
    match: matchAclRule,
  },
  {
    types: ['azurerm_network_security_rule'],
    list: 'network_security_group_name',
    within: ['resource_group_name', 'direction'],
    priority: 'priority',
    strictness: refuses('access'),
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
    list: 'network',
    within: ['project', 'direction'],
    priority: 'priority',
    default_priority: 1000,
    ties_are_strict: true,
    strictness: (rule) => (list(member(rule, 'deny')).length > 0 ? 1 : 0),
    match: matchFirewall,
  },
  {
    types: ['google_compute_security_policy_rule', 'google_compute_region_security_policy_rule'],
    list: 'security_policy',
    within: ['project', 'region'],
    priority: 'priority',
    strictness: (rule) => (truth(member(rule, 'preview')) === true ? undefined : refuses('action')(rule)),
    match: () => ({}),
  },
  {
    types: [
      'google_compute_firewall_policy_rule',
      'google_compute_network_firewall_policy_rule',
      'google_compute_region_network_firewall_policy_rule',
    ],
    list: 'firewall_policy',
    within: ['project', 'direction'],
    priority: 'priority',
    strictness: ratePolicyRule,
    match: matchPolicyRule,
  },
  {
    types: ['aws_route53_resolver_firewall_rule'],
    list: 'firewall_rule_group_id',
    priority: 'priority',
    strictness: refuses('action'),
    // Two lists may hold the same domains.
    match: () => ({}),
  },
  {
    types: [
      'azurerm_firewall_network_rule_collection',
      'azurerm_firewall_application_rule_collection',
      'azurerm_firewall_nat_rule_collection',
    ],
    list: 'azure_firewall_name',
    within: ['resource_group_name'],
    priority: 'priority',
    strictness: refuses('action'),
    match: () => ({}),
  },
  {
    types: ['cloudflare_access_policy'],
    list: 'application_id',
    within: ['account_id', 'zone_id'],
    priority: 'precedence',
    // Policies that bypass the login or admit services are evaluated before all others.
    strictness: (rule) =>
      says(rule, 'decision', /^(?:bypass|non_identity)$/) ? undefined : says(rule, 'decision', DENIES) ? 1 : 0,
    match: () => ({}),
  },
  {
    types: ['cloudflare_page_rule'],
    list: 'zone_id',
    priority: 'priority',
    highest_first: true,
    strictness: ratePageRule,
    match: (rule) => pick(rule, { target: ['target'] }),
    whole_match: true,
  },
  {
    types: ['cloudflare_firewall_rule'],
    list: 'zone_id',
    priority: 'priority',
    strictness: refuses('action'),
    match: () => ({}),
  },
  {
    types: ['alicloud_security_group_rule'],
    list: 'security_group_id',
    within: ['type', 'nic_type'],
    priority: 'priority',
    default_priority: 1,
    ties_are_strict: true,
    strictness: refuses('policy'),
    match: (rule) => pick(rule, { source: ['cidr_ip'], protocol: ['ip_protocol'] }),
  },
  FLOW_SCHEMAS,
  GOOGLE_ROUTES,
  ...SIGN_ON_KINDS,
];

const BY_TYPE = new Map(ORDERED_KINDS.flatMap((kind) => kind.types.map((type) => [type, kind] as const)));

export function findOrderedKind(type: string): OrderedKind | undefined {
  return BY_TYPE.get(type);
}

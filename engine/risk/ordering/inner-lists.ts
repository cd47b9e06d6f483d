/** Lists inside one resource whose first matching entry decides, or that are sorted by a number. */
import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { Value } from '../attributes/types.ts';
import { at, isEmpty, list, member, quantity, strings, text } from '../attributes/values.ts';
import { type Match, pick, refuses, says } from './kind.ts';

/** An entry of a list, as far as its place matters. */
export interface Entry {
  place: number;
  /** What it demands; undefined if entries only lead to different places. */
  strictness: number | undefined;
  match: Match;
  /** The entry without what only names or numbers it. */
  content: string;
}

export interface InnerList {
  types: readonly string[];
  /** The path of the list; single blocks on the way are entered. */
  path: readonly string[];
  read(entry: JsonValue, position: number, resource: JsonObject): Entry;
}

const entry = (place: number, strictness: number | undefined, match: Match, content: Value): Entry => ({
  place,
  strictness,
  match,
  content: JSON.stringify(content ?? null),
});

/** Prefixes of paths are written as patterns. */
const toPattern = (path: string): string => (path.endsWith('*') ? path : `${path}*`);

function matchRoute(rule: JsonValue): Match {
  const found = list(member(rule, 'match'));
  const whole = found.length === 0 || found.some((one) => isEmpty(member(one, 'uri')));
  if (whole && found.every((one) => Object.keys(one ?? {}).every((name) => name === 'uri'))) return {};
  const paths = found.flatMap((one) => [
    ...strings(at(one, 'uri', 'exact')),
    ...strings(at(one, 'uri', 'prefix')).map(toPattern),
  ]);
  const others = found.map((one) =>
    JSON.stringify(Object.entries(one ?? {}).filter(([name]) => name !== 'uri' && name !== 'name')),
  );
  const extra = others.filter((text) => text !== '[]');
  return { ...(paths.length > 0 ? { path: paths } : {}), ...(extra.length > 0 ? { headers: extra } : {}) };
}

const PANOS = {
  source: ['source_addresses'],
  destination: ['destination_addresses'],
  application: ['applications'],
  service: ['services'],
  from: ['source_zones'],
  to: ['destination_zones'],
  user: ['source_users'],
};

function readGatewayRule(rule: JsonValue, _: number, gateway: JsonObject): Entry {
  const named = text(member(rule, 'http_listener_name'));
  const listener = list(member(gateway, 'http_listener')).find((one) => text(member(one, 'name')) === named) ?? {};
  const hosts = pick(listener, { host: ['host_name', 'host_names'] });
  const port = text(member(listener, 'frontend_port_name'));
  return entry(
    quantity(member(rule, 'priority')) ?? 0,
    undefined,
    port === '' ? hosts : { ...hosts, port: [port] },
    without(rule, ['priority', 'id']),
  );
}

function without(value: JsonValue, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries((value ?? {}) as JsonObject).filter(([name]) => !names.includes(name)));
}

export const INNER_LISTS: readonly InnerList[] = [
  {
    types: [
      'panos_security_rule_group',
      'panos_security_policy',
      'panos_panorama_security_rule_group',
      'panos_panorama_security_policy',
    ],
    path: ['rule'],
    read: (rule, position) =>
      entry(position, says(rule, 'disabled', /^true$/) ? undefined : refuses('action')(rule), pick(rule, PANOS), rule),
  },
  {
    types: ['kubernetes_virtual_service'],
    path: ['spec', 'http'],
    read: (rule, position) => entry(position, undefined, matchRoute(rule), rule),
  },
  { types: ['azurerm_application_gateway'], path: ['request_routing_rule'], read: readGatewayRule },
  {
    types: ['meraki_networks_appliance_firewall_l3_firewall_rules', 'meraki_appliance_l3_firewall_rules'],
    path: ['rules'],
    read: (rule, position) =>
      entry(
        position,
        refuses('policy')(rule),
        pick(rule, { source: ['src_cidr'], destination: ['dest_cidr'], ports: ['dest_port'] }),
        rule,
      ),
  },
  {
    types: ['linode_firewall'],
    path: ['inbound'],
    read: (rule, position) =>
      entry(
        position,
        refuses('action')(rule),
        pick(rule, { source: ['ipv4'], ports: ['ports'], protocol: ['protocol'] }),
        without(rule, ['label']),
      ),
  },
  {
    types: ['scaleway_instance_security_group'],
    path: ['inbound_rule'],
    read: (rule, position) =>
      entry(
        position,
        refuses('action')(rule),
        pick(rule, { source: ['ip', 'ip_range'], ports: ['port', 'port_range'] }),
        rule,
      ),
  },
  {
    types: ['google_compute_firewall_policy_with_rules', 'google_compute_network_firewall_policy_with_rules'],
    path: ['rule'],
    read: (rule) =>
      entry(
        quantity(member(rule, 'priority')) ?? 0,
        says(rule, 'action', /^allow/i) ? 0 : 1,
        pick(list(member(rule, 'match'))[0], { source: ['src_ip_ranges'], destination: ['dest_ip_ranges'] }),
        without(rule, ['priority', 'description', 'rule_name']),
      ),
  },
];

/** R-NET-ROUTE: default routes, and deleted links between networks. */

/** Reasons of R-NET-ROUTE. */
const REASONS = {
  deleted: 'The default route is deleted.',
  internet: 'A default route to an internet gateway is added to an existing route table.',
  moved: 'The default route changes its target.',
  link: 'The link between two networks is deleted.',
  gateway: 'The gateway is detached from its network.',
};

import { isWholeInternet, parseCidr } from '../../../lib/cidr.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { isEmpty, list, member, same, text } from '../values.ts';

/** Attributes of a route, by provider. */
interface RouteForm {
  destinations: readonly string[];
  targets: readonly string[];
  /** The attribute that names the route table of a route resource. */
  table?: string;
  /** Returns true when the target of the route is the internet. */
  isInternet(route: Value): boolean;
}

const AWS: RouteForm = {
  destinations: ['destination_cidr_block', 'destination_ipv6_cidr_block', 'cidr_block', 'ipv6_cidr_block'],
  targets: [
    'gateway_id',
    'nat_gateway_id',
    'transit_gateway_id',
    'network_interface_id',
    'instance_id',
    'vpc_endpoint_id',
    'vpc_peering_connection_id',
    'egress_only_gateway_id',
    'local_gateway_id',
    'core_network_arn',
    'carrier_gateway_id',
  ],
  table: 'route_table_id',
  isInternet: (route) => text(member(route, 'gateway_id')).startsWith('igw-'),
};

const AZURE: RouteForm = {
  destinations: ['address_prefix'],
  targets: ['next_hop_type', 'next_hop_in_ip_address'],
  isInternet: (route) => text(member(route, 'next_hop_type')).toLowerCase() === 'internet',
};

const GOOGLE: RouteForm = {
  destinations: ['dest_range'],
  targets: ['next_hop_gateway', 'next_hop_instance', 'next_hop_ip', 'next_hop_vpn_tunnel', 'next_hop_ilb'],
  isInternet: (route) => text(member(route, 'next_hop_gateway')).endsWith('default-internet-gateway'),
};

function isDefault(form: RouteForm, route: Value): boolean {
  return form.destinations.some((name) => {
    const cidr = parseCidr(text(member(route, name)));
    return cidr !== undefined && isWholeInternet(cidr);
  });
}

function target(form: RouteForm, route: Value): string[] {
  return form.targets.map((name) => text(member(route, name)));
}

/** Checks a resource that is a single route. */
function judgeRoute(form: RouteForm, subject: Subject): void {
  const { before, after, mode } = subject;
  if (mode === 'delete') {
    if (isDefault(form, before) && !isGone(form, subject)) report(subject, null, REASONS.deleted);
  } else if (mode === 'create') {
    if (isDefault(form, after) && addsInternet(form, subject)) report(subject, ['gateway_id'], REASONS.internet);
  } else if (
    isDefault(form, before) !== isDefault(form, after) ||
    (isDefault(form, after) && movesTarget(form, subject, before, after, []))
  ) {
    report(subject, changedTarget(form, subject), REASONS.moved, staysBeside(form, subject) ? 'medium' : 'high');
  }
}

/** Whether the only change is another private address of the same small network, as of a second firewall. */
function staysBeside(form: RouteForm, { before, after }: Subject): boolean {
  const names = [...form.targets, ...form.destinations].filter(
    (name) => !same(member(before, name), member(after, name)),
  );
  return names.length === 1 && names.every((name) => isBeside(text(member(before, name)), text(member(after, name))));
}

const PRIVATE_ADDRESS = /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]{3,11}$/;

function isBeside(before: string, after: string): boolean {
  const network = before.slice(0, before.lastIndexOf('.'));
  return PRIVATE_ADDRESS.test(before) && network === after.slice(0, after.lastIndexOf('.'));
}

/** Returns true for a new route to the internet in an existing table. A new table has no id yet. */
function addsInternet(form: RouteForm, subject: Subject): boolean {
  if (!form.table || text(member(subject.after, form.table)) === '') return false;
  return form.isInternet(subject.after) || subject.isUnknown('gateway_id');
}

function isGone(form: RouteForm, subject: Subject): boolean {
  return form.table !== undefined && subject.facts.destroyed.has(text(member(subject.before, form.table)));
}

function movesTarget(form: RouteForm, subject: Subject, before: Value, after: Value, parent: Path): boolean {
  return form.targets.some((name) => {
    if (subject.isUnknown(...parent, name)) return text(member(before, name)) !== '';
    return text(member(before, name)) !== text(member(after, name));
  });
}

function changedTarget(form: RouteForm, { before, after }: Subject): Path | null {
  const name = [...form.targets, ...form.destinations].find(
    (attribute) => !same(member(before, attribute), member(after, attribute)),
  );
  return name === undefined ? null : [name];
}

/** Checks a table with inline routes. A new table affects no existing traffic. */
function judgeTable(form: RouteForm, subject: Subject): void {
  if (subject.mode === 'create') return;
  const before = defaults(form, member(subject.before, 'route'));
  const after = defaults(form, member(subject.after, 'route'));
  if (subject.isUnknown('route') && after.length === 0) return;
  const targets = (routes: Value[]): string[] => routes.map((route) => target(form, route).join(' ')).sort();
  if (same(targets(before), targets(after))) return;
  const opened = after.some((route) => form.isInternet(route)) && !before.some((route) => form.isInternet(route));
  report(subject, ['route'], opened ? REASONS.internet : REASONS.moved);
}

function defaults(form: RouteForm, routes: Value): Value[] {
  return list(routes).filter((route) => isDefault(form, route));
}

function report(subject: Subject, path: Path | null, message: string, level: 'medium' | 'high' = 'high'): void {
  subject.add({ rule: 'R-NET-ROUTE', level, path, message });
  if (path) subject.setDirection(path, 'weakening');
}

/** Links between networks, with the attributes that name the linked networks. */
const LINKS: Record<string, readonly string[]> = {
  aws_vpc_peering_connection: ['vpc_id', 'peer_vpc_id'],
  aws_internet_gateway_attachment: ['vpc_id', 'internet_gateway_id'],
  aws_vpn_gateway_attachment: ['vpc_id', 'vpn_gateway_id'],
  aws_ec2_transit_gateway_vpc_attachment: ['vpc_id', 'transit_gateway_id'],
  aws_ec2_transit_gateway_peering_attachment: ['transit_gateway_id', 'peer_transit_gateway_id'],
  aws_dx_gateway_association: ['dx_gateway_id', 'associated_gateway_id'],
  azurerm_virtual_network_peering: ['virtual_network_name', 'remote_virtual_network_id'],
  google_compute_network_peering: ['network', 'peer_network'],
};

function judgeLink(subject: Subject): void {
  const ends = LINKS[subject.type] ?? [];
  if (ends.some((name) => subject.facts.destroyed.has(text(member(subject.before, name))))) return;
  report(subject, null, REASONS.link);
}

/** Checks for a gateway that is detached from its network. */
function judgeGateway(subject: Subject): void {
  const { before, after } = subject;
  if (
    isEmpty(member(before, 'vpc_id')) ||
    subject.isUnknown('vpc_id') ||
    same(member(before, 'vpc_id'), member(after, 'vpc_id'))
  )
    return;
  report(subject, ['vpc_id'], REASONS.gateway);
}

const ALL_MODES = ['create', 'update', 'replace', 'delete'] as const;

function routeRule(types: string[], form: RouteForm): Rule {
  const attributes = [...form.destinations, ...form.targets];
  return {
    types,
    watches: attributes.map((path) => ({ path })),
    modes: ALL_MODES,
    find: (subject) => judgeRoute(form, subject),
  };
}

export const ROUTE_RULES: readonly Rule[] = [
  routeRule(['aws_route'], AWS),
  routeRule(['azurerm_route'], AZURE),
  routeRule(['google_compute_route'], GOOGLE),
  {
    types: ['aws_route_table', 'aws_default_route_table'],
    watches: [{ path: 'route' }],
    find: (subject) => judgeTable(AWS, subject),
  },
  { types: ['azurerm_route_table'], watches: [{ path: 'route' }], find: (subject) => judgeTable(AZURE, subject) },
  { types: Object.keys(LINKS), watches: [], modes: ['delete'], find: judgeLink },
  {
    types: ['aws_internet_gateway', 'aws_vpn_gateway'],
    watches: [{ path: 'vpc_id' }],
    modes: ['update'],
    find: judgeGateway,
  },
];

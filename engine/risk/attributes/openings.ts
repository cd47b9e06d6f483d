import type { RiskLevel } from '../../result.ts';
import { maxLevel } from '../levels.ts';
import { type Cidr, contains, isWorld } from './cidr.ts';
import type { Path } from './types.ts';

/** One thing a filter lets through: a protocol, a port range and a source. A rule of a provider may hold several. */
export interface Opening {
  /** `tcp`, `udp`, `icmp`, `all`, or what the provider wrote. */
  protocol: string;
  from: number;
  to: number;
  /** null for a source that is no address: another group, a prefix list, a tag. */
  source: Cidr | null;
  /** The source as written in the plan. */
  label: string;
  path: Path;
}

export type Range = readonly [from: number, to: number];

export const ALL_PORTS: Range = [0, 65535];

/** Ports through which hosts and databases are administered. */
const MANAGEMENT_PORTS = [22, 23, 445, 1433, 1521, 2375, 3306, 3389, 5432, 5900, 5984, 6379, 6443, 9200, 11211, 27017];
const PROTOCOLS: Record<string, string> = {
  '-1': 'all',
  '*': 'all',
  any: 'all',
  '6': 'tcp',
  '17': 'udp',
  '1': 'icmp',
  '58': 'icmp',
  icmpv6: 'icmp',
  ipv6_icmp: 'icmp',
};
/** Beyond this many comparisons only openings to the world are compared. */
const COMPARISONS_MAX = 100_000;

export function normaliseProtocol(protocol: string): string {
  const name = protocol.toLowerCase().replace('-icmp', '_icmp');
  return Object.hasOwn(PROTOCOLS, name) ? PROTOCOLS[name]! : name;
}

/** Protocols without ports are open as a whole. */
function hasPorts({ protocol }: Opening): boolean {
  return protocol === 'tcp' || protocol === 'udp' || protocol === 'sctp' || protocol === 'all';
}

/** True for a port of a database, or one through which hosts are administered. */
export function isManagementPort(port: number): boolean {
  return MANAGEMENT_PORTS.includes(port);
}

/** The parts of each opening to the world which were not open before. */
export function newToTheWorld(
  before: readonly Opening[],
  after: readonly Opening[],
): { opening: Opening; ranges: Range[] }[] {
  const earlier = before.filter(isToTheWorld);
  const found: { opening: Opening; ranges: Range[] }[] = [];
  for (const opening of after) {
    if (!isToTheWorld(opening)) continue;
    const ranges = uncovered(opening, earlier);
    if (ranges.length > 0) found.push({ opening, ranges });
  }
  return found;
}

export function isToTheWorld({ source }: Opening): boolean {
  return source !== null && isWorld(source);
}

/** How bad it is that the world reaches these ports of a protocol. */
export function levelOf(opening: Opening, ranges: readonly Range[]): RiskLevel {
  if (opening.protocol === 'icmp') return 'low';
  if (!hasPorts(opening)) return 'high';
  return maxLevel(...ranges.map(levelOfRange));
}

function levelOfRange([from, to]: Range): RiskLevel {
  if (MANAGEMENT_PORTS.some((port) => from <= port && port <= to)) return 'critical';
  return from === to && (from === 80 || from === 443) ? 'medium' : 'high';
}

/** An opening whose source grew by at least 8 bits, or beyond a /16, out of one that was there before. */
export function findWidened(
  before: readonly Opening[],
  after: readonly Opening[],
): { opening: Opening; from: Opening } | undefined {
  const [earlier, later] = withoutShared(before, after);
  if (earlier.length * later.length > COMPARISONS_MAX) return undefined;
  for (const opening of later) {
    if (uncovered(opening, before).length === 0) continue;
    const from = earlier.find((other) => isWider(opening, other));
    if (from) return { opening, from };
  }
  return undefined;
}

function isWider(wide: Opening, narrow: Opening): boolean {
  if (!wide.source || !narrow.source || !overlaps(wide, narrow) || !contains(wide.source, narrow.source)) return false;
  const bits = narrow.source.prefix - wide.source.prefix;
  return bits >= 8 || (bits > 0 && wide.source.prefix < (wide.source.family === 4 ? 16 : 32));
}

/** True when some traffic is meant by both openings. */
export function overlap(a: Opening, b: Opening): boolean {
  if (!overlaps(a, b)) return false;
  return a.source && b.source ? contains(a.source, b.source) || contains(b.source, a.source) : a.label === b.label;
}

function overlaps(a: Opening, b: Opening): boolean {
  return (covers(a.protocol, b.protocol) || covers(b.protocol, a.protocol)) && a.from <= b.to && b.from <= a.to;
}

/** `narrower` when the new set lets through less and nothing more, `equal` when it lets through the same. */
export function compareSets(before: readonly Opening[], after: readonly Opening[]): 'narrower' | 'equal' | 'other' {
  const [earlier, later] = withoutShared(before, after);
  if (earlier.length === 0 && later.length === 0) return 'equal';
  if (earlier.length * after.length + later.length * before.length > COMPARISONS_MAX) return 'other';
  if (!later.every((opening) => uncovered(opening, before).length === 0)) return 'other';
  return earlier.every((opening) => uncovered(opening, after).length === 0) ? 'equal' : 'narrower';
}

function withoutShared(before: readonly Opening[], after: readonly Opening[]): [Opening[], Opening[]] {
  const earlier = new Set(before.map(keyOf));
  const later = new Set(after.map(keyOf));
  return [
    before.filter((opening) => !later.has(keyOf(opening))),
    after.filter((opening) => !earlier.has(keyOf(opening))),
  ];
}

function keyOf({ protocol, from, to, label }: Opening): string {
  return `${protocol} ${from} ${to} ${label}`;
}

/** The port ranges of an opening that none of the others lets through from the same source. */
function uncovered(opening: Opening, others: readonly Opening[]): Range[] {
  let left: Range[] = [[opening.from, opening.to]];
  for (const other of others) {
    if (!covers(other.protocol, opening.protocol) || !holdsSource(other, opening)) continue;
    left = left.flatMap((range) => subtract(range, [other.from, other.to]));
    if (left.length === 0) break;
  }
  return left;
}

function covers(outer: string, inner: string): boolean {
  return outer === 'all' || outer === inner;
}

function holdsSource(outer: Opening, inner: Opening): boolean {
  return outer.source && inner.source ? contains(outer.source, inner.source) : outer.label === inner.label;
}

function subtract([from, to]: Range, [cutFrom, cutTo]: Range): Range[] {
  if (cutTo < from || to < cutFrom) return [[from, to]];
  const rest: Range[] = [];
  if (from < cutFrom) rest.push([from, cutFrom - 1]);
  if (cutTo < to) rest.push([cutTo + 1, to]);
  return rest;
}

/** `port 22`, `ports 20-25`, `every port`, `ICMP`, `protocol 50`. */
export function describePorts(opening: Opening, ranges: readonly Range[]): string {
  if (opening.protocol === 'icmp') return 'ICMP';
  if (!hasPorts(opening)) return `protocol ${opening.protocol.slice(0, 20)}`;
  const first = ranges[0]!;
  if (ranges.length === 1 && first[0] <= 1 && first[1] === ALL_PORTS[1])
    return opening.protocol === 'all' ? 'every port' : `every ${opening.protocol} port`;
  const shown = ranges.slice(0, 3).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  const more = ranges.length > 3 ? ' and more' : '';
  return `${ranges.length === 1 && first[0] === first[1] ? 'port' : 'ports'} ${shown.join(', ')}${more}`;
}

import { type Cidr, contains, isVastPublic, isWholeInternet } from '../../../lib/cidr.ts';
import { maxLevel } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { StepBudget } from '../step-budget.ts';
import type { Path } from '../types.ts';
import { Coverage, mergeRanges, SourceRanges, toOpeningKey } from './coverage.ts';
import { MANAGEMENT_PORTS } from './ports.ts';

/** A protocol, port range and source that a filter allows. One rule of a provider may contain several openings. */
export interface Opening {
  /** `tcp`, `udp`, `icmp`, `all`, or the provider's own name. */
  protocol: string;
  from: number;
  to: number;
  /** null for a source that is not an address: another group, a prefix list, a tag. */
  source: Cidr | null;
  /** The source as written in the plan. */
  label: string;
  path: Path;
  /** Combines several port ranges into one from their first to their last port, and covers no other opening. */
  estimated?: true;
}

export type Range = readonly [from: number, to: number];

export const ALL_PORTS: Range = [0, 65535];

/** Comparing one opening of a typical filter takes a few steps. */
const STEPS_EACH = 64;
const STEPS_FREE = 100_000;
/** Most openings of one rule that are listed individually. Beyond it, only openings to the internet are. */
const PRODUCT_MAX = 20_000;
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
export function normalizeProtocol(protocol: string): string {
  const name = protocol.toLowerCase().replace('-icmp', '_icmp');
  return Object.hasOwn(PROTOCOLS, name) ? PROTOCOLS[name]! : name;
}

/** Returns false for protocols without ports, which are open as a whole. */
function hasPorts({ protocol }: Opening): boolean {
  return protocol === 'tcp' || protocol === 'udp' || protocol === 'sctp' || protocol === 'all';
}

/**
 * Combines each source of a rule with each of its port ranges. Equal sources and ports count once. When there are too
 * many combinations, sources that are the internet keep their exact ranges, and others span the first to the last port.
 */
export function combine(
  protocol: string,
  ranges: readonly Range[],
  sources: readonly Pick<Opening, 'source' | 'label' | 'path'>[],
): Opening[] {
  if (ranges.length * sources.length <= PRODUCT_MAX) {
    return sources.flatMap((source) => ranges.map(([from, to]) => ({ protocol, from, to, ...source })));
  }
  const ports = mergeRanges(ranges);
  const distinct = [...new Map(sources.map((source) => [describeSource(source), source])).values()];
  const hull: Range = [ports[0]?.[0] ?? 0, ports.at(-1)?.[1] ?? 0];
  const is_exact = ports.length * distinct.length <= PRODUCT_MAX;
  return distinct.flatMap((source): Opening[] => {
    if (is_exact || isPublic(source)) return ports.map(([from, to]) => ({ protocol, from, to, ...source }));
    return [{ protocol, from: hull[0], to: hull[1], ...source, estimated: true }];
  });
}

/** All spellings of the whole internet get the same description. */
function describeSource({ source, label }: Pick<Opening, 'source' | 'label'>): string {
  return source === null || !isWholeInternet(source) ? label : `${source.family}/${source.prefix}/${source.address}`;
}

/** Returns the port ranges of each opening to the internet that were not open before. */
export function findNewlyPublic(
  before: readonly Opening[],
  after: readonly Opening[],
  steps = stepsFor(before, after),
): { opening: Opening; ranges: Range[] }[] {
  const earlier = new Coverage(before.filter(isPublic), steps);
  const found: { opening: Opening; ranges: Range[] }[] = [];
  for (const opening of after) {
    if (!isPublic(opening)) continue;
    const ranges = earlier.findGaps(opening);
    if (ranges.length > 0) found.push({ opening, ranges });
  }
  return found;
}

/** Returns the step budget for comparing two sets. It is linear in their size and sufficient for real filters. */
export function stepsFor(before: readonly Opening[], after: readonly Opening[]): StepBudget {
  return new StepBudget(STEPS_EACH * (before.length + after.length) + STEPS_FREE);
}

export function isPublic({ source }: Pick<Opening, 'source'>): boolean {
  return source !== null && isVastPublic(source);
}

/** Rates an opening of these ports to the internet. */
export function rateOpening(opening: Opening, ranges: readonly Range[]): RiskLevel {
  if (opening.protocol === 'icmp') return 'low';
  if (!hasPorts(opening)) return 'high';
  return ranges.reduce<RiskLevel>((worst, range) => maxLevel(worst, rateRange(range)), 'none');
}

function rateRange([from, to]: Range): RiskLevel {
  if (MANAGEMENT_PORTS.some((port) => from <= port && port <= to)) return 'critical';
  return from === to && (from === 80 || from === 443) ? 'medium' : 'high';
}

/**
 * Returns the first opening whose source widened by at least 8 bits, or beyond a /16, compared with an earlier one.
 * When the step budget is exhausted, `from` is null.
 */
export function findWidened(
  before: readonly Opening[],
  after: readonly Opening[],
  steps = stepsFor(before, after),
): { opening: Opening; from: Opening | null } | undefined {
  const [earlier, later] = withoutShared(before, after);
  const covered = new Coverage(before, steps);
  const narrower = new SourceRanges(earlier, steps);
  for (const opening of later) {
    if (opening.source === null || covered.findGaps(opening).length === 0) continue;
    const from = narrower.findWithin(opening, isWider);
    if (from !== undefined) return { opening, from };
  }
  return undefined;
}

function isWider(wide: Opening, narrow: Opening): boolean {
  if (!wide.source || !narrow.source || !overlaps(wide, narrow) || !contains(wide.source, narrow.source)) return false;
  const bits = narrow.source.prefix - wide.source.prefix;
  return bits >= 8 || (bits > 0 && wide.source.prefix < (wide.source.family === 4 ? 16 : 32));
}

/** Returns true when some traffic matches both openings. */
export function overlap(a: Opening, b: Opening): boolean {
  if (!overlaps(a, b)) return false;
  return a.source && b.source ? contains(a.source, b.source) || contains(b.source, a.source) : a.label === b.label;
}

function overlaps(a: Opening, b: Opening): boolean {
  return (covers(a.protocol, b.protocol) || covers(b.protocol, a.protocol)) && a.from <= b.to && b.from <= a.to;
}

/** Returns `narrower` when the new set allows a proper subset of the old one, and `equal` when it allows the same. */
export function compareSets(
  before: readonly Opening[],
  after: readonly Opening[],
  steps = stepsFor(before, after),
): 'narrower' | 'equal' | 'other' {
  const [earlier, later] = withoutShared(before, after);
  if (earlier.length === 0 && later.length === 0) return 'equal';
  const was = new Coverage(before, steps);
  if (!later.every((opening) => was.findGaps(opening).length === 0)) return 'other';
  const is = new Coverage(after, steps);
  const equal = earlier.every((opening) => is.findGaps(opening).length === 0);
  return steps.exhausted ? 'other' : equal ? 'equal' : 'narrower';
}

function withoutShared(before: readonly Opening[], after: readonly Opening[]): [Opening[], Opening[]] {
  if (before.length === 0 || after.length === 0) return [[...before], [...after]];
  const [was, is] = [before.map(toOpeningKey), after.map(toOpeningKey)];
  const [earlier, later] = [new Set(was), new Set(is)];
  return [before.filter((_, i) => !later.has(was[i]!)), after.filter((_, i) => !earlier.has(is[i]!))];
}

/** Formats ports for messages: `port 22`, `ports 20-25`, `every port`, `ICMP`, `protocol 50`. */
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

function covers(outer: string, inner: string): boolean {
  return outer === 'all' || outer === inner;
}

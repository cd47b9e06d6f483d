/** Judges lists of addresses that may connect, or may not: how much of the internet they gain. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { type Cidr, contains, isWholeInternet, parseCidr } from '../../../lib/cidr.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { list, member, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const REFUSES = listWords(
  'deny denied block blocked blacklist blocklist denylist ban banned reject drop exclude excluded bad abuse attacker',
);
const LETS_IN = listWords(
  'allow allowed allowlist whitelist authorized trusted trust permit permitted source ingress inbound access ' +
    'gateway acl bypass exempt skip ip firewall filter client remote',
);
/** Addresses of our own networks, and where traffic goes. */
const OWN = listWords(
  'egress outbound destination route routing subnet vpc vnet pool dns nat pod service cluster peer peering tunnel ' +
    'advertise propagate reserved master target',
);
/** Where traffic goes, even in a list of what is allowed. */
const OUTWARD = listWords('egress outbound destination route routing target');
const ADVERTISES = listWords('advertise advertised advertisement propagate');
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16']
  .concat('fc00::/7', 'fe80::/10')
  .map((block) => parseCidr(block)!);
/** Ranges with at most this prefix are far more than one company has. */
const HUGE = { 4: 10, 6: 20 } as const;
const LARGE = { 4: 15, 6: 31 } as const;
const MAX_RANGES = 200;
const WEB_PORTS = new Set(['80', '443']);
const PORTS = ['port', 'from_port', 'to_port', 'ports', 'destination_port_range', 'port_range_min', 'port_range_max'];

export function judgeRanges(argument: Argument): ValueFinding | null {
  const { words, outer, before, after } = argument;
  if (hasAny(words, OWN) && !hasAny(words, LETS_IN)) return null;
  const was = readRanges(before);
  if (was !== null && list(after).length === 0 && isRestriction(argument))
    return report('high', 'weakening', 'Without entries the list restricts nothing, so every address may connect');
  const now = readRanges(after);
  if (now === null) return null;
  const gained = now.filter((range) => !(was ?? []).some((known) => contains(known, range)));
  if (gained.length === 0) return null;
  const names = new Set([...words, ...outer, ...argument.type, ...listNames(argument.holders)]);
  if (hasAny(names, ADVERTISES))
    return gained.some(isWholeInternet)
      ? report('high', 'weakening', 'All traffic of the other network is drawn here')
      : null;
  // A block of addresses refuses nothing.
  if (words.has('cidr') || words.has('ip')) names.delete('block');
  if (hasAny(names, REFUSES)) return report('low', 'strengthening', 'More addresses are refused');
  // `allowed_networks` of a cluster says itself who is let in.
  if (hasAny(names, hasAny(words, LETS_IN) ? OUTWARD : OWN)) return null;
  if (!hasAny(names, LETS_IN) && argument.effect.effect !== 'exposure') return null;
  const level = rateRanges(gained);
  if (level === null)
    return !hasAny(words, ENDS) && gained.every(isOwnNetwork)
      ? report('low', 'neutral', 'Another private network is allowed')
      : null;
  const is_web = isWeb(argument.parent);
  // That everybody may connect is what rules say themselves; tables of moves do not know how many addresses there are.
  const beyond_rules = level === 'high' && (argument.type.has('set') || !gained.some(isWholeInternet));
  return { ...report(is_web ? 'medium' : level, 'weakening', CONSEQUENCE), beyond_rules };
}

/** The first or last address of a range says nothing about its size. */
const ENDS = listWords('start end first last begin');

/** A private range as large as one network of an organization. */
function isOwnNetwork(range: Cidr): boolean {
  return range.prefix >= 16 && PRIVATE.some((block) => contains(block, range));
}

const RESTRICTS = /restrict|allow|whitelist|authori[sz]ed|trusted|permitted|traffic_?filter|access_?list/i;

/** Whether the names say that only listed addresses may connect. */
function isRestriction({ names, words, outer, type }: Argument): boolean {
  if ([words, outer, type].some((all) => hasAny(all, REFUSES) || all.has('egress'))) return false;
  // Without entries, nobody reaches a Cloud SQL instance over its public address.
  if (type.has('sql') && outer.has('authorized')) return false;
  return names.some((name) => RESTRICTS.test(name)) || [...type].some((word) => RESTRICTS.test(word));
}

const CONSEQUENCE = 'A very large range of addresses is allowed';

function report(level: RiskLevel, direction: ValueFinding['direction'], consequence: string): ValueFinding {
  return { rule: 'R-VAL-RANGE', level, direction, consequence };
}

/** null if the value is not a list of addresses. */
export function readRanges(value: MaybeJson): Cidr[] | null {
  const entries = list(value)
    .flatMap((item) => text(item).split(/[,\s]+/, MAX_RANGES))
    .filter((item) => item !== '');
  if (entries.length === 0 || entries.length > MAX_RANGES) return null;
  const ranges = entries.map(parseCidr);
  return ranges.every((range) => range !== undefined) ? ranges : null;
}

/** How much of the internet is let in by ranges; null for ranges of the size that one company has. */
export function rateRanges(ranges: readonly Cidr[]): RiskLevel | null {
  const open = ranges.filter((range) => !PRIVATE.some((block) => contains(block, range)));
  if (open.some(({ family, prefix }) => prefix <= HUGE[family])) return 'high';
  const inner = ranges.filter((range) => !open.includes(range));
  const is_wide = open.some(({ family, prefix }) => prefix <= LARGE[family]) || inner.some(({ prefix }) => prefix <= 9);
  return is_wide ? 'medium' : null;
}

/** Names of the objects around the list, such as the name of an address set. */
function listNames(holders: readonly MaybeJson[]): string[] {
  return holders.flatMap((holder) =>
    ['name', 'description', 'access', 'action', 'type', 'mode'].flatMap((key) =>
      splitWords(text(member(holder, key)).slice(0, 100)),
    ),
  );
}

/** Web servers are meant for everybody. */
function isWeb(parent: MaybeJson): boolean {
  const ports = PORTS.flatMap((name) => list(member(parent, name)).map(text)).filter((port) => port !== '');
  return ports.length > 0 && ports.every((port) => WEB_PORTS.has(port));
}

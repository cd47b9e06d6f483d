import { contains, parseCidr } from '../../lib/cidr.ts';
import { matchesWildcard } from '../attributes/identity/wildcard.ts';
import type { Match } from './kind.ts';

const EVERYTHING = new Set(['*', '/*', '*.*', 'any', 'internet', 'all', '0.0.0.0/0', '::/0', '0-65535', '-1']);
/** Values of one dimension that are compared. */
const MAX_VALUES = 100;

/** Whether some traffic matches both rules. */
export function overlaps(a: Match, b: Match): boolean {
  return Object.keys(a).every((name) => b[name] === undefined || overlapsValues(a[name]!, b[name]!));
}

/** Whether a rule matches everything, so that no rule behind it is reached. */
export function matchesEverything(match: Match): boolean {
  return Object.entries(match).every(([name, values]) => name === 'direction' || values.some(isEverything));
}

function overlapsValues(a: readonly string[], b: readonly string[]): boolean {
  const others = b.slice(0, MAX_VALUES);
  return a.slice(0, MAX_VALUES).some((one) => others.some((other) => overlapsValue(one, other)));
}

function overlapsValue(one: string, other: string): boolean {
  if (one === other || isEverything(one) || isEverything(other)) return true;
  if (matchesWildcard(one, other) || matchesWildcard(other, one)) return true;
  const [left, right] = [parseCidr(one), parseCidr(other)];
  if (left && right) return contains(left, right) || contains(right, left);
  const [ports, other_ports] = [readRange(one), readRange(other)];
  return ports !== null && other_ports !== null && ports[0] <= other_ports[1] && other_ports[0] <= ports[1];
}

function isEverything(value: string): boolean {
  return EVERYTHING.has(value.toLowerCase());
}

function readRange(value: string): [number, number] | null {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(value);
  return match === null ? null : [Number(match[1]), Number(match[2] ?? match[1])];
}

/** Whether a rule matches all that another one matches. */
export function covers(wide: Match, narrow: Match): boolean {
  return Object.entries(wide).every(([name, values]) => {
    const inner = narrow[name];
    if (values.some(isEverything)) return true;
    return inner?.slice(0, MAX_VALUES).every((value) => values.some((one) => holds(one, value))) === true;
  });
}

function holds(wide: string, narrow: string): boolean {
  if (wide === narrow || matchesWildcard(wide, narrow)) return true;
  const [outer, inner] = [parseCidr(wide), parseCidr(narrow)];
  if (outer && inner) return contains(outer, inner);
  const [range, part] = [readRange(wide), readRange(narrow)];
  return range !== null && part !== null && range[0] <= part[0] && part[1] <= range[1];
}

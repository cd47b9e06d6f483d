import { isEqual, isNothing, type MaybeJson } from '../../changes/values.ts';
import type { Effect, SafeEnd, Sentinel } from '../../effects/index.ts';
import { type Cidr, contains, isVastPublic, parseCidr } from '../../lib/cidr.ts';
import { type Magnitude, readMagnitude } from './magnitude.ts';
import { readSwitch } from './switch.ts';
import type { Move } from './types.ts';

const NEUTRAL: Move = { direction: 'neutral', degree: 'part' };
const weakening = (degree: Move['degree']): Move => ({ direction: 'weakening', degree });
const STRONGER: Move = { direction: 'strengthening', degree: 'part' };

/** For amounts of which less is safer: what grows, weakens; without a limit, completely. */
function flipMove({ direction }: Move): Move {
  if (direction === 'strengthening') return weakening('part');
  return direction === 'weakening' ? STRONGER : NEUTRAL;
}

/** Entries that stand for everyone or everything. */
const EVERYONE = new Set(['*', '0.0.0.0', 'all', 'any', 'everyone', 'public', 'internet', '/*', '.*']);

/** In words, or as a network that no single owner has: `198.51.100.7/0` means the same as `0.0.0.0/0`. */
function isEveryone(entry: string): boolean {
  const range = parseCidr(entry);
  return EVERYONE.has(entry.toLowerCase()) || (range !== undefined && isVastPublic(range));
}

const UNLIMITED = new Set(['unlimited', 'never', 'forever', 'infinite', 'none', '-1']);

/** Decides whether a value moves towards the safe end of its argument. Empty values count as absent. */
export function findMove({ effect, safe_end, inferred, sentinel }: Effect, before: MaybeJson, after: MaybeJson): Move {
  const from = isBlank(before) ? undefined : before;
  const to = isBlank(after) ? undefined : after;
  if (isEqual(from ?? null, to ?? null)) return NEUTRAL;
  // Whatever reads a secret fails without it.
  if (effect === 'secret' && to === undefined) return weakening('all');
  if (safe_end === null) return NEUTRAL;
  return moveTowards({ safe_end, inferred, sentinel }, from, to);
}

function isBlank(value: MaybeJson): boolean {
  return value === '' || isNothing(value);
}

function moveTowards(
  { safe_end, inferred, sentinel }: { safe_end: SafeEnd; inferred: boolean; sentinel: Sentinel | null },
  from: MaybeJson,
  to: MaybeJson,
): Move {
  switch (safe_end) {
    case 'true':
      return moveOfSwitch(readSwitch(from), readSwitch(to), inferred);
    case 'false':
      return moveOfSwitch(flip(readSwitch(from)), flip(readSwitch(to)), inferred);
    case 'more':
      return moveOfAmount(from, to, sentinel);
    case 'less':
      return flipMove(moveOfAmount(from, to, sentinel));
    case 'set':
      return moveOfPresence(from, to);
    case 'unset':
      return moveOfPresence(to, from);
    case 'restrict':
      return moveOfList(to, from, true);
    case 'extend':
      return moveOfList(from, to, false);
    default:
      return moveOfRank(safe_end, from, to);
  }
}

function flip(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

/** An absent switch has the default of the provider. A guess from the name alone is not enough to say what that is. */
function moveOfSwitch(from: boolean | undefined, to: boolean | undefined, inferred: boolean): Move {
  if (from === to) return NEUTRAL;
  if (to === true) return STRONGER;
  if (from === true) return weakening(to === false ? 'all' : 'part');
  return inferred ? NEUTRAL : weakening('part');
}

function moveOfAmount(from: MaybeJson, to: MaybeJson, sentinel: Sentinel | null): Move {
  if (to === undefined) return weakening('part');
  if (from === undefined) return STRONGER;
  const [was, is] = [toAmount(from, sentinel), toAmount(to, sentinel)];
  if (was === null || is === null || was.amount === is.amount) return NEUTRAL;
  const is_comparable = was.dimension === is.dimension || !Number.isFinite(was.amount) || !Number.isFinite(is.amount);
  if (!is_comparable) return NEUTRAL;
  if (is.amount > was.amount) return STRONGER;
  return weakening(is.amount === 0 || is.amount * 10 <= was.amount ? 'all' : 'part');
}

function toAmount(value: MaybeJson, sentinel: Sentinel | null): Magnitude | null {
  if (sentinel !== null && Number(value) === sentinel.value)
    return { amount: sentinel.as === 'most' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY, dimension: 'count' };
  if (value === -1 || (typeof value === 'string' && UNLIMITED.has(value.toLowerCase())))
    return { amount: Number.POSITIVE_INFINITY, dimension: 'count' };
  return readMagnitude(value);
}

function moveOfPresence(from: MaybeJson, to: MaybeJson): Move {
  if (to === undefined) return weakening('all');
  return from === undefined ? STRONGER : NEUTRAL;
}

/**
 * Compares two lists of which the longer is safer; for a list of permissions, the sides are swapped, so that the longer
 * is more dangerous.
 */
function moveOfList(from: MaybeJson, to: MaybeJson, swapped: boolean): Move {
  const [more, fewer] = [toEntries(from), toEntries(to)];
  const lost = listMissing(more, fewer);
  const gained = listMissing(fewer, more);
  if (lost.length === 0) return gained.length === 0 ? NEUTRAL : STRONGER;
  if (swapped) return weakening(lost.some(isEveryone) ? 'all' : 'part');
  return weakening(fewer.size === 0 ? 'all' : 'part');
}

/** The entries that another list does not have; a network inside one of its networks is there. */
function listMissing(entries: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  const missing = [...entries].filter((entry) => !others.has(entry));
  const networks = missing.length > MAX_NETWORKS ? [] : listNetworks(others);
  if (networks.length === 0) return missing;
  return missing.filter((entry) => {
    const inner = parseCidr(entry);
    return inner === undefined || !networks.some((outer) => contains(outer, inner));
  });
}

const MAX_NETWORKS = 200;

function listNetworks(entries: ReadonlySet<string>): Cidr[] {
  if (entries.size > MAX_NETWORKS) return [];
  return [...entries].map(parseCidr).filter((network) => network !== undefined);
}

function toEntries(value: MaybeJson): Set<string> {
  if (value === undefined || value === null) return new Set();
  const entries = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,\s]+/) : [value];
  return new Set(entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).filter(Boolean));
}

function moveOfRank(order: readonly string[], from: MaybeJson, to: MaybeJson): Move {
  const rank = (value: MaybeJson) => order.findIndex((name) => name.toLowerCase() === String(value).toLowerCase());
  const [was, is] = [rank(from), rank(to)];
  if (was < 0 || is < 0 || was === is) return NEUTRAL;
  return is > was ? STRONGER : weakening(is === 0 && !isNumbered(from, to) ? 'all' : 'part');
}

const DIGITS = /\d+/;

const TIME = /second|minute|hour|day|week|month/i;

/**
 * Names that differ only in a number above zero, such as `Continuous7Days`, or that name times, such as `SIX_HOURS`, are
 * amounts of one thing.
 */
function isNumbered(from: MaybeJson, to: MaybeJson): boolean {
  const [was, is] = [String(from), String(to)];
  if (TIME.test(was) && TIME.test(is)) return true;
  return DIGITS.test(is) && Number(DIGITS.exec(is)?.[0]) > 0 && was.replace(DIGITS, '') === is.replace(DIGITS, '');
}

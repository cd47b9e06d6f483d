/** The ordered lists that the resources of a plan form together. */
import type { ResourceChange } from '../../changes/types.ts';
import type { JsonObject } from '../../model/result.ts';
import { at, member, quantity, text } from '../attributes/values.ts';
import { unwrap } from '../generic-types/index.ts';
import type { Match, OrderedKind } from './kind.ts';
import { findOrderedKind } from './kinds.ts';

export interface OrderedRule {
  address: string;
  /** The lowest place is evaluated first. undefined for a rule that the plan creates. */
  before: number | undefined;
  /** undefined for a rule that the plan deletes, or whose number is unknown. */
  after: number | undefined;
  /** How much it demands; undefined if its place has no meaning. */
  strictness: number | undefined;
  match: Match;
  /** What it matched before the plan. */
  matched: Match;
}

/** The rules of the lists that a plan shows; complete after the last change. */
export interface OrderedLists {
  /** The other rules of the list that a rule belongs to, with those that the cloud itself keeps there. */
  findSiblings(change: ResourceChange): readonly OrderedRule[];
}

export interface OrderedListsCollector extends OrderedLists {
  observe(change: ResourceChange): void;
}

const MAX_RULES = 5_000;
/** A rule of a longer list is compared with the rules next to its places, so that the work stays proportional to the plan. */
const MAX_NEXT = 100;

interface Listed {
  rule: OrderedRule;
  parts: readonly string[];
}

export function createOrderedLists(): OrderedListsCollector {
  const lists = new Map<string, RuleList>();
  let count = 0;

  function observe(seen: ResourceChange): void {
    if (seen.mode !== 'managed' || seen.deposed !== null || count >= MAX_RULES) return;
    const change = unwrap(seen)?.change ?? seen;
    const kind = findOrderedKind(change.type);
    const key = kind === undefined ? undefined : makeKey(kind, change);
    if (kind === undefined || key === undefined) return;
    count += 1;
    const listed = { rule: readOrderedRule(kind, change), parts: readParts(kind, change) };
    const known = lists.get(key);
    if (known === undefined) lists.set(key, new RuleList(listed));
    else known.add(listed);
  }

  function findSiblings(change: ResourceChange): readonly OrderedRule[] {
    const kind = findOrderedKind(change.type);
    const key = kind === undefined ? undefined : makeKey(kind, change);
    if (kind === undefined || key === undefined) return [];
    const parts = readParts(kind, change);
    const places = [change.before, change.after].flatMap((side) =>
      side === null ? [] : (readPlace(kind, side) ?? []),
    );
    const listed = [key, nameless(kind)].flatMap((name) => lists.get(name)?.findNext(places) ?? []);
    const others = listed.filter(({ rule, parts: found }) => rule.address !== change.address && isSame(parts, found));
    return [...new Set(others.map(({ rule }) => rule)), ...readImplied(kind, change)];
  }

  return { observe, findSiblings };
}

/** The rules of one list. */
class RuleList {
  private readonly listed: Listed[];
  private is_sorted = false;

  constructor(first: Listed) {
    this.listed = [first];
  }

  add(listed: Listed): void {
    this.listed.push(listed);
    this.is_sorted = false;
  }

  /** All rules of a short list; of a long one, those next to some places. */
  findNext(places: readonly number[]): readonly Listed[] {
    const { listed } = this;
    if (listed.length <= MAX_NEXT) return listed;
    if (!this.is_sorted) listed.sort((a, b) => readCurrentPlace(a) - readCurrentPlace(b));
    this.is_sorted = true;
    return places.flatMap((place) => {
      const start = Math.max(0, countBelow(listed, place) - MAX_NEXT / 2);
      return listed.slice(start, start + MAX_NEXT);
    });
  }
}

const readCurrentPlace = ({ rule }: Listed): number => rule.after ?? rule.before ?? 0;

/** The number of rules before a place, by halving. */
function countBelow(sorted: readonly Listed[], place: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (readCurrentPlace(sorted[middle]!) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function readOrderedRule(kind: OrderedKind, { address, before, after }: ResourceChange): OrderedRule {
  const rule = after ?? before ?? {};
  return {
    address,
    before: before === null ? undefined : readPlace(kind, before),
    after: after === null ? undefined : readPlace(kind, after),
    strictness: kind.strictness(rule),
    match: kind.match(rule),
    matched: kind.match(before ?? rule),
  };
}

function readImplied(kind: OrderedKind, { before, after }: ResourceChange): OrderedRule[] {
  const rules = kind.implied?.(after ?? before ?? {}) ?? [];
  return rules.map(({ address, number, strictness, match }) => {
    const place = kind.highest_first ? -number : number;
    return { address, before: place, after: place, strictness, match, matched: match };
  });
}

function readPlace({ priority, default_priority, highest_first }: OrderedKind, rule: JsonObject): number | undefined {
  const number = quantity(at(rule, ...priority.split('.'))) ?? default_priority;
  return number === undefined || !highest_first ? number : -number;
}

const nameless = ({ types }: OrderedKind): string => `${types[0]} `;

/** undefined if the list has no name yet. */
function makeKey(kind: OrderedKind, { before, after, unknown }: ResourceChange): string | undefined {
  if (before === null && typeof unknown === 'object' && unknown !== null && Object.hasOwn(unknown, kind.list))
    return undefined;
  return nameless(kind) + text(member(before ?? after ?? {}, kind.list));
}

function readParts({ within = [] }: OrderedKind, { before, after }: ResourceChange): string[] {
  return within.map((attribute) => text(member(after ?? before ?? {}, attribute)).toLowerCase());
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.every((part, index) => part === '' || b[index] === '' || part === b[index]);
}

/** Knows no list. */
export const NO_LISTS: OrderedLists = { findSiblings: () => [] };

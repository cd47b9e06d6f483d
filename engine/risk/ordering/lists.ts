/** The ordered lists that the resources of a plan form together. */
import type { ResourceChange } from '../../changes/types.ts';
import type { JsonObject } from '../../model/result.ts';
import { member, quantity, text } from '../attributes/values.ts';
import { findOrderedKind, type Match, type OrderedKind } from './kinds.ts';

export interface OrderedRule {
  address: string;
  /** undefined for a rule that the plan creates. */
  before: number | undefined;
  /** undefined for a rule that the plan deletes, or whose number is unknown. */
  after: number | undefined;
  blocks: boolean;
  match: Match;
}

/** The rules of the lists that a plan shows; complete after the last change. */
export interface OrderedLists {
  /** The other rules of the list that a rule belongs to. */
  findSiblings(change: ResourceChange): readonly OrderedRule[];
}

export interface OrderedListsCollector extends OrderedLists {
  observe(change: ResourceChange): void;
}

const MAX_RULES = 5_000;

export function createOrderedLists(): OrderedListsCollector {
  const lists = new Map<string, OrderedRule[]>();
  let count = 0;

  function observe(change: ResourceChange): void {
    const kind = change.mode === 'managed' && change.deposed === null ? findOrderedKind(change.type) : undefined;
    const key = kind === undefined ? undefined : makeKey(kind, change);
    if (kind === undefined || key === undefined || count >= MAX_RULES) return;
    count += 1;
    const rule = readOrderedRule(kind, change);
    const known = lists.get(key);
    if (known === undefined) lists.set(key, [rule]);
    else known.push(rule);
  }

  function findSiblings(change: ResourceChange): readonly OrderedRule[] {
    const kind = findOrderedKind(change.type);
    const key = kind === undefined ? undefined : makeKey(kind, change);
    return (lists.get(key ?? '') ?? []).filter(({ address }) => address !== change.address);
  }

  return { observe, findSiblings };
}

export function readOrderedRule(kind: OrderedKind, { address, before, after }: ResourceChange): OrderedRule {
  const rule = after ?? before ?? {};
  return {
    address,
    before: before === null ? undefined : readNumber(kind, before),
    after: after === null ? undefined : readNumber(kind, after),
    blocks: kind.blocks(rule),
    match: kind.match(rule),
  };
}

function readNumber({ priority, default_priority }: OrderedKind, rule: JsonObject): number | undefined {
  return quantity(member(rule, priority)) ?? default_priority;
}

/** undefined if the plan does not say which list the rule belongs to. */
function makeKey({ types, parent }: OrderedKind, { before, after }: ResourceChange): string | undefined {
  const rule = before ?? after ?? {};
  const names = parent.map((attribute) => text(member(rule, attribute)));
  return names.some((name) => name.length > 4) ? `${types[0]} ${names.join(' ')}` : undefined;
}

/** Knows no list. */
export const NO_LISTS: OrderedLists = { findSiblings: () => [] };

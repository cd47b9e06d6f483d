import { coveredForm } from '../canonical/address-ranges.ts';
import { type PathNode, toPathNode } from '../changes/path-node.ts';
import type { SideReader } from '../changes/side-reader.ts';
import type { AttributeDiff, Equivalence, JsonValue } from '../model/result.ts';
import type { TypeHints } from './equivalences.ts';
import {
  appliesSeparately,
  areSeparate,
  comparesWithAny,
  isPositionFree,
  listsProbes,
  namesOperator,
  saysOrder,
  saysPlaces,
} from './position-free.ts';
import { isSameSet, type SetScope } from './sets.ts';
import { isUntyped } from './untyped.ts';

/** Words of a path or a type that say that its addresses are let in, kept out or matched. */
const MATCHED =
  /(?:^|_)(?:allow|allowed|allowlist|whitelist|deny|denied|denylist|block|blocked|blocklist|blacklist|source|sources|authorized|trusted|permitted|bound|access|ingress|firewall|acl|security|rules)(?:_|$)/;
/** Words of networks and routes, in which the more specific block wins, or each block is one thing. */
const NETWORKS =
  /(?:^|_)(?:route|routes|router|routing|advertised|destination|destinations|vpn|peering|nat|subnet|subnets|subnetwork|network_space|address_space|pool|pools|reservation|allocation|lb|listener)(?:_|$)/;

/** What is known about a resource whose lists are compared. */
export interface ListContext {
  type: string;
  scope: SetScope;
  before: SideReader;
  after: SideReader;
  /** Whether nothing at a path or below is sensitive or unknown. */
  isPlain(node: PathNode): boolean;
}

export const NO_HINTS: TypeHints = {
  paths: new Map(),
  sets: new Set(),
  names: { hints: new Map(), sets: new Set() },
};

/**
 * Tests whether a leaf is inside, or is, a list that has the same meaning before and after, by what its name and its
 * items say, for every provider. Compares each list once.
 */
export function createFreeListTest(context: ListContext): (diff: AttributeDiff) => Equivalence | null {
  const known = new Map<PathNode, Equivalence | null>();
  return (diff) => {
    for (let at: PathNode | null = toPathNode(diff); at !== null && at.depth > 0; at = at.parent) {
      if (typeof at.segment === 'number') continue;
      let same = known.get(at);
      if (same === undefined) {
        same = compareLists(at, context);
        known.set(at, same);
      }
      if (same !== null) return same;
    }
    return null;
  };
}

function compareLists(node: PathNode, context: ListContext): Equivalence | null {
  const [before, after] = [context.before(node), context.after(node)];
  if (!Array.isArray(before) || !Array.isArray(after) || !context.isPlain(node)) return null;
  if (isReordered(node, before, after, context)) return 'order';
  return coversSame(node, before, after, context) ? 'address' : null;
}

function isReordered(node: PathNode, before: JsonValue[], after: JsonValue[], context: ListContext): boolean {
  const { type, scope } = context;
  if (before.length < 2 && after.length < 2) return false;
  if (!isFree(node, before, context) || !isFree(node, after, context)) return false;
  const [from, to] = [dropRepeated(before), dropRepeated(after)];
  return isSameSet(from, to, listNames(node, type).slice(1).join('.'), scope);
}

function isFree(node: PathNode, items: JsonValue[], context: ListContext): boolean {
  const { type } = context;
  if (isInMap(node) && !isUntyped(type)) return false;
  if (saysPlaces(items)) return true;
  const names = listNames(node, type);
  if (names.some(saysOrder)) return false;
  if (!items.every(isScalar)) return isOperandList(node) || appliesSeparately(node.name, items);
  const says_free = isPositionFree(node.name) || listsProbes(node.name, names);
  return says_free || areSeparate(items) || isMembership(node, context);
}

/** A name below another name may be a key that users choose. */
function isInMap({ parent }: PathNode): boolean {
  return parent !== null && parent.depth > 0 && typeof parent.segment === 'string';
}

/** `any_of`, or `and_statement[0].statement`. */
function isOperandList(node: PathNode): boolean {
  const outer = typeof node.parent?.segment === 'number' ? node.parent.parent : node.parent;
  return namesOperator(node.name) || (typeof outer?.segment === 'string' && namesOperator(outer.segment));
}

/** Whether an operator beside the list compares with any of its items. */
function isMembership({ parent }: PathNode, { before, after }: ListContext): boolean {
  return parent !== null && [before(parent), after(parent)].every(comparesWithAny);
}

/** Blocks of addresses that are matched: the same addresses, in other blocks. */
function coversSame(node: PathNode, before: JsonValue[], after: JsonValue[], { type }: ListContext): boolean {
  const names = listNames(node, type);
  if (!names.some((name) => MATCHED.test(name)) || names.some((name) => NETWORKS.test(name))) return false;
  const covered = coveredForm(before);
  return covered !== null && covered === coveredForm(after);
}

function listNames(node: PathNode, type: string): string[] {
  return [type, ...node.segments.filter((segment): segment is string => typeof segment === 'string')];
}

/** A text that is listed twice counts once. */
function dropRepeated(items: JsonValue[]): JsonValue[] {
  return items.every(isScalar) ? [...new Set(items)] : items;
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== 'object';
}

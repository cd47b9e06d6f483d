/** The resources of a plan that others must fit, also those that do not change. */
import type { ResourceChange } from '../../changes/types.ts';
import type { JsonObject } from '../../model/result.ts';
import type { Value } from '../attributes/types.ts';
import { at, list, member, text } from '../attributes/values.ts';
import { unwrap } from '../generic-types/index.ts';

export interface Neighbor {
  type: string;
  address: string;
  before: JsonObject | null;
  /** null if the plan deletes it. */
  after: JsonObject | null;
}

export interface Neighbors {
  /** Resources of some types, in the order of the plan. */
  find(types: readonly string[]): readonly Neighbor[];
}

export interface NeighborsCollector extends Neighbors {
  observe(change: ResourceChange): void;
}

const MAX_SEEN = 20_000;

/** @param needed the types that are kept */
export function createNeighbors(needed: ReadonlySet<string>): NeighborsCollector {
  const known = new Map<string, Neighbor[]>();
  let count = 0;

  function observe(seen: ResourceChange): void {
    if (seen.mode !== 'managed' || seen.deposed !== null || count >= MAX_SEEN) return;
    const { type, address, before, after } = unwrap(seen)?.change ?? seen;
    if (!needed.has(type)) return;
    count += 1;
    const found = known.get(type);
    const neighbor = { type, address, before, after };
    if (found === undefined) known.set(type, [neighbor]);
    else found.push(neighbor);
  }

  return { observe, find: (types) => types.flatMap((type) => known.get(type) ?? []) };
}

const NAMES = ['id', 'arn', 'name', 'self_link', 'function_name', 'bucket', 'email', 'uri', 'qualified_arn', 'url'];

/** Whether a value names a resource: by its id, ARN or name, alone or as a part of a longer path. */
export function refersTo(value: Value, side: JsonObject): boolean {
  const named = list(value)
    .map(text)
    .filter((name) => name !== '');
  if (named.length === 0) return false;
  const names = new Set(NAMES.map((attribute) => text(member(side, attribute))).filter((name) => name.length > 1));
  return named.some((name) => names.has(name) || name.split(/[:/@]/).some((part) => names.has(part)));
}

/** Kubernetes names its objects in a block. */
export const nameIn = (side: Value): string => text(at(side, 'metadata', 'name'));
export const namespaceIn = (side: Value): string => text(at(side, 'metadata', 'namespace')) || 'default';

/** Knows no resource. */
export const NO_NEIGHBORS: Neighbors = { find: () => [] };

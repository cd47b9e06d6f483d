/** The resources of a plan that others must fit, also those that do not change. */
import type { ResourceChange } from '../../changes/types.ts';
import type { JsonObject } from '../../model/result.ts';
import type { Value } from '../attributes/types.ts';
import { at, list, member, text } from '../attributes/values.ts';
import { unwrap } from '../generic-types/index.ts';

/** The arguments of a resource that relations read, and its names. */
export interface Neighbor {
  type: string;
  address: string;
  before: JsonObject | null;
  /** null if the plan deletes it. */
  after: JsonObject | null;
}

/** A way to look up resources: by names that they have, or that they mention. */
export interface Index {
  types: readonly string[];
  names(side: JsonObject, type: string, plan: Neighbors): readonly string[];
}

export interface Neighbors {
  /** The first resources, in the order of the plan, for which an index has one of the names before or after the plan. */
  linked(index: Index, names: readonly string[]): readonly Neighbor[];
  /** Computes a value for a resource of this plan once. */
  once<T>(owner: object, compute: () => T): T;
}

export interface NeighborsCollector extends Neighbors {
  observe(change: ResourceChange): void;
}

const MAX_SEEN = 20_000;
/** More resources under one name are not looked at, so that the work stays proportional to the plan. */
const MAX_LINKED = 100;

/** @param reads the types that are kept, with the arguments that relations read */
export function createNeighbors(reads: ReadonlyMap<string, ReadonlySet<string>>): NeighborsCollector {
  const known = new Map<string, Neighbor[]>();
  const lookups = new Map<Index, Lookup>();
  let computed: WeakMap<object, unknown> | null = null;
  let count = 0;

  function observe(seen: ResourceChange): void {
    if (seen.mode !== 'managed' || seen.deposed !== null || count >= MAX_SEEN) return;
    const { type, address, before, after } = unwrap(seen)?.change ?? seen;
    const needed = reads.get(type);
    if (needed === undefined) return;
    count += 1;
    computed = null;
    const neighbor = { type, address, before: pick(before, needed), after: pick(after, needed) };
    const found = known.get(type);
    if (found === undefined) known.set(type, [neighbor]);
    else found.push(neighbor);
  }

  function linked(index: Index, names: readonly string[]): readonly Neighbor[] {
    const lookup = lookups.get(index) ?? new Lookup(index, plan);
    lookups.set(index, lookup);
    for (const type of index.types) lookup.extend(type, known.get(type) ?? []);
    return lookup.find(names);
  }

  function once<T>(owner: object, compute: () => T): T {
    computed ??= new WeakMap();
    if (!computed.has(owner)) computed.set(owner, compute());
    return computed.get(owner) as T;
  }

  const plan = { observe, linked, once };
  return plan;
}

/** What an index found so far. Plans are read while the first changes are judged, so it grows. */
class Lookup {
  private readonly index: Index;
  private readonly plan: Neighbors;
  private readonly by_name = new Map<string, Neighbor[]>();
  private readonly read = new Map<string, number>();

  constructor(index: Index, plan: Neighbors) {
    this.index = index;
    this.plan = plan;
  }

  extend(type: string, known: readonly Neighbor[]): void {
    const read = this.read.get(type) ?? 0;
    if (read === known.length) return;
    this.read.set(type, known.length);
    for (let i = read; i < known.length; i++) this.add(known[i]!);
  }

  private add(neighbor: Neighbor): void {
    const { before, after, type } = neighbor;
    for (const side of before === after ? [after] : [before, after]) {
      if (side === null) continue;
      for (const name of this.index.names(side, type, this.plan)) this.addName(name, neighbor);
    }
  }

  private addName(name: string, neighbor: Neighbor): void {
    if (name === '') return;
    const found = this.by_name.get(name);
    if (found === undefined) this.by_name.set(name, [neighbor]);
    else if (found.length < MAX_LINKED && found.at(-1) !== neighbor) found.push(neighbor);
  }

  find(names: readonly string[]): readonly Neighbor[] {
    const lists = [...new Set(names)].flatMap((name) => this.by_name.get(name) ?? []);
    return lists.length < 2 ? lists : [...new Set(lists)].slice(0, MAX_LINKED);
  }
}

/** What is not kept does not need memory until the end of the plan. */
function pick(side: JsonObject | null, needed: ReadonlySet<string>): JsonObject | null {
  if (side === null) return null;
  return Object.fromEntries(Object.entries(side).filter(([name]) => needed.has(name)));
}

/** Arguments that name a resource. */
export const NAMES: readonly string[] = [
  'id',
  'arn',
  'name',
  'self_link',
  'function_name',
  'bucket',
  'email',
  'uri',
  'qualified_arn',
  'url',
];

/** What a resource is called. */
export const listNames = (side: Value): string[] =>
  NAMES.map((attribute) => text(member(side, attribute))).filter((name) => name.length > 1);

/** What a value can call another resource: each of its texts, and the parts of paths and ARNs. */
export const listNamesIn = (value: Value): string[] =>
  list(value)
    .map(text)
    .filter((name) => name !== '')
    .flatMap((name) => [name, ...name.split(/[:/@]/).filter((part) => part.length > 1)]);

/** Whether a value names a resource: by its id, ARN or name, alone or as a part of a longer path. */
export function refersTo(value: Value, side: JsonObject): boolean {
  const names = listNames(side);
  return names.length > 0 && listNamesIn(value).some((name) => names.includes(name));
}

/** Whether two lists of names have one in common. */
export function sharesName(some: readonly string[], others: readonly string[]): boolean {
  return some.some((name) => name !== '' && others.includes(name));
}

/** Kubernetes names its objects in a block. */
export const nameIn = (side: Value): string => text(at(side, 'metadata', 'name'));
export const namespaceIn = (side: Value): string => text(at(side, 'metadata', 'namespace')) || 'default';

/** Knows no resource. */
export const NO_NEIGHBORS: Neighbors = { linked: () => [], once: (_, compute) => compute() };

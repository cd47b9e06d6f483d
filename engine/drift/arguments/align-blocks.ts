import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { Mapping } from './mapping.ts';
import type { Source } from './overlay.ts';
import { toProjection } from './same-value.ts';

interface Alignment {
  members: Mapping;
  /** The argument that identifies a block; null to pair equal blocks, and the others in their order. */
  key: string | null;
  build(members: Mapping, source: Source): JsonObject;
}

type Pair = readonly [block: JsonObject | null, source: Source | null];

/** Finds the partner of each block in linear time. Blocks of the state come first, in their order. */
export function alignBlocks(
  blocks: readonly JsonObject[],
  sources: readonly Source[],
  { members, key, build }: Alignment,
): Pair[] {
  const built = sources.map((source) => build(members, source));
  const shown = new Set(built.flatMap((block) => Object.keys(block)));
  const toText = (block: JsonObject) => toProjection(key === null ? pick(block, shown) : block[key]);
  const waiting = new Map<string, Queue>();
  for (const [at, block] of built.entries()) {
    const text = toText(block);
    const queue = waiting.get(text);
    if (queue === undefined) waiting.set(text, { items: [at], next: 0 });
    else queue.items.push(at);
  }
  const partners = blocks.map((block) => next(waiting.get(toText(block))));
  const used = new Set(partners);
  const rest: Queue = { items: sources.map((_, at) => at).filter((at) => !used.has(at)), next: 0 };
  const pairs = blocks.map((block, at): Pair => {
    const partner = partners[at] ?? (key === null ? next(rest) : undefined);
    return [block, partner === undefined ? null : (sources[partner] ?? null)];
  });
  return [...pairs, ...rest.items.slice(rest.next).map((at): Pair => [null, sources[at] ?? null])];
}

interface Queue {
  items: number[];
  next: number;
}

function next(queue: Queue | undefined): number | undefined {
  if (queue === undefined) return undefined;
  const item = queue.items[queue.next];
  queue.next += 1;
  return item;
}

/** What the inventory does not show cannot tell blocks apart. */
function pick(block: JsonObject, names: ReadonlySet<string>): JsonObject {
  const held = Object.keys(block).filter((name) => names.has(name));
  return Object.fromEntries(held.map((name) => [name, block[name] as JsonValue]));
}

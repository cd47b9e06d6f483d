import type { JsonObject, JsonValue } from '../model/result.ts';
import type { PathNode } from './path-node.ts';

/** Returns the value at a path of one side; null when there is none. */
export type SideReader = (node: PathNode) => JsonValue;

/** Creates a reader for one side of a change. Looks up each value on a path once, also for many paths below it. */
export function createSideReader(side: JsonObject | null): SideReader {
  let known: Map<PathNode, JsonValue> | undefined;
  return function read(node): JsonValue {
    if (node.parent === null) return side;
    known ??= new Map();
    let value = known.get(node);
    if (value === undefined) {
      value = memberAt(read(node.parent), node.segment);
      known.set(node, value);
    }
    return value;
  };
}

export function memberAt(value: JsonValue, segment: string | number): JsonValue {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, segment)) return null;
  return (value as Record<string | number, JsonValue>)[segment] ?? null;
}

import type { JsonObject, JsonValue } from '../result.ts';
import type { Place } from './place.ts';

/** The value at a place of one side; null where nothing is there. */
export type SideReader = (place: Place) => JsonValue;

/** Reads one side of a change; each value on the way to a place is looked up once, however many places lie below it. */
export function createSideReader(side: JsonObject | null): SideReader {
  let known: Map<Place, JsonValue> | undefined;
  return function read(place): JsonValue {
    if (place.above === null) return side;
    known ??= new Map();
    let value = known.get(place);
    if (value === undefined) {
      value = memberAt(read(place.above), place.segment);
      known.set(place, value);
    }
    return value;
  };
}

export function memberAt(value: JsonValue, segment: string | number): JsonValue {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, segment)) return null;
  return (value as Record<string | number, JsonValue>)[segment] ?? null;
}

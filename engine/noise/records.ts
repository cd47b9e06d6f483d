import type { ResourceChange } from '../changes/types.ts';
import { isObject } from '../lib/is-object.ts';
import type { AttributeDiff, JsonObject, JsonValue } from '../model/result.ts';

/**
 * The change as if its records had not been renewed. Its level is the level of the rest, so a stamp beside a real change
 * neither raises nor lowers it.
 *
 * @param records leaves of the change
 * @returns a change that shares its other leaves, because rules set their directions
 */
export function omitRecords(change: ResourceChange, records: readonly AttributeDiff[]): ResourceChange {
  if (records.length === 0) return change;
  const omitted = new Set(records);
  let { before } = change;
  for (const { path_segments, after, after_unknown } of records) {
    if (!after_unknown && before !== null) before = replaceAt(before, path_segments, after) as JsonObject;
  }
  return { ...change, before, diffs: change.diffs.filter((diff) => !omitted.has(diff)) };
}

/** A copy in which an existing value is replaced; it shares everything else. */
function replaceAt(
  value: JsonValue,
  [segment, ...rest]: readonly (string | number)[],
  replacement: JsonValue,
): JsonValue {
  if (segment === undefined) return replacement;
  if (Array.isArray(value)) {
    return typeof segment === 'number' && segment in value
      ? value.with(segment, replaceAt(value[segment]!, rest, replacement))
      : value;
  }
  if (!isObject(value) || !Object.hasOwn(value, segment)) return value;
  return { ...value, [segment]: replaceAt(value[segment]!, rest, replacement) };
}

import type { JsonObject, JsonValue } from '../model/result.ts';
import type { ResourceChange } from './types.ts';
import { isContainer } from './values.ts';

/**
 * Lets both sides of a change share their equal parts, so that a change that waits for the rest of the plan needs about
 * half the memory. Parts whose members have another order are not shared.
 */
export function shareEqualParts({ before, after }: ResourceChange): void {
  if (before !== null && after !== null) shareMembers(before, after);
}

/** Returns true if both sides have the same members or items, in the same order. */
function shareMembers(before: JsonValue[] | JsonObject, after: JsonValue[] | JsonObject): boolean {
  const [from, to] = [before, after] as [JsonObject, JsonObject];
  const [old_keys, keys] = [Object.keys(from), Object.keys(to)];
  let same = keys.length === old_keys.length && Array.isArray(before) === Array.isArray(after);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (key !== old_keys[i]) same = false;
    if (!Object.hasOwn(from, key)) continue;
    if (isShareable(from[key]!, to[key]!)) to[key] = from[key]!;
    else same = false;
  }
  return same;
}

function isShareable(before: JsonValue, after: JsonValue): boolean {
  if (!isContainer(before) || !isContainer(after)) return before === after;
  return shareMembers(before, after);
}

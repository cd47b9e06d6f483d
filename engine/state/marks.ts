import { marksWhole, maskAt } from '../changes/overlay.ts';
import { isContainer, MAX_DEPTH, type MaybeJson } from '../changes/values.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { MASK } from '../redact/scrubber.ts';
import { UnreadableError } from './errors.ts';

type Container = { [key: string | number]: JsonValue };

/** Called with each text that was withheld. */
export type OnWithheld = (text: string) => void;

/**
 * Replaces the values that a state file marks as sensitive, in place. A mark that does not lead to a value withholds the
 * innermost value that it does lead to, because the place that it means is not known.
 *
 * @param paths `sensitive_attributes`: paths of go-cty, such as
 *   `[[{"type":"get_attr","value":"tags"},{"type":"index","value":{"value":"a","type":"string"}}]]`
 * @returns the number of marks
 * @throws UnreadableError if they are not such paths
 */
export function withholdPaths(attributes: JsonObject, paths: JsonValue, onWithheld: OnWithheld): number {
  if (paths === null) return 0;
  if (!Array.isArray(paths)) throw new UnreadableError('sensitive_attributes is not a list');
  for (const path of paths) {
    if (!Array.isArray(path) || path.length === 0)
      throw new UnreadableError('sensitive_attributes has an invalid path');
    withholdPath(attributes, path.map(readStep), onWithheld);
  }
  return paths.length;
}

/** @returns the key of an object or list; null for an item of a set, whose place is its value */
function readStep(step: JsonValue): string | number | null {
  const value = isObject(step) ? step['value'] : undefined;
  const key = isObject(value) ? value['value'] : value;
  if (typeof key === 'string' || typeof key === 'number') return key;
  if (key !== undefined) return null;
  throw new UnreadableError('sensitive_attributes has an invalid path');
}

function withholdPath(attributes: JsonObject, path: (string | number | null)[], onWithheld: OnWithheld): void {
  let holder: Container = attributes;
  let name: string | number | null = null;
  for (const step of path) {
    const inner: MaybeJson = name === null ? attributes : holder[name];
    if (!isContainer(inner) || step === null || !hasStep(inner, step)) break;
    holder = inner as Container;
    name = step;
  }
  if (name !== null) withhold(holder, name, onWithheld);
  else if (path[0] === null) throw new UnreadableError('sensitive_attributes has an invalid path');
}

function hasStep(value: JsonValue[] | JsonObject, step: string | number): boolean {
  return Array.isArray(value) === (typeof step === 'number') && Object.hasOwn(value, step);
}

/**
 * Replaces the values that the output of `terraform show -json` marks as sensitive, in place.
 *
 * @param mask `sensitive_values`
 * @returns the number of marks
 */
export function withholdMasked(attributes: JsonObject, mask: MaybeJson, onWithheld: OnWithheld): number {
  if (mask === undefined || mask === null || mask === false) return 0;
  if (mask !== true && !isObject(mask)) throw new UnreadableError('sensitive_values is not an object');
  return withholdInside(attributes, mask, onWithheld);
}

function withholdInside(holder: Container, mask: JsonValue, onWithheld: OnWithheld): number {
  let count = 0;
  for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
    const value = holder[key];
    const inner = mask === true ? true : maskAt(mask, key);
    if (inner === undefined || value === undefined) continue;
    if (marksWhole(inner, value)) {
      withhold(holder, key, onWithheld);
      count += 1;
    } else if (isContainer(value)) {
      count += withholdInside(value as Container, inner, onWithheld);
    }
  }
  return count;
}

/** Keeps null, which says only that nothing is set. */
function withhold(holder: Container, key: string | number, onWithheld: OnWithheld): void {
  const value = holder[key];
  if (value === undefined || value === null || value === MASK) return;
  collectTexts(value, onWithheld, 0);
  holder[key] = MASK;
}

/** Calls `onText` with each text in a value. */
export function collectTexts(value: JsonValue, onText: OnWithheld, depth = 0): void {
  if (typeof value === 'string') onText(value);
  if (!isContainer(value) || depth > MAX_DEPTH) return;
  for (const item of Array.isArray(value) ? value : Object.values(value)) collectTexts(item, onText, depth + 1);
}

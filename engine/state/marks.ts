import { marksWhole, maskAt } from '../changes/overlay.ts';
import { isContainer, MAX_DEPTH, type MaybeJson } from '../changes/values.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import type { Mask } from '../plan/types.ts';
import { MASK } from '../redact/scrubber.ts';
import { UnreadableError } from './errors.ts';

type Container = { [key: string | number]: JsonValue };

/** Called with each text that was withheld. */
export type OnWithheld = (text: string) => void;

/** The steps to a value; null for an item of a set, whose place is its value. */
export type MarkedPath = readonly (string | number | null)[];

/**
 * Reads the paths of go-cty with which a state file marks values as sensitive.
 *
 * @param paths `sensitive_attributes`, such as
 *   `[[{"type":"get_attr","value":"tags"},{"type":"index","value":{"value":"a","type":"string"}}]]`
 * @throws UnreadableError if they are not such paths
 */
export function readPaths(paths: JsonValue): MarkedPath[] {
  if (paths === null) return [];
  if (!Array.isArray(paths)) throw new UnreadableError('sensitive_attributes is not a list');
  return paths.map((path) => {
    const steps = Array.isArray(path) ? path.map(readStep) : [];
    if (typeof steps[0] !== 'string') throw new UnreadableError('sensitive_attributes has an invalid path');
    return steps;
  });
}

function readStep(step: JsonValue): string | number | null {
  const value = isObject(step) ? step['value'] : undefined;
  const key = isObject(value) ? value['value'] : value;
  if (typeof key === 'string' || typeof key === 'number') return key;
  if (key !== undefined) return null;
  throw new UnreadableError('sensitive_attributes has an invalid path');
}

/**
 * Replaces the value at a marked path, in place. A path that leads to no value withholds the innermost value that it does
 * lead to, because the place that it means is not known.
 */
export function withholdPath(attributes: JsonObject, path: MarkedPath, onWithheld: OnWithheld): void {
  let holder: Container = attributes;
  let name: string | number | null = null;
  for (const step of path) {
    const inner: MaybeJson = name === null ? attributes : unwrapDynamic(holder[name]);
    if (!isContainer(inner) || step === null || !hasStep(inner, step)) break;
    holder = inner as Container;
    name = step;
  }
  if (name !== null) withhold(holder, name, onWithheld);
}

/** Types of go-cty that contain values. */
const CONTAINER_TYPES: ReadonlySet<JsonValue | undefined> = new Set(['object', 'map', 'list', 'set', 'tuple']);

/**
 * A state file records an attribute without a fixed type as `{"value": …, "type": ["object", …]}`, but paths do not
 * contain this `value`.
 */
function unwrapDynamic(value: MaybeJson): MaybeJson {
  if (!isObject(value) || Object.keys(value).length !== 2 || !Object.hasOwn(value, 'value')) return value;
  const { type } = value;
  return Array.isArray(type) && CONTAINER_TYPES.has(type[0]) ? value['value'] : value;
}

function hasStep(value: JsonValue[] | JsonObject, step: string | number): boolean {
  return Array.isArray(value) === (typeof step === 'number') && Object.hasOwn(value, step);
}

/**
 * Checks `sensitive_values` in the output of `terraform show -json`: true marks a whole value, an object or list the
 * values inside it.
 *
 * @throws UnreadableError if it cannot be a mask of attributes
 */
export function checkMask(mask: JsonValue): Mask {
  if (mask === null || mask === false) return undefined;
  if (mask === true || isObject(mask)) return mask;
  throw new UnreadableError('sensitive_values is not an object');
}

/** Number of marks in a mask. */
export function countMarks(mask: Mask): number {
  if (mask === true) return 1;
  if (!isContainer(mask)) return 0;
  let count = 0;
  for (const inner of Object.values(mask)) count += countMarks(inner);
  return count;
}

/** Replaces the values that a mask marks, in place. */
export function withholdMasked(holder: Container, mask: Mask, onWithheld: OnWithheld): void {
  if (mask === undefined) return;
  for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
    const value = holder[key];
    const inner = mask === true ? true : maskAt(mask, key);
    if (marksWhole(inner, value)) withhold(holder, key, onWithheld);
    else if (isContainer(value)) withholdMasked(value as Container, inner, onWithheld);
  }
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

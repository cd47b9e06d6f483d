import { OMITTED } from '../../inventory/withheld.ts';
import { isObject } from '../../lib/is-object.ts';
import type { JsonValue } from '../../model/result.ts';
import { isHidden } from './withheld.ts';

/** One step of a path: a member, an index, or the first item with a value. */
type Step = { member: string } | { index: number } | { key: string; value: string };

const compiled = new Map<string, readonly Step[]>();

/**
 * Reads `A.B[0].C`, `Rules[Key=name].Value` or `Names[=value]` of the properties of a resource; `.` is the whole.
 *
 * @returns undefined if there is none; null counts as none. If the inventory withholds what contains the value, what it
 * holds instead.
 */
export function readPath(value: JsonValue | undefined, path: string): JsonValue | undefined {
  let current = value;
  for (const step of compilePath(path)) {
    if (current === undefined || current === null) return undefined;
    current = take(current, step);
  }
  return current ?? undefined;
}

function take(value: JsonValue, step: Step): JsonValue | undefined {
  if (isHidden(value)) return value;
  if ('member' in step) return isObject(value) && Object.hasOwn(value, step.member) ? value[step.member] : undefined;
  if (!Array.isArray(value)) return undefined;
  if ('index' in step) return value[step.index];
  const found = value.find((item) =>
    step.key === '' ? item === step.value : isObject(item) && item[step.key] === step.value,
  );
  return found ?? (value.at(-1) === OMITTED ? OMITTED : undefined);
}

function compilePath(path: string): readonly Step[] {
  const known = compiled.get(path);
  if (known !== undefined) return known;
  const steps = path === '.' || path === '' ? [] : splitPath(path).flatMap(compileSegment);
  // Selectors with values of a state make many paths.
  if (compiled.size > 5_000) compiled.clear();
  compiled.set(path, steps);
  return steps;
}

/** Dots inside of brackets belong to values. */
function splitPath(path: string): string[] {
  const segments: string[] = [];
  let segment = '';
  let depth = 0;
  for (const character of path) {
    if (character === '[') depth += 1;
    if (character === ']') depth -= 1;
    if (character === '.' && depth === 0) {
      segments.push(segment);
      segment = '';
    } else segment += character;
  }
  return [...segments, segment];
}

function compileSegment(segment: string): Step[] {
  const open = segment.indexOf('[');
  if (open < 0) return [{ member: segment }];
  const inside = segment.slice(open + 1, -1);
  return [...(open === 0 ? [] : [{ member: segment.slice(0, open) }]), compileSelector(inside)];
}

function compileSelector(inside: string): Step {
  const equals = inside.indexOf('=');
  if (equals < 0) return { index: Number(inside) };
  return { key: inside.slice(0, equals), value: inside.slice(equals + 1) };
}

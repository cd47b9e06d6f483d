import type { JsonValue } from '../../model/result.ts';

/** Terraform and clouds write what is not set as null, as an empty value, as false and as zero. */
export function isNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.every(isNothing) : Object.values(value).every(isNothing);
}

/**
 * Whether two plain values are the same apart from their type, such as `"20"` and 20, or one is the name at the end of
 * the ARN or path that the other is. Everything else is left to the comparison of plans.
 */
export function isSamePlain(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a === 'object' || typeof b === 'object') return false;
  const [left, right] = [String(a), String(b)];
  return left === right || isLastPart(left, right) || isLastPart(right, left);
}

function isLastPart(name: string, whole: string): boolean {
  if (name === '' || name.length >= whole.length) return false;
  const is_path = whole.startsWith('arn:') || whole.startsWith('https://') || whole.startsWith('projects/');
  return is_path && whole.endsWith(name) && /[/:]/.test(whole.charAt(whole.length - name.length - 1));
}

/** A text that is the same for values that mean the same: without what is not set, in any order. */
export function toProjection(value: JsonValue | undefined): string {
  if (isNothing(value)) return '';
  if (Array.isArray(value)) return `[${value.map(toProjection).sort().join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(String(value));
  const members = Object.entries(value).filter(([, member]) => !isNothing(member));
  return `{${members
    .map(([name, member]) => `${name}:${toProjection(member)}`)
    .sort()
    .join(',')}}`;
}

/** Forms of values that mean the same in every attribute, because both sides say their units or their notation. */
import { addressForm } from './names.ts';

const DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d|w))+$/;
const PART = /(\d{1,9})(ms|s|m|h|d|w)/g;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Whether two texts are the same duration in different units, such as `72h` and `3d`. */
export function isSameDuration(before: string, after: string): boolean {
  const [from, to] = [readMilliseconds(before), readMilliseconds(after)];
  return from !== null && from === to;
}

/** Whether two values are the same duration where a number without a unit counts seconds. */
export function isSameSeconds(before: string, after: string): boolean {
  const [from, to] = [readMilliseconds(addUnit(before)), readMilliseconds(addUnit(after))];
  return from !== null && from === to;
}

function addUnit(text: string): string {
  return /^\d{1,9}$/.test(text) ? `${text}s` : text;
}

function readMilliseconds(text: string): number | null {
  if (!DURATION.test(text)) return null;
  let total = 0;
  for (const [, count, unit] of text.matchAll(PART)) total += Number(count) * UNIT_MS[unit!]!;
  return Number.isSafeInteger(total) ? total : null;
}

/** Whether two texts are the same IPv6 address or block in long and short notation. */
export function isSameAddress(before: string, after: string): boolean {
  if (!before.includes(':') || !after.includes(':')) return false;
  const form = addressForm(before);
  return form !== null && form === addressForm(after);
}

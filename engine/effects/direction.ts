import type { Effect, SafeEnd, Sentinel } from './types.ts';
import { rankTls, rankValue } from './values.ts';

/** Which way a change goes: toward the safe end, away from it, or not to tell. */
export type Direction = 'safer' | 'weaker' | undefined;

/**
 * Compares two values of an argument by its effect.
 *
 * @param before value before the change; null if absent
 * @param after value after the change; null if absent
 * @returns undefined if the values are equal, unknown, or not on one scale
 */
export function compareValues(effect: Effect, before: unknown, after: unknown): Direction {
  const { safe_end } = effect;
  const difference =
    safe_end === null ? compareRanks(effect, before, after) : compareEnds(effect, safe_end, before, after);
  if (difference === undefined || difference === 0) return undefined;
  return difference > 0 ? 'safer' : 'weaker';
}

/** Above zero if `after` is nearer to the safe end. */
function compareEnds(effect: Effect, end: SafeEnd, before: unknown, after: unknown): number | undefined {
  if (typeof end !== 'string') return compareLists(effect, end, before, after);
  if (end === 'true' || end === 'false') return compareFlags(before, after, end === 'true');
  if (end === 'set' || end === 'unset') return comparePresence(before, after, end === 'set');
  if (end === 'more' || end === 'less') return compareQuantities(effect.sentinel, before, after, end === 'more');
  return compareEntries(before, after, end === 'extend');
}

function compareFlags(before: unknown, after: unknown, safe: boolean): number | undefined {
  const from = readFlag(before);
  const to = readFlag(after);
  if (to === undefined || from === to) return undefined;
  if (from === undefined) return to === safe ? 1 : -1;
  return to === safe ? 1 : -1;
}

function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

function comparePresence(before: unknown, after: unknown, safe: boolean): number {
  const difference = Number(isPresent(after)) - Number(isPresent(before));
  return safe ? difference : -difference;
}

function isPresent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

function compareQuantities(
  sentinel: Sentinel | null,
  before: unknown,
  after: unknown,
  more: boolean,
): number | undefined {
  const from = readQuantity(before, sentinel);
  const to = readQuantity(after, sentinel);
  if (from === undefined || to === undefined || from === to) return undefined;
  return to > from === more ? 1 : -1;
}

/** Seconds of the units of durations: Go's, those of ISO 8601 before the T, and words. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3600, hr: 3600, hour: 3600, hours: 3600 },
  ...{ d: 86_400, day: 86_400, days: 86_400, w: 604_800, week: 604_800, weeks: 604_800 },
};
const ISO_DATE_UNITS: Readonly<Record<string, number>> = { y: 31_536_000, m: 2_592_000, w: 604_800, d: 86_400 };

/** A number, or seconds if the text is a duration such as `30d`, `1h30m` or `P7D`. */
function readQuantity(value: unknown, sentinel: Sentinel | null): number | undefined {
  const quantity = typeof value === 'number' ? value : typeof value === 'string' ? readText(value) : undefined;
  if (quantity === undefined || quantity !== sentinel?.value) return quantity;
  return sentinel.as === 'most' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

function readText(text: string): number | undefined {
  if (text !== '' && !Number.isNaN(Number(text))) return Number(text);
  const iso = /^P([0-9YMWDymwd]*)(?:T([0-9HMShms.]+))?$/.exec(text);
  if (iso !== null) return sumUnits(iso[1]!, ISO_DATE_UNITS, sumUnits(iso[2] ?? '', UNITS, 0));
  return /^(\d+(\.\d+)? ?[a-z]+ ?)+$/i.test(text) ? sumUnits(text, UNITS, 0) : undefined;
}

function sumUnits(
  text: string,
  units: Readonly<Record<string, number>>,
  start: number | undefined,
): number | undefined {
  let sum = start;
  const tokens = text.match(/\d[\d.]*|[a-z]+/gi) ?? [];
  for (let at = 0; at + 1 < tokens.length; at += 2) {
    const seconds = units[tokens[at + 1]!.toLowerCase()];
    if (seconds === undefined || sum === undefined) return undefined;
    sum += Number(tokens[at]) * seconds;
  }
  return sum;
}

/** Only where one list contains the other: replaced entries are neither fewer nor more. */
function compareEntries(before: unknown, after: unknown, more: boolean): number | undefined {
  const from = listEntries(before);
  const to = listEntries(after);
  if (from.size === to.size) return undefined;
  const [small, large] = from.size < to.size ? [from, to] : [to, from];
  for (const entry of small) if (!large.has(entry)) return undefined;
  return to.size > from.size === more ? 1 : -1;
}

function listEntries(value: unknown): Set<string> {
  const entries = Array.isArray(value) ? value : isPresent(value) ? [value] : [];
  return new Set(entries.map((entry) => JSON.stringify(entry)));
}

function compareLists(effect: Effect, order: readonly string[], before: unknown, after: unknown): number | undefined {
  const from = findPosition(order, before);
  const to = findPosition(order, after);
  return from === undefined || to === undefined ? compareRanks(effect, before, after) : to - from;
}

function findPosition(order: readonly string[], value: unknown): number | undefined {
  const text = String(value).toLowerCase();
  const at = order.findIndex((one) => one.toLowerCase() === text);
  return at < 0 ? undefined : at;
}

/** Values that are in no list: by the vocabulary, or as versions of TLS. */
function compareRanks({ effect }: Effect, before: unknown, after: unknown): number | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  const from = rankValue(effect, before) ?? (effect === 'encryption' ? rankTls(before) : undefined);
  const to = rankValue(effect, after) ?? (effect === 'encryption' ? rankTls(after) : undefined);
  return from === undefined || to === undefined ? undefined : to - from;
}

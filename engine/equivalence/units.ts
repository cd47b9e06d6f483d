/** Amounts whose unit another argument of the same block says. */
import type { PathNode } from '../changes/path-node.ts';
import { memberAt, type SideReader } from '../changes/side-reader.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

const UNITS: ReadonlyMap<string, readonly [dimension: string, factor: number]> = new Map([
  ['millisecond', ['time', 1]],
  ['second', ['time', 1000]],
  ['minute', ['time', 60_000]],
  ['hour', ['time', 3_600_000]],
  ['day', ['time', 86_400_000]],
  ['week', ['time', 604_800_000]],
  ['month', ['calendar', 1]],
  ['quarter', ['calendar', 3]],
  ['year', ['calendar', 12]],
]);
/** Names of the argument with the unit of every amount of its block. */
const SHARED = ['unit', 'units', 'time_unit', 'duration_unit', 'period_unit', 'interval_unit'];
const UNIT_NAME = /(?:^|_)units?$/;

/**
 * Whether a leaf is an amount or its unit, and both together are the same before and after: 60 minutes and 1 hour.
 */
export function isSameAmountOfUnit(node: PathNode, before: SideReader, after: SideReader): boolean {
  const block = node.parent;
  if (block === null || typeof node.segment !== 'string') return false;
  const [was, is] = [before(block), after(block)];
  if (!isObject(was) || !isObject(is)) return false;
  if (UNIT_NAME.test(node.segment)) return isSameByUnit(node.segment, was, is);
  const nested = findOuterBlock(node);
  if (nested !== null) return isSameInUnits(node.segment, before(nested.outer), after(nested.outer), nested.name);
  return findUnits(node.segment, was).some((unit) => isSame(node.segment as string, unit, was, is));
}

/** Every amount of the block that has this unit is the same. */
function isSameByUnit(unit: string, was: JsonObject, is: JsonObject): boolean {
  const amounts = Object.keys(was).filter(
    (name) => typeof was[name] === 'number' && findUnits(name, was).includes(unit),
  );
  return amounts.length > 0 && amounts.every((name) => isSame(name, unit, was, is));
}

function findUnits(amount: string, block: JsonObject): string[] {
  const own = [`${amount}_unit`, `${amount}_units`, amount.replace(/_[a-z]+$/, '_unit')];
  return [...own, ...SHARED].filter((name) => name !== amount && typeof block[name] === 'string').slice(0, 1);
}

function isSame(amount: string, unit: string, was: JsonObject, is: JsonObject): boolean {
  return isSameProduct([was[amount], was[unit]], [is[amount], is[unit]]);
}

/** `token_validity_units[0].access_token` is the unit of `access_token_validity` of the block above. */
function findOuterBlock(node: PathNode): { outer: PathNode; name: string } | null {
  const list = typeof node.parent?.segment === 'number' ? node.parent.parent : node.parent;
  if (list == null || list.parent === null || typeof list.segment !== 'string') return null;
  return UNIT_NAME.test(list.segment) ? { outer: list.parent, name: list.segment } : null;
}

function isSameInUnits(key: string, was: JsonValue, is: JsonValue, units: string): boolean {
  if (!isObject(was) || !isObject(is)) return false;
  const amounts = Object.keys(was).filter((name) => name.startsWith(`${key}_`) && typeof was[name] === 'number');
  return amounts.length === 1 && amounts.every((name) => hasSameNested(name, key, units, was, is));
}

function hasSameNested(amount: string, key: string, units: string, was: JsonObject, is: JsonObject): boolean {
  return isSameProduct([was[amount], readUnit(was, units, key)], [is[amount], readUnit(is, units, key)]);
}

/** Whether an amount has its unit in a block such as `token_validity_units`, and is the same with it. */
export function isSameByNestedUnit(node: PathNode, before: SideReader, after: SideReader): boolean {
  const [was, is] = node.parent === null ? [null, null] : [before(node.parent), after(node.parent)];
  if (!isObject(was) || !isObject(is) || typeof node.segment !== 'string') return false;
  const amount = node.segment;
  return Object.keys(was).some((units) => {
    if (!UNIT_NAME.test(units)) return false;
    const keys = Object.keys(readUnits(was, units)).filter((key) => amount.startsWith(`${key}_`));
    return keys.some((key) => hasSameNested(amount, key, units, was, is));
  });
}

function readUnit(side: JsonObject, units: string, key: string): JsonValue {
  return memberAt(readUnits(side, units), key);
}

function readUnits(side: JsonObject, units: string): JsonObject {
  const block = side[units];
  const first = Array.isArray(block) && block.length === 1 ? block[0] : block;
  return isObject(first) ? first : {};
}

type Quantity = readonly [amount: JsonValue | undefined, unit: JsonValue | undefined];

function isSameProduct(before: Quantity, after: Quantity): boolean {
  const [from, to] = [multiply(before), multiply(after)];
  return from !== null && from === to;
}

function multiply([amount, unit]: Quantity): string | null {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || typeof unit !== 'string') return null;
  const [dimension, factor = 0] = UNITS.get(unit.toLowerCase().replace(/s$/, '')) ?? [];
  return dimension === undefined ? null : `${dimension}:${amount * factor}`;
}

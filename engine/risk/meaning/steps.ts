/** How far a number moves: steps that tune it, and steps that change what it does. */
import type { MaybeJson } from '../../changes/values.ts';
import type { Pair } from '../attributes/walk.ts';
import { readMagnitude } from './magnitude.ts';

/** Of fewer things, one more or less matters. */
const FEW = 8;

/** A number that keeps more than two thirds of its size. */
export function isTuned({ path, before, after }: Pair): boolean {
  if (PLACES.test(String(path.at(-1))) || typeof before !== 'number' || typeof after !== 'number') return false;
  const [less, more] = before < after ? [before, after] : [after, before];
  return less >= FEW && less * 3 > more * 2;
}

/** Numbers that order or address something, of which every step counts. */
const PLACES = /priority|order|position|rank|index|port|protocol|id$/;

/** Smaller numbers count something of which one more or less matters. */
const GREAT = 50;

/** A step by less than a third of a great number, or of a share below one. */
export function isTiny({ path, before, after }: Pair): boolean {
  if (PLACES.test(String(path.at(-1))) || typeof before !== 'number' || typeof after !== 'number') return false;
  const [less, more] = before < after ? [before, after] : [after, before];
  const is_share = less > 0 && more <= 1 && !(Number.isInteger(less) && Number.isInteger(more));
  return (is_share || less >= GREAT) && more * 3 <= less * 4;
}

export function isSmallStep({ path, before, after }: Pair): boolean {
  return !PLACES.test(String(path.at(-1))) && keepsHalf(before, after) && keepsHalf(after, before);
}

/** Whether an amount keeps at least half of its size. */
export function keepsHalf(before: MaybeJson, after: MaybeJson): boolean {
  const [from, to] = [readMagnitude(before), readMagnitude(after)];
  return from !== null && to !== null && to.amount > 0 && to.amount * 2 >= from.amount;
}

import type { MaybeJson } from '../../../changes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const AMOUNT = /^(\d{1,15}(?:\.\d{1,9})?) ?([a-z%]{0,5})$/i;
/** Units of one dimension, from the smallest; those of one step are nearly alike. */
const DIMENSIONS: readonly (readonly (readonly string[])[])[] = [
  [['ns'], ['us'], ['ms'], ['s'], ['m', 'min'], ['h'], ['d'], ['w'], ['y']],
  [['b'], ['k', 'kb', 'ki', 'kib'], ['m', 'mb', 'mi', 'mib'], ['g', 'gb', 'gi', 'gib'], ['t', 'tb', 'ti', 'tib']],
  [[''], ['%']],
];

/** Judges an amount that keeps its digits and gets a smaller unit, such as `72h` and `72m`: few people mean to do that. */
export function judgeUnit(argument: Argument): ValueFinding | null {
  const { words, type, before, after } = argument;
  const [from, to] = [readAmount(before), readAmount(after)];
  if (from === null || to === null || from.digits !== to.digits || Number(from.digits) === 0) return null;
  if (!DIMENSIONS.some((steps) => isSmaller(steps, from.unit, to.unit))) return null;
  return {
    rule: 'R-VAL-UNIT',
    level: keepsRecords(words, type) || limitsBytes(argument, from.unit) ? 'high' : 'medium',
    direction: 'weakening',
    consequence: 'The digits stay but the unit is smaller, so the amount is a fraction of what it was',
  };
}

const BYTES = /^[kmgtp]i?b?$/i;
const CEILING = listWords('limit max maximum quota hard ceiling');

/** Whether a limit of memory or storage is a thousandth of what it was, so that what it holds no longer fits. */
function limitsBytes({ words, outer, type }: Argument, unit: string): boolean {
  return BYTES.test(unit) && [words, outer, type].some((names) => hasAny(names, CEILING));
}

const KEEPS = listWords('retention retain keep purge archive audit backup expire expiry expiration delete lifecycle');
/** Lifetimes of what is renewed when it ends. */
const RENEWED = listWords('cache session token credential lease idle cookie soft wait timeout grace');

/** Whether the amount says how long records stay: those that are older than the new one are gone at once. */
function keepsRecords(words: ReadonlySet<string>, type: ReadonlySet<string>): boolean {
  if (hasAny(words, RENEWED) || hasAny(type, RENEWED)) return false;
  return hasAny(words, KEEPS) || hasAny(type, KEEPS);
}

function isSmaller(steps: readonly (readonly string[])[], from: string, to: string): boolean {
  const findStep = (unit: string) => steps.findIndex((units) => units.includes(unit.toLowerCase()));
  const [was, is] = [findStep(from), findStep(to)];
  return is >= 0 && is < was;
}

function readAmount(value: MaybeJson): { digits: string; unit: string } | null {
  const match = typeof value === 'string' && value.length <= 30 ? AMOUNT.exec(value) : null;
  return match === null ? null : { digits: match[1]!, unit: match[2]! };
}

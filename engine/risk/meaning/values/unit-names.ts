/** Judges arguments that name the unit of another one: `days` becomes `hours`. */
import type { MaybeJson } from '../../../changes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];
const KEPT = listWords(
  'retention retain keep kept ttl expire expiry expiration age history archive lifetime purge delete',
);

export function judgeUnitName({ words, outer, type, before, after, names }: Argument): ValueFinding | null {
  if (!words.has('unit')) return null;
  const [from, to] = [findUnit(before), findUnit(after)];
  if (from < 0 || to < 0 || from === to) return null;
  const is_kept =
    [words, outer, type].some((all) => hasAny(all, KEPT)) || names.some((name) => /retention/i.test(name));
  if (to > from) return null;
  return {
    rule: 'R-VAL-UNIT',
    level: is_kept ? 'high' : 'medium',
    direction: 'weakening',
    consequence: 'The unit is smaller, so the amount next to it is a fraction of what it was',
  };
}

function findUnit(value: MaybeJson): number {
  const name = typeof value === 'string' ? value.toLowerCase().replace(/s$/, '') : '';
  return UNITS.indexOf(name);
}

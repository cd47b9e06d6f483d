/** Judges the days on which something runs that protects: fewer days are longer gaps. */
import { list, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const DAYS = listWords('day days weekday weekdays');
const DAY = /^(?:mo|tu|we|th|fr|sa|su)/i;
const PROTECTS = listWords('backup snapshot scan scanner audit patch assessment');

export function judgeWeekdays({ words, outer, type, purpose, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, DAYS) || !Array.isArray(before) || !Array.isArray(after)) return null;
  const [from, to] = [before, after].map((days) => list(days).map(text));
  if (![...from!, ...to!].every((day) => DAY.test(day)) || from!.length === 0) return null;
  const lost = from!.some((day) => !to!.includes(day));
  if (!lost) return { ...FINDING, level: 'low', direction: 'strengthening' };
  const protects = [outer, type].some((names) => hasAny(names, PROTECTS)) || purpose === 'backup';
  const level = protects && to!.length * 2 <= from!.length ? 'medium' : 'low';
  return { ...FINDING, level, direction: 'weakening' };
}

const FINDING = { rule: 'R-VAL-SCHEDULE', consequence: 'It runs on fewer days' } as const;

/** Judges queries that only gain a choice of columns at their end: they find the same rows. */

import { isLooseQuery } from './queries.ts';
import type { Argument, ValueFinding } from './types.ts';

const COLUMNS =
  /\s{0,20}\|\s{0,20}(?:project|project-reorder|fields|table)\s{1,20}[\w@.]{1,100}(?:\s{0,10},\s{0,10}[\w@.]{1,100}){0,50}\s{0,20}$/;
const MAX_CHARS = 20_000;

export function judgeProjection({ words, before, after }: Argument): ValueFinding | null {
  if (!isLooseQuery(words) || typeof before !== 'string' || typeof after !== 'string') return null;
  if (before.length > MAX_CHARS || after.length > MAX_CHARS || before === after) return null;
  if (dropColumns(before) !== dropColumns(after)) return null;
  return { rule: 'R-VAL-CONDITION', level: 'low', direction: 'neutral', consequence: 'The query shows other columns' };
}

function dropColumns(query: string): string {
  const end = query.lastIndexOf('|');
  const last = end < 0 ? '' : query.slice(end);
  const kept = COLUMNS.test(last) ? query.slice(0, end) : query;
  return kept.split(/\s+/).join(' ').trim();
}

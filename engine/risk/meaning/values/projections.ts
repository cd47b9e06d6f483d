/** Judges queries that only gain a choice of columns at their end: they find the same rows. */

import { isLooseQuery } from './queries.ts';
import type { Argument, ValueFinding } from './types.ts';
import { listWords } from './words.ts';

const SHOWS = listWords('project project-reorder fields table');
const COLUMN = /^[\w@.]{1,100}$/;
const MAX_CHARS = 20_000;

export function judgeProjection({ words, before, after }: Argument): ValueFinding | null {
  if (!isLooseQuery(words) || typeof before !== 'string' || typeof after !== 'string') return null;
  if (before.length > MAX_CHARS || after.length > MAX_CHARS || before === after) return null;
  if (dropColumns(before) !== dropColumns(after)) return null;
  return { rule: 'R-VAL-CONDITION', level: 'low', direction: 'neutral', consequence: 'The query shows other columns' };
}

function dropColumns(query: string): string {
  const end = query.lastIndexOf('|');
  const kept = end >= 0 && onlyShows(query.slice(end + 1).trim()) ? query.slice(0, end) : query;
  return kept.split(/\s+/).join(' ').trim();
}

/** Whether a step of a query only names columns. */
function onlyShows(step: string): boolean {
  const [verb = ''] = step.split(/\s/, 1);
  const columns = step.slice(verb.length).split(',');
  return SHOWS.has(verb) && columns.every((column) => COLUMN.test(column.trim()));
}

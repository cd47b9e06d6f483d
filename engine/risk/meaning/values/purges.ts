import type { MaybeJson } from '../../../changes/values.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { DAY, isUnlimited, isUnset, readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const REMOVES = listWords('purge delete erase destroy wipe anonymize anonymise expunge autodelete shred forget remove');
const TIME = listWords('after day hour week month year age older');
/** Times during which a deleted object can still be restored, and times of something else. */
const OTHER = listWords(
  'soft recovery undelete recover restore protection lock grace wait timeout window retry marker pending scheduled ' +
    'min minimum message snapshot backup session token log',
);

/** Judges after how long a service deletes the data that it holds. */
export function judgePurge({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, REMOVES) || !hasAny(words, TIME) || hasAny(words, OTHER)) return null;
  const [from, to] = [readAge(before, words), readAge(after, words)];
  if (from === null || to === null || from === to) return null;
  if (to > from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  return { ...FINDING, level: findLevel(from, to), direction: 'weakening' };
}

const FINDING = {
  rule: 'R-VAL-LIFETIME',
  consequence: 'Stored data that is older than the new lifetime is deleted',
  beyond_rules: true,
} as const;

function findLevel(from: number, to: number): RiskLevel {
  if (to < DAY || to <= from / 10) return from === Number.POSITIVE_INFINITY && to >= 365 * DAY ? 'medium' : 'high';
  return 'medium';
}

/** Without a value, nothing is deleted. */
function readAge(value: MaybeJson, words: ReadonlySet<string>): number | null {
  return isUnset(value) || isUnlimited(value) ? Number.POSITIVE_INFINITY : readSeconds(value, words, DAY);
}

import { isUnlimited, isUnset, readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Copies that must have confirmed a write, and members that must agree. */
const QUORUM = listWords('quorum insync isr voter witness copies copy');
const BACKUP = listWords('backup snapshot');
const KEPT = listWords('retention day keep kept copies count number period');
const OTHER = listWords('hour minute window start interval frequency size id vault arn');

/** Judges how many copies confirm a write, and how many backups are kept. */
export function judgeCopies(argument: Argument): ValueFinding | null {
  return judgeQuorum(argument) ?? judgeBackups(argument);
}

function judgeQuorum({ words, before, after }: Argument): ValueFinding | null {
  const in_sync = words.has('sync') && words.has('in');
  if (!in_sync && !hasAny(words, QUORUM) && !(words.has('replication') && words.has('factor'))) return null;
  if (hasAny(words, listWords('tag timeout second policy label option grant'))) return null;
  const [from, to] = [readNumber(before), readNumber(after)];
  if (from === null || to === null || to >= from) return null;
  const single = to <= 1 && words.has('replication');
  return {
    ...FINDING,
    level: single ? 'high' : 'medium',
    consequence: 'Fewer copies hold or confirm the data, so that a failure can lose it',
  };
}

function judgeBackups({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, BACKUP) || !hasAny(words, KEPT) || hasAny(words, OTHER)) return null;
  const [from, to] = [readNumber(before), isUnset(after) ? null : readNumber(after)];
  if (from === null || to === null || from <= 0 || isUnlimited(after)) return null;
  if (to === 0) return { ...FINDING, level: 'high', consequence: 'No backups are kept any more' };
  return to <= from / 4 ? { ...FINDING, level: 'medium', consequence: 'Fewer backups are kept' } : null;
}

const FINDING = { rule: 'R-VAL-COPIES', direction: 'weakening' } as const;

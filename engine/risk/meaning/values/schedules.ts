import { type Recurrence, readRecurrence } from './schedule-expression.ts';
import type { Argument, Purpose, ValueFinding } from './types.ts';

/** A schedule that runs this many times more often is rarely meant. */
const FAR_MORE = 50;
const FAR_LESS = 25;
/** A star for the minute where a number was meant. */
const BURST = 15;
/** Once a year instead of daily: not what anyone waits for. */
const HARDLY = 250;

/** Judges how often a schedule runs: never, only once, much less or much more often. */
export function judgeSchedule({ before, after, purpose }: Argument): ValueFinding | null {
  const to = readRecurrence(after);
  const from = readRecurrence(before);
  if (to === null || (from === null && typeof before === 'string' && before !== '')) return null;
  if (to.runs_per_year === 0 && from?.runs_per_year !== 0) return weaken('high', 'It never runs: no such date exists');
  return from === null ? null : compareRuns(from, to, purpose);
}

function compareRuns(from: Recurrence, to: Recurrence, purpose: Purpose): ValueFinding | null {
  const protects = purpose !== 'other' && purpose !== 'business';
  const matters = purpose !== 'other';
  if (to.ends && !from.ends)
    return weaken(matters ? 'high' : 'medium', 'It runs only once or for a limited time, and then no longer');
  const ratio = to.runs_per_year / from.runs_per_year;
  if (ratio <= 1 / HARDLY) return weaken('high', 'It hardly ever runs any more');
  if (ratio <= 1 / FAR_LESS) return weaken(matters ? 'high' : 'medium', 'It runs far less often');
  if (ratio <= 1 / 2) return weaken(protects ? 'medium' : 'low', 'It runs less often');
  if (to.bursts && !from.bursts && ratio >= BURST) {
    return { ...weaken('high', 'It runs in every minute of the hour, not once'), direction: 'neutral' };
  }
  if (ratio >= FAR_MORE) return { ...weaken('medium', 'It runs far more often'), direction: 'neutral' };
  return { rule: 'R-VAL-SCHEDULE', level: 'low', direction: 'neutral', consequence: 'It runs at other times' };
}

function weaken(level: ValueFinding['level'], consequence: string): ValueFinding {
  return { rule: 'R-VAL-SCHEDULE', level, direction: 'weakening', consequence, beyond_rules: true };
}

import { renderPath } from '../changes/path.ts';
import { isPattern } from './globs.ts';
import { compileOperator } from './operators.ts';
import { parsePath } from './paths.ts';
import type { Subject } from './subject.ts';
import type { Condition, Predicate } from './types.ts';

/** Where a condition held: the path as `AttributeDiff.path` renders it, or null where no one place can be named. */
export interface Hold {
  path: string | null;
}

export type SubjectTest = (subject: Subject) => Hold | null;

const ANYWHERE: Hold = { path: null };

/**
 * All conditions of a rule as one test: where the first that held did so, or null when they do not hold.
 *
 * @throws PathError for conditions that the parser would refuse
 */
export function compileWhen({ when = [], when_mode = 'all' }: Condition): SubjectTest {
  if (when.length === 0) return () => ANYWHERE;
  const tests = when.map(compilePredicate);
  return when_mode === 'all' ? (subject) => holdAll(tests, subject) : (subject) => holdAny(tests, subject);
}

function holdAll(tests: readonly SubjectTest[], subject: Subject): Hold | null {
  let first = ANYWHERE;
  for (const test of tests) {
    const hold = test(subject);
    if (hold === null) return null;
    if (first.path === null) first = hold;
  }
  return first;
}

function holdAny(tests: readonly SubjectTest[], subject: Subject): Hold | null {
  for (const test of tests) {
    const hold = test(subject);
    if (hold !== null) return hold;
  }
  return null;
}

/** One place where it holds is enough; `negate` turns the outcome of all places together around. */
function compilePredicate(predicate: Predicate): SubjectTest {
  const path = parsePath(predicate.path);
  const key = path.join('\0');
  const test = compileOperator(predicate);
  const single = !path.some(isPattern);
  return (subject) => {
    const places = subject.placesAt(key, path);
    const held = places.find((place) => test(place, subject));
    if (predicate.negate !== true) return held === undefined ? null : { path: renderPath(held.segments) };
    if (held !== undefined) return null;
    return single ? { path: renderPath(places[0]?.segments ?? path) } : ANYWHERE;
  };
}

import { renderPath } from '../changes/path.ts';
import { isPattern } from './globs.ts';
import { compileOperator } from './operators.ts';
import { parsePath } from './paths.ts';
import type { Subject } from './subject.ts';
import type { Condition, Predicate } from './types.ts';

/** Where a condition matched: a path in the format of `AttributeDiff.path`, or null if there is no single path. */
export interface ConditionMatch {
  path: string | null;
}

export type SubjectTest = (subject: Subject) => ConditionMatch | null;

const ANYWHERE: ConditionMatch = { path: null };

/**
 * Compiles all conditions of a rule into one test that returns the first match, or null if the conditions do not match.
 *
 * @throws PathError for an invalid path
 */
export function compileWhen({ when = [], when_mode = 'all' }: Condition): SubjectTest {
  if (when.length === 0) return () => ANYWHERE;
  const tests = when.map(compilePredicate);
  return when_mode === 'all' ? (subject) => matchAll(tests, subject) : (subject) => matchAny(tests, subject);
}

function matchAll(tests: readonly SubjectTest[], subject: Subject): ConditionMatch | null {
  let first = ANYWHERE;
  for (const test of tests) {
    const met = test(subject);
    if (met === null) return null;
    if (first.path === null) first = met;
  }
  return first;
}

function matchAny(tests: readonly SubjectTest[], subject: Subject): ConditionMatch | null {
  for (const test of tests) {
    const met = test(subject);
    if (met !== null) return met;
  }
  return null;
}

/** Matches if any attribute matches; `negate` inverts that result. */
function compilePredicate(predicate: Predicate): SubjectTest {
  const path = parsePath(predicate.path);
  const key = path.join('\0');
  const test = compileOperator(predicate);
  const single = !path.some(isPattern);
  return (subject) => {
    const attributes = subject.matchAttributes(key, path);
    const matched = attributes.find((attribute) => test(attribute, subject));
    if (predicate.negate !== true) return matched === undefined ? null : { path: renderPath(matched.segments) };
    if (matched !== undefined) return null;
    return single ? { path: renderPath(attributes[0]?.segments ?? path) } : ANYWHERE;
  };
}

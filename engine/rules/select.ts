import type { ResourceChange } from '../changes/types.ts';
import { type CompiledMatch, compileMatch } from './match.ts';
import { compileWhen, type SubjectTest } from './predicate.ts';
import { createRuleIndex } from './rule-index.ts';
import { Subject } from './subject.ts';
import type { Condition, RunContext } from './types.ts';

export interface Selected<T> {
  rule: T;
  /** Path of the first condition that matched, in the format of `AttributeDiff.path`; null if there is none. */
  path: string | null;
}

interface CompiledRule<T> {
  rule: T;
  match: CompiledMatch;
  when: SubjectTest;
}

/**
 * Selects the rules that match a change, in input order. Rules are indexed, so the time for a change depends on its
 * candidate rules, not on all rules.
 *
 * @param rules validated rules
 * @throws PathError for an invalid path; an invalid pattern throws PatternError on first use
 */
export function createSelector<T extends Condition>(
  rules: readonly T[],
  context: RunContext,
): (change: ResourceChange) => Selected<T>[] {
  const select = createSubjectSelector(rules, context);
  return (change) => select(new Subject(change));
}

/** Like `createSelector`, for callers that use several selectors for one change. */
export function createSubjectSelector<T extends Condition>(
  rules: readonly T[],
  context: RunContext,
): (subject: Subject) => Selected<T>[] {
  const compiled = compileAll(rules, context);
  const candidates = createRuleIndex(compiled.map(({ match }) => match));
  return (subject) => {
    const selected: Selected<T>[] = [];
    for (const i of candidates(subject)) {
      const { rule, match, when } = compiled[i] as CompiledRule<T>;
      if (!match.change(subject)) continue;
      const met = when(subject);
      if (met !== null) selected.push({ rule, path: met.path });
    }
    return selected;
  };
}

/** Compiles conditions on first use, because most rules do not apply to the types of a plan. */
function compileLazily(rule: Condition): SubjectTest {
  let when: SubjectTest | undefined;
  return (subject) => {
    when ??= compileWhen(rule);
    return when(subject);
  };
}

function compileAll<T extends Condition>(rules: readonly T[], context: RunContext): CompiledRule<T>[] {
  return rules.flatMap((rule) => {
    const match = compileMatch(rule.match, context);
    return match === null ? [] : [{ rule, match, when: compileLazily(rule) }];
  });
}

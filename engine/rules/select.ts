import type { ResourceChange } from '../changes/types.ts';
import { type CompiledMatch, compileMatch } from './match.ts';
import { compileWhen, type SubjectTest } from './predicate.ts';
import { createRuleIndex } from './rule-index.ts';
import { Subject } from './subject.ts';
import type { Condition, RunContext } from './types.ts';

export interface Selected<T> {
  rule: T;
  /** Concrete path of the first condition that held, as `AttributeDiff.path` renders it; null where there is none. */
  path: string | null;
}

interface CompiledRule<T> {
  rule: T;
  match: CompiledMatch;
  when: SubjectTest;
}

/**
 * Finds the rules that speak of a change, in the order in which they were given. Rules are indexed, so that the time for a
 * change grows with the rules that may speak of it and not with all of them.
 *
 * @param rules as the parsers accept them
 * @throws PathError for others; a pattern that is none throws PatternError when it is first asked
 */
export function createSelector<T extends Condition>(
  rules: readonly T[],
  context: RunContext,
): (change: ResourceChange) => Selected<T>[] {
  const select = createSubjectSelector(rules, context);
  return (change) => select(new Subject(change));
}

/** The same for who asks several selectors about one change. */
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

/** Most rules of an org speak of types that a plan does not have. */
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

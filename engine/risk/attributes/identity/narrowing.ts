import type { StepBudget } from '../step-budget.ts';
import { same } from '../values.ts';
import { isIncluded } from './grants.ts';
import { type Statement, statementKey } from './policy.ts';

/** Returns true when every allow statement in `after` is within one in `before`. */
export function isOnlyNarrower(before: readonly Statement[], after: readonly Statement[], steps: StepBudget): boolean {
  const known = new Set(before.map(statementKey));
  return after
    .filter((statement) => statement.allow && !known.has(statementKey(statement)))
    .every((statement) => steps.some(before, (other) => other.allow && isWithin(statement, other)));
}

function isWithin(inner: Statement, outer: Statement): boolean {
  const has = (items: readonly string[], all: readonly string[]): boolean =>
    all.includes('*') || isIncluded(items, all);
  if (
    inner.not_actions !== outer.not_actions ||
    inner.not_resources !== outer.not_resources ||
    inner.not_principals !== outer.not_principals
  )
    return false;
  if (inner.not_actions || inner.not_resources || inner.not_principals)
    return (
      same(inner.actions, outer.actions) &&
      same(inner.resources, outer.resources) &&
      same(inner.condition, outer.condition)
    );
  if (outer.condition !== null && !same(inner.condition, outer.condition)) return false;
  return (
    has(inner.actions, outer.actions) &&
    has(inner.resources, outer.resources) &&
    has(
      inner.principals.map(({ value }) => value),
      outer.principals.map(({ value }) => value),
    )
  );
}

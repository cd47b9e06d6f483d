/** Whether one AWS policy allows nothing that another does not allow. */
import type { StepBudget } from '../step-budget.ts';
import { impliesCondition } from './implied-conditions.ts';
import { isCovered, type Principal, type Statement, statementKey } from './policy.ts';
import { matchesWildcard } from './wildcard.ts';

/** Statements of more calls are not compared call by call. */
const MAX_CALLS = 2_000;

/** Returns true when every call that `after` allows was allowed by `before`; false when the step budget is exhausted. */
export function isOnlyNarrower(before: readonly Statement[], after: readonly Statement[], steps: StepBudget): boolean {
  return (
    areWithin(selectBy(after, true), selectBy(before, true), steps) &&
    areWithin(selectBy(before, false), selectBy(after, false), steps)
  );
}

function selectBy(statements: readonly Statement[], allow: boolean): Statement[] {
  return statements.filter((statement) => statement.allow === allow);
}

/** Returns true when each statement of `inner` is within those of `outer`. All have the same effect. */
function areWithin(inner: readonly Statement[], outer: readonly Statement[], steps: StepBudget): boolean {
  const known = new Set(outer.map(statementKey));
  return inner.every((statement) => known.has(statementKey(statement)) || isWithin(statement, outer, steps));
}

/** Returns true when the calls that a statement is about are all those of other statements. */
export function isWithin(statement: Statement, outer: readonly Statement[], steps: StepBudget): boolean {
  const { actions, resources, principals } = statement;
  if (steps.some(outer, (other) => isWithinOne(statement, other, steps))) return true;
  const calls = Math.max(actions.length, 1) * Math.max(resources.length, 1) * Math.max(principals.length, 1);
  if (calls > MAX_CALLS || statement.not_actions || statement.not_resources || statement.not_principals) return false;
  return split(actions).every((action) =>
    split(resources).every((resource) =>
      split(principals).every((principal) => {
        const call = { ...statement, actions: action, resources: resource, principals: principal };
        return steps.some(outer, (other) => isWithinOne(call, other, steps));
      }),
    ),
  );
}

/** Each item alone; an empty list as it is. */
function split<T>(items: readonly T[]): T[][] {
  return items.length === 0 ? [[]] : items.map((item) => [item]);
}

function isWithinOne(inner: Statement, outer: Statement, steps: StepBudget): boolean {
  return (
    isSubset([inner.actions, inner.not_actions], [outer.actions, outer.not_actions], steps) &&
    isSubset([inner.resources, inner.not_resources], [outer.resources, outer.not_resources], steps) &&
    namesNoOther(inner, outer, steps) &&
    impliesCondition(inner, outer)
  );
}

type Patterns = readonly [items: readonly string[], negated: boolean];

function isSubset([inner, excludes]: Patterns, [outer, leaves_out]: Patterns, steps: StepBudget): boolean {
  if (excludes) return leaves_out ? isCovered(outer, inner, steps) : outer.includes('*');
  if (!leaves_out) return isCovered(inner, outer, steps);
  return inner.every(
    (item) => !steps.some(outer, (left) => matchesWildcard(left, item) || matchesWildcard(item, left)),
  );
}

function namesNoOther(inner: Statement, outer: Statement, steps: StepBudget): boolean {
  if (inner.not_principals || outer.not_principals)
    return (
      inner.not_principals === outer.not_principals &&
      outer.principals.every(({ kind, value }) => inner.principals.some((p) => p.kind === kind && p.value === value))
    );
  return inner.principals.every((principal) => steps.some(outer.principals, (other) => isPart(principal, other)));
}

const ACCOUNT = /^(?:arn:[^:]{1,20}:iam::)?(\d{12})(?::root)?$/;
const IDENTITY = /^arn:[^:]{1,20}:(?:iam|sts)::(\d{12}):/;

/** A role or user is part of its account, and everything is part of everyone. */
function isPart({ kind, value }: Principal, other: Principal): boolean {
  if (kind === other.kind && value === other.value) return true;
  if (other.kind !== 'AWS') return false;
  if (other.value === '*') return true;
  const account = ACCOUNT.exec(other.value)?.[1];
  return kind === 'AWS' && account !== undefined && (IDENTITY.exec(value) ?? ACCOUNT.exec(value))?.[1] === account;
}

/** R-IAM-CONDITION: restrictions that a policy loses. */

import type { StepBudget } from '../step-budget.ts';
import { isWithin } from './narrowing.ts';
import { canonicalCondition, conditionEntries, isCovered, type Statement, sameScope, statementKey } from './policy.ts';
import { matchesWildcard } from './wildcard.ts';

export type LostLimit = 'deny' | 'condition';

/**
 * Returns the kinds of restrictions that `before` has and `after` lacks, each at most once. A restriction counts as
 * lost when the step budget is exhausted.
 */
export function lostLimits(before: readonly Statement[], after: readonly Statement[], steps: StepBudget): LostLimit[] {
  const lost: LostLimit[] = [];
  const kept = new Set(after.map(statementKey));
  const changed = before.filter((statement) => !kept.has(statementKey(statement)));
  if (changed.some((statement) => !statement.allow && !steps.some(after, (other) => denies(other, statement, steps))))
    lost.push('deny');
  if (changed.some((statement) => statement.allow && losesCondition(statement, before, after, steps)))
    lost.push('condition');
  return lost;
}

/** Returns true when `other` denies everything that `statement` denies. */
function denies(other: Statement, statement: Statement, steps: StepBudget): boolean {
  if (other.allow) return false;
  if (isWithin(statement, [other], steps)) return true;
  if (
    other.not_actions ||
    other.not_resources ||
    other.not_principals ||
    statement.not_actions ||
    statement.not_resources ||
    statement.not_principals
  )
    return false;
  return (
    isCovered(statement.actions, other.actions, steps) &&
    isCovered(statement.resources, other.resources, steps) &&
    isCovered(
      statement.principals.map(({ value }) => value),
      other.principals.map(({ value }) => value),
      steps,
    ) &&
    (other.condition === null || exemptsNoMore(other, statement))
  );
}

/** Returns true if the conditions of a denial differ in nothing but fewer, or narrower, exemptions. */
function exemptsNoMore(other: Statement, statement: Statement): boolean {
  if (String(canonicalCondition(other)) === String(canonicalCondition(statement))) return true;
  const known = new Map(
    conditionEntries(statement.condition).map(([operator, key, values]) => [`${operator} ${key}`, values]),
  );
  const entries = conditionEntries(other.condition);
  return entries.every(([operator, key, values]) => {
    const exempted = known.get(`${operator} ${key}`);
    if (exempted === undefined) return false;
    if (String(values.toSorted()) === String(exempted.toSorted())) return true;
    return EXEMPTS.test(operator) && values.every((value) => exempted.some((pattern) => isNoWider(pattern, value)));
  });
}

/** Operators whose values are left out of a denial. */
const EXEMPTS = /^(?:(?:string|arn)not(?:like|equals)|notipaddress)$/;

/** A pattern with the same last name and fewer wildcards names one object more exactly. */
function isNoWider(pattern: string, value: string): boolean {
  if (pattern === value || matchesWildcard(pattern, value)) return true;
  const [name, other] = [pattern, value].map((text) => text.slice(text.lastIndexOf('/') + 1));
  return name === other && !/[*?]/.test(name!) && countWildcards(value) <= countWildcards(pattern);
}

function countWildcards(text: string): number {
  return text.split(/[*?]/).length - 1;
}

/** Returns true when a statement in `after` allows the same with fewer conditions than any statement in `before`. */
function losesCondition(
  statement: Statement,
  before: readonly Statement[],
  after: readonly Statement[],
  steps: StepBudget,
): boolean {
  if (statement.condition === null) return false;
  const was_there = (wider: Statement) =>
    steps.some(before, (other) => other.allow && sameScope(other, wider) && !isLooser(wider, other));
  const is_lost = steps.some(
    after,
    (other) => other.allow && reaches(other, statement, steps) && isLooser(other, statement) && !was_there(other),
  );
  return is_lost || steps.exhausted;
}

function reaches(other: Statement, statement: Statement, steps: StepBudget): boolean {
  if (sameScope(other, statement)) return true;
  if (other.not_actions || other.not_resources || statement.not_actions || statement.not_resources) return false;
  return (
    statement.actions.some((action) => isCovered([action], other.actions, steps)) &&
    statement.resources.some((resource) => isCovered([resource], other.resources, steps))
  );
}

/**
 * Returns true when the conditions of `other` are a proper subset of the conditions of `statement`, or hold also where
 * the key is missing, as with `StringEqualsIfExists`.
 */
function isLooser(other: Statement, statement: Statement): boolean {
  const required = new Set(canonicalKeys(statement));
  const kept = canonicalKeys(other);
  const loosened = kept.filter((key) => !required.has(key));
  if (loosened.length === 0) return kept.length < required.size;
  return loosened.every((key) => IF_EXISTS.test(key) && required.has(key.replace(IF_EXISTS, ' ')));
}

const IF_EXISTS = /ifexists /;

function canonicalKeys({ condition }: Statement): string[] {
  return conditionEntries(condition).map(([operator, key]) => `${operator} ${key}`);
}

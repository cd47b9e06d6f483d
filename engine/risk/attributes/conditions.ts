/** R-IAM-CONDITION: limits that a policy loses. */
import { canonicalCondition, conditionEntries, type Statement, sameScope, sameStatement } from './policy.ts';
import { list } from './values.ts';
import { matchesWildcard } from './wildcard.ts';

export type LostLimit = 'deny' | 'condition';

/** The limits which `before` held and `after` does not; each kind at most once. */
export function lostLimits(before: readonly Statement[], after: readonly Statement[]): LostLimit[] {
  const lost: LostLimit[] = [];
  if (before.some((statement) => !statement.allow && !after.some((other) => denies(other, statement))))
    lost.push('deny');
  if (before.some((statement) => statement.allow && losesCondition(statement, before, after))) lost.push('condition');
  return lost;
}

/** True when `other` denies all that `statement` denied. */
function denies(other: Statement, statement: Statement): boolean {
  if (other.allow) return false;
  if (sameStatement(other, statement)) return true;
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
    isCovered(statement.actions, other.actions) &&
    isCovered(statement.resources, other.resources) &&
    isCovered(
      statement.principals.map(({ value }) => value),
      other.principals.map(({ value }) => value),
    ) &&
    (other.condition === null || String(canonicalCondition(other)) === String(canonicalCondition(statement)))
  );
}

function isCovered(items: readonly string[], patterns: readonly string[]): boolean {
  return items.every((item) => patterns.some((pattern) => matchesWildcard(pattern, item)));
}

/** True when what a condition narrowed is now allowed with fewer conditions than anywhere before. */
function losesCondition(statement: Statement, before: readonly Statement[], after: readonly Statement[]): boolean {
  if (statement.condition === null || after.some((other) => sameStatement(other, statement))) return false;
  const wider = after.find((other) => other.allow && reaches(other, statement) && isLooser(other, statement));
  return (
    wider !== undefined && !before.some((other) => other.allow && sameScope(other, wider) && !isLooser(wider, other))
  );
}

function reaches(other: Statement, statement: Statement): boolean {
  if (sameScope(other, statement)) return true;
  if (other.not_actions || other.not_resources || statement.not_actions || statement.not_resources) return false;
  return (
    statement.actions.some((action) => isCovered([action], other.actions)) &&
    statement.resources.some((resource) => isCovered([resource], other.resources))
  );
}

/** True when `other` asks for a true part of what `statement` asks for. */
function isLooser(other: Statement, statement: Statement): boolean {
  const asked = new Set(list(canonicalKeys(statement)));
  const kept = canonicalKeys(other);
  return kept.length < asked.size && kept.every((key) => asked.has(key));
}

function canonicalKeys({ condition }: Statement): string[] {
  return conditionEntries(condition).map(([operator, key]) => `${operator} ${key}`);
}

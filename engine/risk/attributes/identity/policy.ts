import { isObject } from '../../../lib/is-object.ts';
/** Parses AWS IAM policy documents into statements. */
import type { JsonObject, JsonValue } from '../../../model/result.ts';
import { StepBudget } from '../step-budget.ts';
import type { Value } from '../types.ts';
import { isEmpty, list, member, parseJson, text } from '../values.ts';
import { matchesWildcard } from './wildcard.ts';

export interface Statement {
  allow: boolean;
  /** Lower-case `service:action` patterns. */
  actions: string[];
  /** `actions` are the excluded actions (NotAction). */
  not_actions: boolean;
  resources: string[];
  not_resources: boolean;
  principals: Principal[];
  not_principals: boolean;
  /** null when absent or empty. */
  condition: JsonObject | null;
}

export interface Principal {
  /** `AWS`, `Service`, `Federated` or `CanonicalUser`; the principal `*` has the kind `AWS`. */
  kind: string;
  value: string;
}

/** Longer documents than any provider accepts are not parsed. */
const DOCUMENT_CHARS_MAX = 200_000;
/** Real documents have tens of statements. */
const STEPS_EACH = 16;
const STEPS_FREE = 50_000;

/**
 * Parses the statements of a policy document.
 *
 * @param document JSON text, or the parsed object
 * @returns undefined when the value is not a policy document
 */
export function parsePolicy(document: Value): Statement[] | undefined {
  const policy = typeof document === 'string' ? parseJson(document, DOCUMENT_CHARS_MAX) : document;
  if (!isObject(policy) || !Object.hasOwn(policy, 'Statement')) return undefined;
  return list(member(policy, 'Statement')).filter(isObject).map(parseStatement);
}

function parseStatement(statement: JsonObject): Statement {
  const not_actions = !isEmpty(member(statement, 'NotAction'));
  const not_resources = !isEmpty(member(statement, 'NotResource'));
  const not_principals = !isEmpty(member(statement, 'NotPrincipal'));
  const condition = member(statement, 'Condition');
  return {
    allow: text(member(statement, 'Effect')).toLowerCase() === 'allow',
    actions: texts(member(statement, not_actions ? 'NotAction' : 'Action')).map((action) => action.toLowerCase()),
    not_actions,
    resources: texts(member(statement, not_resources ? 'NotResource' : 'Resource')),
    not_resources,
    principals: parsePrincipals(member(statement, not_principals ? 'NotPrincipal' : 'Principal')),
    not_principals,
    condition: isObject(condition) && Object.keys(condition).length > 0 ? condition : null,
  };
}

function parsePrincipals(value: Value): Principal[] {
  if (value === '*') return [{ kind: 'AWS', value: '*' }];
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((kind) =>
    texts(member(value, kind)).map((principal) => ({ kind, value: principal })),
  );
}

function texts(value: Value): string[] {
  return list(value)
    .map(text)
    .filter((item) => item !== '');
}

type ConditionEntry = [operator: string, key: string, values: string[]];

/** Caches conditions, because each is read once for each principal of its statement. */
const entries = new WeakMap<JsonObject, ConditionEntry[]>();

/** Returns the entries of a condition as `[operator, key, values]`; operator and key are lower case. */
export function conditionEntries(condition: JsonObject | null): ConditionEntry[] {
  if (!condition) return [];
  const known = entries.get(condition) ?? readCondition(condition);
  entries.set(condition, known);
  return known;
}

function readCondition(condition: JsonObject): ConditionEntry[] {
  return Object.keys(condition).flatMap((operator) => {
    const block = member(condition, operator);
    return isObject(block)
      ? Object.keys(block).map((key): [string, string, string[]] => [
          operator.toLowerCase(),
          key.toLowerCase(),
          texts(block[key]),
        ])
      : [];
  });
}

/** Returns a string that is equal for equivalent statements. */
export function statementKey(statement: Statement): string {
  const known = keys.get(statement) ?? writeKey(statement);
  keys.set(statement, known);
  return known;
}

const keys = new WeakMap<Statement, string>();

function writeKey(statement: Statement): string {
  const { allow, not_actions, not_resources, not_principals, actions, resources, principals } = statement;
  const lists = [actions, resources, principals.map(principalText)].map((items) => [...new Set(items)].sort());
  return JSON.stringify([allow, not_actions, not_resources, not_principals, lists, canonicalCondition(statement)]);
}

/** Returns the step budget for comparing two policies. It is linear in their size and sufficient for real policies. */
export function stepsFor(before: readonly Statement[], after: readonly Statement[]): StepBudget {
  let items = 0;
  for (const { actions, resources, principals } of [...before, ...after]) {
    items += 1 + actions.length + resources.length + principals.length;
  }
  return new StepBudget(STEPS_EACH * items + STEPS_FREE);
}

const NO_PATTERNS: ReadonlySet<string> = new Set();

/** Returns true when each item matches one of the patterns; false when the step budget is exhausted. */
export function isCovered(items: readonly string[], patterns: readonly string[], steps: StepBudget): boolean {
  const known = items.length > 1 ? new Set(patterns) : NO_PATTERNS;
  return items.every(
    (item) =>
      known.has(item) ||
      steps.some(patterns, (pattern) => steps.takeMatch(pattern, item) && matchesWildcard(pattern, item)),
  );
}

/** Returns true when two statements have the same actions, resources and principals. */
export function sameScope(a: Statement, b: Statement): boolean {
  return (
    a.not_actions === b.not_actions &&
    a.not_resources === b.not_resources &&
    a.not_principals === b.not_principals &&
    sameSet(a.actions, b.actions) &&
    sameSet(a.resources, b.resources) &&
    sameSet(a.principals.map(principalText), b.principals.map(principalText))
  );
}

export function canonicalCondition({ condition }: Statement): JsonValue {
  return conditionEntries(condition)
    .map(([operator, key, values]) => [operator, key, ...values.toSorted()].join('\n'))
    .sort();
}

export function principalText({ kind, value }: Principal): string {
  return `${kind}:${value}`;
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 1 && b.length === 1) return a[0] === b[0];
  const left = new Set(a);
  const right = new Set(b);
  return left.size === right.size && [...left].every((item) => right.has(item));
}

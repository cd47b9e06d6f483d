/** Policy documents of AWS IAM, read statement by statement. */
import type { JsonObject, JsonValue } from '../../result.ts';
import type { Value } from './types.ts';
import { isEmpty, isObject, list, member, parseJson, same, text } from './values.ts';

export interface Statement {
  allow: boolean;
  /** Lower-case `service:action` patterns. */
  actions: string[];
  /** `actions` are what is left out (NotAction). */
  not_actions: boolean;
  resources: string[];
  not_resources: boolean;
  principals: Principal[];
  not_principals: boolean;
  /** null when there is none, or an empty one. */
  condition: JsonObject | null;
}

export interface Principal {
  /** `AWS`, `Service`, `Federated`, `CanonicalUser`; `*` stands under `AWS`. */
  kind: string;
  value: string;
}

/** Longer documents than any provider accepts are not parsed. */
const DOCUMENT_CHARS_MAX = 200_000;

/**
 * The statements of a policy document.
 *
 * @param document JSON text, or the parsed object
 * @returns undefined when the value is no policy document
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

/** The operators of a condition with their keys in lower case: `[operator, key, values]`. */
export function conditionEntries(condition: JsonObject | null): [operator: string, key: string, values: string[]][] {
  if (!condition) return [];
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

/** True when two statements say the same, whatever the order of their lists; the name (Sid) does not count. */
export function sameStatement(a: Statement, b: Statement): boolean {
  return a.allow === b.allow && sameScope(a, b) && same(canonicalCondition(a), canonicalCondition(b));
}

/** True when two statements speak of the same actions, resources and principals. */
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
    .map(([operator, key, values]) => [operator, key, ...values.sort()].join('\n'))
    .sort();
}

export function principalText({ kind, value }: Principal): string {
  return `${kind}:${value}`;
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const left = new Set(a);
  const right = new Set(b);
  return left.size === right.size && [...left].every((item) => right.has(item));
}

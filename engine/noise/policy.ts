import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject, JsonValue } from '../result.ts';

const ACCOUNT_ID = /^\d{12}$/;
/** Members whose value is a set, written as one text or as a list of texts. */
const SETS = new Set(['Action', 'NotAction', 'Resource', 'NotResource']);

/**
 * An AWS access policy in the form in which two policies of one meaning are equal: statements and the lists of actions,
 * resources, principals and condition values without order, one text as a list of one, action names in lower case, an
 * account id as the ARN of its root. `Sid` and `Version` are kept. A value that is no policy comes back as it is.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function normalisePolicy(document: JsonValue): JsonValue {
  if (!isObject(document) || document['Statement'] === undefined) return document;
  const statements = asList(document['Statement']).map(normaliseStatement);
  return copyWith(document, (key, value) => (key === 'Statement' ? sorted(statements) : value));
}

function normaliseStatement(statement: JsonValue): JsonValue {
  if (!isObject(statement)) return statement;
  return copyWith(statement, (key, value) => {
    if (SETS.has(key)) return asSet(value, key.endsWith('Action') ? lowerCase : same);
    if (key === 'Principal' || key === 'NotPrincipal') return normalisePrincipal(value);
    return key === 'Condition' ? normaliseCondition(value) : value;
  });
}

function normalisePrincipal(principal: JsonValue): JsonValue {
  if (!isObject(principal)) return principal;
  return copyWith(principal, (key, value) => asSet(value, key === 'AWS' ? rootArn : same));
}

function normaliseCondition(condition: JsonValue): JsonValue {
  if (!isObject(condition)) return condition;
  return copyWith(condition, (_operator, keys) =>
    isObject(keys) ? copyWith(keys, (_key, value) => asSet(value, same)) : keys,
  );
}

function asSet(value: JsonValue, each: (item: JsonValue) => JsonValue): JsonValue {
  return sorted(asList(value).map(each));
}

function sorted(items: JsonValue[]): JsonValue[] {
  const texts = new Map(items.map((item) => [canonicalJson(item), item]));
  return [...texts.keys()].sort().map((text) => texts.get(text) as JsonValue);
}

function asList(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [value];
}

function same(item: JsonValue): JsonValue {
  return item;
}

function lowerCase(item: JsonValue): JsonValue {
  return typeof item === 'string' ? item.toLowerCase() : item;
}

function rootArn(item: JsonValue): JsonValue {
  return typeof item === 'string' && ACCOUNT_ID.test(item) ? `arn:aws:iam::${item}:root` : item;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function copyWith(object: JsonObject, change: (key: string, value: JsonValue) => JsonValue): JsonObject {
  const copy: JsonObject = Object.create(null);
  for (const key of Object.keys(object)) copy[key] = change(key, object[key] as JsonValue);
  return copy;
}

import { asciiLower, isObject, sortedSet } from '../canonical/values.ts';
import type { JsonObject, JsonValue } from '../result.ts';

const ACCOUNT_ID = /^\d{12}$/;
/** Members whose value is a set, written as one text or as a list of texts. */
const SETS = new Set(['Action', 'NotAction', 'Resource', 'NotResource']);
/** Keys like `aws:SourceIp`. What follows a slash or a second colon names a tag or a context, and there case may count. */
const PLAIN_CONDITION_KEY = /^[A-Za-z0-9-]+:[A-Za-z0-9]+$/;

/**
 * An AWS access policy in the form in which two policies of one meaning are equal.
 *
 * Statements and the lists of actions, resources, principals and condition values have no order and hold nothing twice;
 * one text is a list of one; action names and plain condition keys are in lower case; numbers and booleans of a condition
 * are texts; an account id is the ARN of its root; an empty `Id` or `Sid` is none. Everything else is kept: `Sid`,
 * `Version`, `Effect`, an empty `Condition`, the `Not…` members apart from their opposites, and `"*"` apart from
 * `{"AWS": "*"}`, which differ for service principals. A value that is no policy comes back as it is.
 *
 * @param partition of the root ARNs; null where it is not known: then an account id stays one
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function normalisePolicy(document: JsonValue, partition: string | null): JsonValue {
  if (!isObject(document) || document['Statement'] === undefined) return document;
  const statements = asList(document['Statement']).map((statement) => normaliseStatement(statement, partition));
  const copy = copyWith(document, (key, value) => (key === 'Statement' ? sortedSet(statements) : value));
  return withoutEmpty(copy, 'Id');
}

/**
 * The partition of which two policies speak: that of all their ARNs.
 *
 * @returns `aws` when no ARN names another, null when they name several
 */
export function findPartition(before: string, after: string): string | null {
  if (!before.includes('"arn:aws-') && !after.includes('"arn:aws-')) return 'aws';
  const named = new Set<string | undefined>();
  for (const text of [before, after]) for (const match of text.matchAll(/"arn:([a-z-]+):/g)) named.add(match[1]);
  const [partition] = named;
  return named.size === 1 && partition !== undefined ? partition : null;
}

function normaliseStatement(statement: JsonValue, partition: string | null): JsonValue {
  if (!isObject(statement)) return statement;
  const copy = copyWith(statement, (key, value) => {
    if (SETS.has(key)) return asSet(value, key.endsWith('Action') ? lowerCase : same);
    if (key === 'Principal' || key === 'NotPrincipal') return normalisePrincipal(value, partition);
    return key === 'Condition' ? normaliseCondition(value) : value;
  });
  return withoutEmpty(copy, 'Sid');
}

function normalisePrincipal(principal: JsonValue, partition: string | null): JsonValue {
  if (!isObject(principal)) return principal;
  const account = (item: JsonValue) => (partition === null ? item : rootArn(item, partition));
  return copyWith(principal, (key, value) => asSet(value, key === 'AWS' ? account : same));
}

function normaliseCondition(condition: JsonValue): JsonValue {
  if (!isObject(condition)) return condition;
  return copyWith(condition, (_operator, keys) =>
    isObject(keys) ? foldKeys(copyWith(keys, (_key, value) => asSet(value, asText))) : keys,
  );
}

/** Plain keys in lower case, unless two of them would become one. */
function foldKeys(keys: JsonObject): JsonObject {
  const folded: JsonObject = Object.create(null);
  for (const key of Object.keys(keys)) {
    const name = PLAIN_CONDITION_KEY.test(key) ? key.toLowerCase() : key;
    if (name in folded) return keys;
    folded[name] = keys[key] as JsonValue;
  }
  return folded;
}

function asSet(value: JsonValue, each: (item: JsonValue) => JsonValue): JsonValue {
  return sortedSet(asList(value).map(each));
}

function asList(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [value];
}

function same(item: JsonValue): JsonValue {
  return item;
}

function lowerCase(item: JsonValue): JsonValue {
  return typeof item === 'string' ? asciiLower(item) : item;
}

function asText(item: JsonValue): JsonValue {
  return typeof item === 'number' || typeof item === 'boolean' ? String(item) : item;
}

function rootArn(item: JsonValue, partition: string): JsonValue {
  return typeof item === 'string' && ACCOUNT_ID.test(item) ? `arn:${partition}:iam::${item}:root` : item;
}

function withoutEmpty(object: JsonObject, name: string): JsonObject {
  if (object[name] === '') delete object[name];
  return object;
}

function copyWith(object: JsonObject, change: (key: string, value: JsonValue) => JsonValue): JsonObject {
  const copy: JsonObject = Object.create(null);
  for (const key of Object.keys(object)) copy[key] = change(key, object[key] as JsonValue);
  return copy;
}

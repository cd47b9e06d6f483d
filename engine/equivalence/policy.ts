import { coveredForm } from '../canonical/address-ranges.ts';
import { asciiLower, sortedSet } from '../canonical/values.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { mergeStatements } from './policy-statements.ts';

const ACCOUNT_ID = /^\d{12}$/;
/** Members whose value is a set: a string or a list of strings. */
const SETS = new Set(['Action', 'NotAction', 'Resource', 'NotResource']);
/**
 * Keys like `aws:SourceIp`. After a slash or a second colon comes a tag or context name, which may be case-sensitive.
 */
const PLAIN_CONDITION_KEY = /^[A-Za-z0-9-]+:[A-Za-z0-9]+$/;

/**
 * Normalizes an AWS access policy so that equivalent policies are equal.
 *
 * Statements and lists of actions, resources, principals and condition values become sorted sets; a single string
 * becomes a list; action names and plain condition keys become lowercase; numbers and booleans in conditions become
 * strings; operators that compare alike become one; an account id becomes the ARN of its root user; an empty `Id` or
 * `Condition`, and every `Sid`, which only names a statement, are removed. Statements are merged if that changes nothing. Everything else
 * is kept: `Version`, `Effect`, `Not…` members, and the difference between `"*"` and `{"AWS":
 * "*"}`, which matters for service principals. A value that is not a policy is returned unchanged.
 *
 * @param partition of the root ARNs; if null, account ids are kept
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function normalizePolicy(document: JsonValue, partition: string | null): JsonValue {
  if (!isObject(document) || document['Statement'] === undefined) return document;
  const statements = asList(document['Statement']).map((statement) => normalizeStatement(statement, partition));
  const copy = copyWith(document, (key, value) =>
    key === 'Statement' ? sortedSet(mergeStatements(statements)) : value,
  );
  return withoutEmpty(copy, 'Id');
}

/**
 * The common partition of all ARNs in two policies.
 *
 * @returns `aws` if no ARN has another partition, null if there are several
 */
export function findPartition(before: string, after: string): string | null {
  if (!before.includes('"arn:aws-') && !after.includes('"arn:aws-')) return 'aws';
  const named = new Set<string | undefined>();
  for (const text of [before, after]) for (const match of text.matchAll(/"arn:([a-z-]+):/g)) named.add(match[1]);
  const [partition] = named;
  return named.size === 1 && partition !== undefined ? partition : null;
}

function normalizeStatement(statement: JsonValue, partition: string | null): JsonValue {
  if (!isObject(statement)) return statement;
  const copy = copyWith(statement, (key, value) => {
    if (SETS.has(key)) return asSet(value, key.endsWith('Action') ? lowerCase : same);
    if (key === 'Principal' || key === 'NotPrincipal') return normalizePrincipal(value, partition);
    return key === 'Condition' ? normalizeCondition(value) : value;
  });
  delete copy['Sid'];
  if (isObject(copy['Condition']) && Object.keys(copy['Condition']).length === 0) delete copy['Condition'];
  return copy;
}

function normalizePrincipal(principal: JsonValue, partition: string | null): JsonValue {
  if (!isObject(principal)) return principal;
  const account = (item: JsonValue) => (partition === null ? item : rootArn(item, partition));
  return copyWith(principal, (key, value) => asSet(value, key === 'AWS' ? account : same));
}

function normalizeCondition(condition: JsonValue): JsonValue {
  if (!isObject(condition)) return condition;
  const copy = copyWith(condition, (operator, keys) => {
    const each = /IpAddress/.test(operator) ? asBlock : asText;
    return isObject(keys) ? foldKeys(copyWith(keys, (_key, value) => asSet(value, each))) : keys;
  });
  return renameOperators(copy);
}

/** Operators that compare ARNs with and without wildcards are the same; so are those of texts, if no text has one. */
function renameOperators(condition: JsonObject): JsonObject {
  const renamed: JsonObject = Object.create(null);
  for (const [operator, keys] of Object.entries(condition)) {
    const name = hasWildcard(keys)
      ? operator
      : operator.replace(/(^|:)String(Not)?Like(?=$|IfExists$)/, '$1String$2Equals');
    const common = name.replace(/(^|:)Arn(Not)?Equals(?=$|IfExists$)/, '$1Arn$2Like');
    if (common in renamed) return condition;
    renamed[common] = keys;
  }
  return renamed;
}

function hasWildcard(keys: JsonValue): boolean {
  return /[*?]/.test(JSON.stringify(keys));
}

/** Lowercases plain keys, unless two keys would collide. */
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

/** A single address is a block of one. */
function asBlock(item: JsonValue): JsonValue {
  return typeof item === 'string' && !item.includes('/')
    ? coveredForm([item]) === null
      ? item
      : `${item}/${item.includes(':') ? 128 : 32}`
    : item;
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

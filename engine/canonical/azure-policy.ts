import { canonicalJson } from '../lib/canonical-json.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { asciiLower, sortedSet } from './values.ts';

/** Operands that are all evaluated, in no order. */
const OPERANDS: ReadonlySet<string> = new Set(['allOf', 'anyOf']);
/** Operators and members that Azure Policy reads without case. The others, such as `match`, keep theirs. */
const CASELESS: ReadonlySet<string> = new Set(['equals', 'notEquals', 'like', 'notLike', 'field', 'effect']);
const CASELESS_LISTS: ReadonlySet<string> = new Set(['in', 'notIn']);

/**
 * Normalizes the rule of an Azure policy: the order of the operands of a condition, and the letter case of compared
 * values, fields and effects, do not matter.
 *
 * @see https://learn.microsoft.com/azure/governance/policy/concepts/definition-structure-policy-rule
 */
export function normalizeAzurePolicy(rule: JsonValue): JsonValue {
  if (Array.isArray(rule)) return rule.map(normalizeAzurePolicy);
  if (!isObject(rule)) return rule;
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(rule)) copy[key] = normalizeMember(key, value);
  return copy;
}

function normalizeMember(key: string, value: JsonValue): JsonValue {
  // A template, in which such members have another meaning.
  if (key === 'deployment') return value;
  if (CASELESS.has(key)) return lower(value);
  if (!Array.isArray(value)) return normalizeAzurePolicy(value);
  if (CASELESS_LISTS.has(key)) return sortedSet(value.map(lower));
  return OPERANDS.has(key) ? sort(value.map(normalizeAzurePolicy)) : value.map(normalizeAzurePolicy);
}

/** Expressions such as `[parameters('effect')]` contain names, which have no case either, but also quoted texts. */
function lower(value: JsonValue): JsonValue {
  return typeof value === 'string' && !value.startsWith('[') ? asciiLower(value) : value;
}

function sort(items: JsonValue[]): JsonValue[] {
  return items
    .map((item) => [canonicalJson(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([, item]) => item);
}

import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';

/** Decides step by step how a document is formatted. */
export interface Speller {
  /** An integer below `count`. */
  choose(count: number): number;
}

/** Random formatters that are deterministic for a seed. */
export const speller: fc.Arbitrary<Speller> = fc.integer({ min: 1, max: 0x7fffffff }).map((seed) => {
  let state = seed;
  return {
    choose(count) {
      state = (Math.imul(state, 48271) >>> 0) % 0x7fffffff;
      return state % count;
    },
  };
});

const SETS = new Set(['Action', 'NotAction', 'Resource', 'NotResource']);

export function clone<T extends JsonValue>(value: T): T {
  return structuredClone(value);
}

/** A policy in one of its equivalent formats. */
export function respelled(policy: JsonObject, by: Speller): string {
  const statements = (policy['Statement'] as JsonObject[]).map((statement) => respellStatement(statement, by));
  const whole = { ...policy, Statement: respellSet(statements, by, (item) => item) };
  const text = JSON.stringify(shuffledKeys(whole, by), null, by.choose(3));
  return by.choose(2) === 0 ? text : text.replaceAll('*', '\\u002a');
}

function respellStatement(statement: JsonObject, by: Speller): JsonObject {
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(statement)) {
    if (SETS.has(key)) copy[key] = respellSet(value, by, key.endsWith('Action') ? anyCase(by) : (item) => item);
    else if (key.endsWith('Principal') && typeof value === 'object') copy[key] = respellMembers(value, by, account(by));
    else if (key === 'Condition') copy[key] = respellCondition(value as JsonObject, by);
    else copy[key] = value;
  }
  return shuffledKeys(copy, by);
}

function respellCondition(condition: JsonObject, by: Speller): JsonObject {
  const operators = Object.entries(condition).map(([name, keys]) => [name, respellMembers(keys, by, scalar(by))]);
  return shuffledKeys(Object.fromEntries(operators), by);
}

function respellMembers(value: JsonValue, by: Speller, each: (item: JsonValue) => JsonValue): JsonObject {
  const members = Object.entries(value as JsonObject).map(([name, items]) => [name, respellSet(items, by, each)]);
  return shuffledKeys(Object.fromEntries(members), by);
}

function respellSet(value: JsonValue, by: Speller, each: (item: JsonValue) => JsonValue): JsonValue {
  const items = shuffled(Array.isArray(value) ? value : [value], by);
  if (items.length === 1 && by.choose(2) === 0) return each(items[0] as JsonValue);
  const twice = items.length > 0 && by.choose(4) === 0 ? [...items, items[0] as JsonValue] : items;
  return twice.map(each);
}

function anyCase(by: Speller): (item: JsonValue) => JsonValue {
  return (item) => [String(item), String(item).toLowerCase(), String(item).toUpperCase()][by.choose(3)] as string;
}

function account(by: Speller): (item: JsonValue) => JsonValue {
  return (item) => (/^\d{12}$/.test(String(item)) && by.choose(2) === 0 ? `arn:aws:iam::${item}:root` : item);
}

function scalar(by: Speller): (item: JsonValue) => JsonValue {
  return (item) => {
    if (by.choose(2) === 0) return item;
    if (typeof item === 'number') return String(item);
    return item === 'false' ? false : item;
  };
}

function shuffledKeys(object: JsonObject, by: Speller): JsonObject {
  return Object.fromEntries(shuffled(Object.entries(object), by));
}

function shuffled<T>(items: readonly T[], by: Speller): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = by.choose(i + 1);
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}

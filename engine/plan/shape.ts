import { isObject } from '../lib/is-object.ts';
/**
 * Checks the required members of a plan entry. `normalizeChange` treats other members that are missing, null or invalid
 * as absent; for example, Terraform 0.15.4 omits the address in `resource_drift`.
 */
import type { JsonObject, JsonValue } from '../model/result.ts';
import { PlanError, SEND_UNMODIFIED } from './errors.ts';
import type { RawChange, RawCheck, RawInvocation, RawRelevantAttribute, RawResourceChange } from './types.ts';

export function asResourceChange(value: JsonValue, where: string): RawResourceChange {
  const entry = asObject(value, where);
  if (typeof entry['type'] !== 'string') throw invalidMember(`${where}.type`, 'a string');
  if (typeof entry['name'] !== 'string') throw invalidMember(`${where}.name`, 'a string');
  assertOptionalText(entry, 'address', where);
  asChange(entry['change'] ?? null, `${where}.change`);
  return entry as unknown as RawResourceChange;
}

export function asChange(value: JsonValue, where: string): RawChange {
  const change = asObject(value, where);
  const { actions } = change;
  if (!Array.isArray(actions) || actions.length === 0 || !actions.every((action) => typeof action === 'string')) {
    throw invalidMember(`${where}.actions`, 'a list of strings');
  }
  return change as unknown as RawChange;
}

export function asCheck(value: JsonValue, where: string): RawCheck {
  const check = asObject(value, where);
  assertOptionalText(check, 'status', where);
  return check as unknown as RawCheck;
}

/** @returns null for an entry without an address and a type, which cannot be named or judged */
export function asInvocation(value: JsonValue, where: string): RawInvocation | null {
  const entry = asObject(value, where);
  const is_named = typeof member(entry, 'address') === 'string' && typeof member(entry, 'type') === 'string';
  return is_named ? (entry as unknown as RawInvocation) : null;
}

export function asRelevantAttribute(value: JsonValue, where: string): RawRelevantAttribute {
  const entry = asObject(value, where);
  if (typeof member(entry, 'resource') !== 'string') throw invalidMember(`${where}.resource`, 'a string');
  if (!isPath(member(entry, 'attribute') ?? null)) throw invalidMember(`${where}.attribute`, 'a path');
  return entry as unknown as RawRelevantAttribute;
}

function asObject(value: JsonValue, where: string): JsonObject {
  if (isObject(value)) return value;
  throw invalidMember(where, 'an object');
}

function member(entry: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(entry, name) ? (entry[name] ?? undefined) : undefined;
}

function assertOptionalText(entry: JsonObject, name: string, where: string): void {
  const value = member(entry, name);
  if (value !== undefined && typeof value !== 'string') throw invalidMember(`${where}.${name}`, 'a string');
}

function isPath(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((step) => typeof step === 'string' || typeof step === 'number');
}

function invalidMember(where: string, expected: string): PlanError {
  return new PlanError(`The plan is not valid: ${where} is not ${expected}. ${SEND_UNMODIFIED}`);
}

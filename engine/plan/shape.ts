/**
 * Checks that an entry of a plan has the form which the types promise, so that no rule meets a surprise. Members that
 * nobody reads are left alone; null counts as absent, because Go writes it so.
 */
import type { JsonObject, JsonValue } from '../result.ts';
import { PlanError } from './errors.ts';
import type { RawChange, RawCheck, RawRelevantAttribute, RawResourceChange } from './types.ts';

const TEXTS = ['type', 'name'];
const OPTIONAL_TEXTS = [
  'address',
  'previous_address',
  'module_address',
  'mode',
  'deposed',
  'provider_name',
  'action_reason',
];

export function asResourceChange(value: JsonValue, where: string): RawResourceChange {
  const entry = asObject(value, where);
  for (const name of TEXTS) {
    if (typeof member(entry, name) !== 'string') throw wrong(`${where}.${name}`, 'a string');
  }
  for (const name of OPTIONAL_TEXTS) assertOptionalText(entry, name, where);
  const index = member(entry, 'index');
  if (index !== undefined && typeof index !== 'string' && typeof index !== 'number') {
    throw wrong(`${where}.index`, 'a string or a number');
  }
  asChange(member(entry, 'change') ?? null, `${where}.change`);
  const change = entry as unknown as RawResourceChange;
  if (member(entry, 'address') === undefined) change.address = addressOf(change);
  return change;
}

/** Terraform 0.15.4 left the address out of `resource_drift`. */
function addressOf({ module_address, mode, type, name, index }: RawResourceChange): string {
  const prefix = (module_address ? `${module_address}.` : '') + (mode === 'data' ? 'data.' : '');
  return `${prefix}${type}.${name}${(index ?? null) === null ? '' : `[${JSON.stringify(index)}]`}`;
}

export function asChange(value: JsonValue, where: string): RawChange {
  const change = asObject(value, where);
  const actions = member(change, 'actions');
  if (!Array.isArray(actions) || actions.length === 0 || !actions.every((action) => typeof action === 'string')) {
    throw wrong(`${where}.actions`, 'a list of strings');
  }
  const paths = member(change, 'replace_paths');
  if (paths !== undefined && !(Array.isArray(paths) && paths.every(isPath))) {
    throw wrong(`${where}.replace_paths`, 'a list of paths');
  }
  const importing = member(change, 'importing');
  if (importing !== undefined)
    assertOptionalText(asObject(importing, `${where}.importing`), 'id', `${where}.importing`);
  return change as unknown as RawChange;
}

export function asCheck(value: JsonValue, where: string): RawCheck {
  const check = asObject(value, where);
  assertOptionalText(check, 'status', where);
  return check as unknown as RawCheck;
}

export function asRelevantAttribute(value: JsonValue, where: string): RawRelevantAttribute {
  const entry = asObject(value, where);
  if (typeof member(entry, 'resource') !== 'string') throw wrong(`${where}.resource`, 'a string');
  if (!isPath(member(entry, 'attribute') ?? null)) throw wrong(`${where}.attribute`, 'a path');
  return entry as unknown as RawRelevantAttribute;
}

function asObject(value: JsonValue, where: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrong(where, 'an object');
}

function member(entry: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(entry, name) ? (entry[name] ?? undefined) : undefined;
}

function assertOptionalText(entry: JsonObject, name: string, where: string): void {
  const value = member(entry, name);
  if (value !== undefined && typeof value !== 'string') throw wrong(`${where}.${name}`, 'a string');
}

function isPath(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((step) => typeof step === 'string' || typeof step === 'number');
}

function wrong(where: string, wanted: string): PlanError {
  return new PlanError(`The plan is not as Terraform writes it: ${where} is not ${wanted}.`);
}

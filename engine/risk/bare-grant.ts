import type { ResourceChange } from '../changes/types.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import type { Traits } from './traits.ts';

/** Longer policies than clouds accept are not parsed. */
const MAX_POLICY_CHARS = 100_000;
const AWS_SERVICE = /^[a-z0-9.-]{1,100}\.amazonaws\.com(?:\.cn)?$/;

/**
 * Returns true for a new identity or policy that gives access to no person and no account: an identity without
 * permissions, or a policy whose principals are all cloud services.
 */
export function grantsToServicesOnly({ type, after, unknown }: ResourceChange, traits: Traits): boolean {
  if (after === null || unknown === true) return false;
  if (traits.bare_identity) return true;
  if (type === 'aws_lambda_permission') return isService(member(after, 'principal'));
  if (type === 'aws_iam_role') return isBareRole(after);
  return trustsServicesOnly(member(after, 'policy') ?? member(after, 'policy_document'));
}

function isBareRole(role: JsonObject): boolean {
  if (isFilled(member(role, 'managed_policy_arns')) || isFilled(member(role, 'inline_policy'))) return false;
  return trustsServicesOnly(member(role, 'assume_role_policy'));
}

function trustsServicesOnly(text: JsonValue | undefined): boolean {
  const policy = parsePolicy(text);
  if (policy === null) return false;
  const statements = toList(member(policy, 'Statement'));
  return statements.length > 0 && statements.every(allowsServicesOnly);
}

function allowsServicesOnly(statement: JsonValue): boolean {
  if (!isObject(statement)) return false;
  if (member(statement, 'Effect') === 'Deny') return true;
  const principal = member(statement, 'Principal');
  if (!isObject(principal) || Object.keys(principal).join() !== 'Service') return false;
  const services = toList(member(principal, 'Service'));
  return services.length > 0 && services.every(isService);
}

function isService(principal: JsonValue | undefined): boolean {
  return typeof principal === 'string' && AWS_SERVICE.test(principal);
}

function parsePolicy(text: JsonValue | undefined): JsonObject | null {
  if (typeof text !== 'string' || text.length > MAX_POLICY_CHARS) return null;
  try {
    const policy: unknown = JSON.parse(text);
    return isObject(policy as JsonValue) ? (policy as JsonObject) : null;
  } catch {
    return null;
  }
}

function toList(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function isFilled(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}

function member(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

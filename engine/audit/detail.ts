import { canonicalJson } from '../lib/canonical-json.ts';
import type { JsonValue } from '../model/result.ts';

const MAX_DEPTH = 20;

/**
 * The detail of an audit event contains a value without a stable text form. The message names the path, not the value.
 */
export class AuditDetailError extends Error {
  override readonly name = 'AuditDetailError';
}

/**
 * Canonical text of an event's detail, stored and hashed as is: sorted keys, no whitespace (RFC 8785).
 *
 * @param detail a plain object of strings, booleans, null, safe integers, and arrays and plain objects of those,
 *   at most 20 levels deep
 * @throws AuditDetailError for anything else: floats, unsafe integers, -0, NUL characters, lone surrogates, undefined,
 *   functions, class instances. A database or another language could change such values, and an intact row would appear
 *   to be modified.
 */
export function auditDetailText(detail: unknown): string {
  if (!isPlainObject(detail)) throw new AuditDetailError('detail must be a plain object');
  checkObject(detail, 'detail', 1);
  return canonicalJson(detail as JsonValue);
}

function check(value: unknown, path: string, depth: number): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') checkString(value, path);
  else if (typeof value === 'number') checkNumber(value, path);
  else if (Array.isArray(value)) checkArray(value, path, depth);
  else if (isPlainObject(value)) checkObject(value, path, depth);
  else throw new AuditDetailError(`${path} is ${describeKind(value)}; an audit detail must be plain JSON`);
}

function describeKind(value: unknown): string {
  return typeof value === 'object' ? 'an instance of a class' : typeof value;
}

function checkString(text: string, path: string): void {
  if (text.includes('\0')) throw new AuditDetailError(`${path} contains a NUL character`);
  if (!text.isWellFormed()) throw new AuditDetailError(`${path} contains a lone surrogate`);
}

function checkNumber(number: number, path: string): void {
  if (Number.isSafeInteger(number) && !Object.is(number, -0)) return;
  throw new AuditDetailError(`${path} is not an integer within ±(2^53 - 1); write other numbers as strings`);
}

function checkArray(items: unknown[], path: string, depth: number): void {
  checkDepth(path, depth);
  // A hole in a sparse array is undefined and therefore rejected.
  for (const [index, item] of items.entries()) check(item, `${path}[${index}]`, depth + 1);
}

function checkObject(object: Record<string, unknown>, path: string, depth: number): void {
  checkDepth(path, depth);
  for (const key of Object.keys(object)) {
    checkString(key, `a key of ${path}`);
    check(object[key], `${path}.${key}`, depth + 1);
  }
}

function checkDepth(path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw new AuditDetailError(`${path} is nested more than ${MAX_DEPTH} levels deep`);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  // Compares the prototype's shape, so that objects from another realm are accepted.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

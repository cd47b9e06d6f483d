import { canonicalJson } from '../canonical-json.ts';
import type { JsonValue } from '../result.ts';

const MAX_DEPTH = 20;

/** The detail of an audit event holds what has no single, lasting text. The message names the place, not the value. */
export class AuditDetailError extends Error {
  override readonly name = 'AuditDetailError';
}

/**
 * The one text of an event's detail, to be stored and hashed as it is: keys sorted, no blanks (RFC 8785).
 *
 * @param detail a plain object of strings, booleans, null, safe integers, and arrays and plain objects of those,
 *   at most 20 deep
 * @throws AuditDetailError for anything else: floats, unsafe integers, -0, NUL characters, lone surrogates, undefined,
 *   functions, instances of classes. A database or a reader in another language could give those back changed, and an
 *   intact row would look tampered with.
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
  else throw new AuditDetailError(`${path} is ${describeKind(value)}; an audit detail holds plain JSON only`);
}

function describeKind(value: unknown): string {
  return typeof value === 'object' ? 'an instance of a class' : typeof value;
}

function checkString(text: string, path: string): void {
  if (text.includes('\0')) throw new AuditDetailError(`${path} holds a NUL character`);
  if (!text.isWellFormed()) throw new AuditDetailError(`${path} holds half of a surrogate pair`);
}

function checkNumber(number: number, path: string): void {
  if (Number.isSafeInteger(number) && !Object.is(number, -0)) return;
  throw new AuditDetailError(`${path} is no integer within ±(2^53 - 1); write other numbers as strings`);
}

function checkArray(items: unknown[], path: string, depth: number): void {
  checkDepth(path, depth);
  // A hole of a sparse array reads as undefined here, and is refused as such.
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
  if (depth > MAX_DEPTH) throw new AuditDetailError(`${path} is nested more than ${MAX_DEPTH} deep`);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  // By its shape, not its identity: an object of another realm is as plain.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

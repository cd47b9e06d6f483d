import type { JsonObject, JsonValue } from '../model/result.ts';
import { isSecretArgument } from './arguments.ts';
import { classifyLabel, fitsLabel, type LabelKind } from './labels.ts';
import { isPlainSecret } from './plain-secret.ts';

/** Called with each secret as it stands in the text. */
export type Found = (secret: string) => void;

export interface DocumentSearch {
  mask: string;
  onFound: Found;
  classify(name: string): LabelKind | undefined;
  /** Masks the secrets inside a string of the document. */
  maskText(text: string): string;
}

const MAX_JSON_LENGTH = 1_048_576;
const MAX_DEPTH = 100;
/** A condition of an IAM policy, such as `secretsmanager:ResourceTag/team` or `token.actions.example.com:sub`. */
const CONDITION_KEY = /^[a-z0-9.-]+:[A-Za-z]/;
const NAME_KEYS = ['name', 'Name', 'key', 'Key', 'ParameterKey'];
const VALUE_KEYS: ReadonlySet<string | number | undefined> = new Set(['value', 'Value', 'ParameterValue']);

/**
 * Masks the secrets of a JSON text.
 *
 * @returns the same text if it contains none; undefined if the text is not a JSON object or list, or too long
 */
export function maskDocument(text: string, search: DocumentSearch): string | undefined {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > MAX_JSON_LENGTH) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  const masked = maskValue(value, search);
  if (masked === value) return text;
  return typeof masked === 'string' ? masked : JSON.stringify(masked, null, text.includes('\n') ? 2 : 0);
}

/** Masks the secrets below a JSON value; returns the same value if it contains none. */
export function maskValue(value: JsonValue, search: DocumentSearch, depth = 0): JsonValue {
  if (typeof value === 'string') return search.maskText(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) return search.mask;
  return Array.isArray(value) ? maskList(value, search, depth) : maskObject(value, search, depth);
}

function maskList(list: JsonValue[], search: DocumentSearch, depth: number): JsonValue[] {
  let masked: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    const shown = isSecretArgument(list, i) ? report(item, search) : maskValue(item, search, depth + 1);
    if (shown === item) continue;
    masked ??= list.slice();
    masked[i] = shown;
  }
  return masked ?? list;
}

function maskObject(object: JsonObject, search: DocumentSearch, depth: number): JsonObject {
  let masked: Map<string, JsonValue> | undefined;
  for (const key of Object.keys(object)) {
    const member = object[key] as JsonValue;
    const secret = isSecretMember(key, member, search) || (isValueKey(key) && isSecretEntry(object));
    const shown = secret ? report(member, search) : maskValue(member, search, depth + 1);
    if (shown === member) continue;
    masked ??= new Map(Object.entries(object));
    masked.set(key, shown);
  }
  return masked === undefined ? object : Object.fromEntries(masked);
}

function report(value: JsonValue, { mask, onFound }: DocumentSearch): JsonValue {
  if (value === mask) return value;
  onFound(String(value));
  return mask;
}

function isSecretMember(key: string, member: JsonValue, { classify }: DocumentSearch): boolean {
  if (typeof member !== 'string') return false;
  const kind = classify(key);
  return kind !== undefined && !CONDITION_KEY.test(key) && isPlainSecret(member) && fitsLabel(kind, member);
}

/**
 * `{"name": "DB_PASSWORD", "value": "…"}`, as in container definitions, charts and app settings; also with `key`,
 * `Name`, `Key` or `Value`, and with the names of CloudFormation.
 *
 * @param object of any shape
 */
export function isSecretEntry(object: JsonObject): boolean {
  const name = findText(object, NAME_KEYS);
  const kind = name === undefined ? undefined : classifyLabel(name);
  if (kind === undefined) return false;
  const value = findText(object, VALUE_KEYS);
  return value !== undefined && isPlainSecret(value) && (kind !== 'hint' || fitsLabel(kind, value));
}

export function isValueKey(key: string | number | undefined): boolean {
  return VALUE_KEYS.has(key);
}

function findText(object: JsonObject, keys: Iterable<string | number | undefined>): string | undefined {
  for (const key of keys) {
    if (typeof key !== 'string' || !Object.hasOwn(object, key)) continue;
    const value = object[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

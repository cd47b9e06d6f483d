import type { JsonValue } from '../model/result.ts';
import { holdsSecret, isSecretName, mentionsSecret } from './secrets.ts';

const MAX_JSON_LENGTH = 1_048_576;
const MAX_DEPTH = 100;
const MIN_BASE64_LENGTH = 16;
const BASE64 = /^[A-Za-z0-9+/_\r\n-]+={0,2}\s?$/;
/** A condition of an IAM policy, such as `secretsmanager:ResourceTag/team` or `token.actions.example.com:sub`. */
const CONDITION_KEY = /^[a-z0-9.-]+:[A-Za-z]/;

/**
 * Assignment of a secret in text: `DB_PASSWORD=…`, `"token": "…"`, and `password: …` in multi-line text. The value must
 * have at least six characters and must not be a reference, variable or command.
 */
const ASSIGNED = /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]+)(["']?\s{0,4}(?:=\s{0,4}["']?|:(?:\s{1,4}["']?|["'])))/g;
const VALUE = /[^\s"'`,;]{6,}/y;
const REFERENCE =
  /^(?:arn:|https?:\/\/|projects\/|\.{0,2}\/|[~$<({[*%!&|@]|(?:true|false|null|none|optional|required|enabled|disabled|header)$)/i;

/**
 * Whether a text contains a secret inside a JSON document (container definitions, app settings), a script, an env file
 * or YAML. Includes everything that `holdsSecret` finds.
 */
export function concealsSecret(text: string): boolean {
  if (holdsSecret(text)) return true;
  return mentionsSecret(text) && (findInJson(text) ?? isLabeled(text));
}

/** The decoded text if the whole string is base64 of valid UTF-8, else undefined. */
export function decodeBase64(text: string): string | undefined {
  if (text.length < MIN_BASE64_LENGTH || !BASE64.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return decoded.includes('\ufffd') ? undefined : decoded;
}

/** @returns undefined if the text is not JSON or too long */
function findInJson(text: string): boolean | undefined {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > MAX_JSON_LENGTH) return undefined;
  try {
    return holdsNamedSecret(JSON.parse(text), 0);
  } catch {
    return undefined;
  }
}

function holdsNamedSecret(value: JsonValue, depth: number): boolean {
  if (typeof value === 'string') return depth > 0 && nestsSecret(value);
  if (value === null || typeof value !== 'object') return false;
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(value)) return value.some((item) => holdsNamedSecret(item, depth + 1));
  if (isSecretEntry(value)) return true;
  return Object.keys(value).some((key) => {
    const member = value[key] as JsonValue;
    const named = isSecretName([key]) && !CONDITION_KEY.test(key);
    return (named && isPlainSecret(member)) || holdsNamedSecret(member, depth + 1);
  });
}

/** JSON inside JSON, or an env line inside a list. */
function nestsSecret(text: string): boolean {
  return mentionsSecret(text) && isLabeled(text);
}

/**
 * `{"name": "DB_PASSWORD", "value": "…"}`, as in container definitions, charts and app settings; also with `key`,
 * `Name`, `Key` or `Value`.
 *
 * @param object of any shape
 */
export function isSecretEntry(object: { [key: string]: JsonValue }): boolean {
  const name = textAt(object, 'name') ?? textAt(object, 'Name') ?? textAt(object, 'key') ?? textAt(object, 'Key');
  if (name === undefined || !isSecretName([name])) return false;
  const value = textAt(object, 'value') ?? textAt(object, 'Value');
  return value !== undefined && isPlainSecret(value);
}

function textAt(object: { [key: string]: JsonValue }, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function isPlainSecret(value: JsonValue): boolean {
  return typeof value === 'string' && value !== '' && !REFERENCE.test(value);
}

/** Whether a text assigns a value to a secret name. */
export function isLabeled(text: string): boolean {
  const several = text.includes('\n');
  for (const { 0: whole, 1: label, 2: separator, index } of text.matchAll(ASSIGNED)) {
    const assigns = several || /["'=]/.test(separator as string);
    if (!assigns || !isSecretName([label as string])) continue;
    VALUE.lastIndex = index + whole.length;
    const [value] = VALUE.exec(text) ?? [];
    if (value !== undefined && isPlainSecret(value)) return true;
  }
  return false;
}

import type { JsonValue } from '../result.ts';
import { holdsSecret, isSecretName, mentionsSecret } from './secrets.ts';

const MAX_JSON_LENGTH = 1_048_576;
const MAX_DEPTH = 100;
const MIN_BASE64_LENGTH = 16;
const BASE64 = /^[A-Za-z0-9+/_\r\n-]+={0,2}\s?$/;
/** A condition of an IAM policy, such as `secretsmanager:ResourceTag/team` or `token.actions.example.com:sub`. */
const CONDITION_KEY = /^[a-z0-9.-]+:[A-Za-z]/;

/**
 * Names a password in running text: `DB_PASSWORD=…`, `"token": "…"`, and `password: …` where the text has several lines.
 * The value must look like one: six characters and no reference, variable or command.
 */
const ASSIGNED = /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]+)(["']?\s{0,4}(?:=\s{0,4}["']?|:(?:\s{1,4}["']?|["'])))/g;
const VALUE = /[^\s"'`,;]{6,}/y;
const REFERENCE =
  /^(?:arn:|https?:\/\/|projects\/|\.{0,2}\/|[~$<({[*%!&|@]|(?:true|false|null|none|optional|required|enabled|disabled|header)$)/i;

/**
 * Whether a text hides a secret in a form of its own: a JSON document (container definitions, app settings), a script,
 * an env file or YAML, or base64 of any of these. Includes what `holdsSecret` finds in the plain text.
 */
export function concealsSecret(text: string): boolean {
  if (holdsSecret(text)) return true;
  return mentionsSecret(text) && (findInJson(text) ?? isLabelled(text));
}

/** The text behind base64 if the whole string is that and decodes to text, else undefined. */
export function decodeBase64(text: string): string | undefined {
  if (text.length < MIN_BASE64_LENGTH || !BASE64.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return decoded.includes('\ufffd') ? undefined : decoded;
}

/** @returns undefined when the text is not JSON of a size worth parsing */
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

/** JSON within JSON, an env line within a list. */
function nestsSecret(text: string): boolean {
  return mentionsSecret(text) && isLabelled(text);
}

/**
 * `{"name": "DB_PASSWORD", "value": "…"}`, as containers, charts and app settings write their variables; the name may
 * stand under `key` too, and either word with a capital.
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

/** A value may hold another label, so it is only looked at where its own label says that it is a secret. */
export function isLabelled(text: string): boolean {
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

import type { JsonValue } from '../model/result.ts';
import { canonicalJson } from './canonical-json.ts';

const MAX_TEXT_LENGTH = 262_144;
const MAX_DEPTH = 200;

/** Whether only the form in which JavaScript writes a number is proven, or any of up to 15 digits. */
type NumberForms = 'one' | 'any';

/** Quick test whether a text could be a JSON object or array. */
export function looksLikeJson(text: string): boolean {
  const first = text.trimStart()[0];
  return first === '{' || first === '[';
}

/**
 * Whether two JSON documents are equal apart from key order and whitespace; list order is significant.
 *
 * Returns false if equality cannot be proven: invalid JSON, duplicate keys, numbers that JavaScript formats differently
 * (`1.0`, `1e3`, more than 15 digits), nesting over 200, more than 262,144 characters.
 *
 * @param normalize converts a parsed document to the form to compare
 * @param numbers `any` for readers that compare numbers by value: `4` and `4.0` are the same
 */
export function sameJson(
  before: string,
  after: string,
  normalize = (value: JsonValue) => value,
  numbers: NumberForms = 'one',
): boolean {
  if (before.length > MAX_TEXT_LENGTH || after.length > MAX_TEXT_LENGTH) return false;
  try {
    const left: JsonValue = JSON.parse(before);
    const right: JsonValue = JSON.parse(after);
    // Most documents differ, and comparing them is cheaper than proving that parsing was lossless.
    if (canonicalJson(normalize(left)) !== canonicalJson(normalize(right))) return false;
    return isProvable(before, left, numbers) && isProvable(after, right, numbers);
  } catch {
    return false;
  }
}

/** Whether parsing kept everything: no duplicate keys, and no numbers that JavaScript formats differently. */
export function isProvable(text: string, value: JsonValue, numbers: NumberForms = 'one'): boolean {
  const keys = countKeys(text, numbers);
  return keys !== undefined && keys === keysIn(value);
}

/** A quoted text, a mark or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\]:]|-?\d[\d.eE+-]*/g;

/** Number of keys in a JSON text, or undefined if parsing was lossy: unusual numbers or excessive depth. */
function countKeys(text: string, numbers: NumberForms): number | undefined {
  let keys = 0;
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    const first = token[0] as string;
    if (first === '"') continue;
    if (first === ':') keys += 1;
    else if (first === '{' || first === '[') depth += 1;
    else if (first === '}' || first === ']') depth -= 1;
    else if (token.length > 16 || (numbers === 'one' && String(Number(token)) !== token)) return undefined;
    if (depth > MAX_DEPTH) return undefined;
  }
  return keys;
}

/** The numbers of a JSON text as they are written, sorted. */
export function listNumbers(text: string): string[] {
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token);
  return tokens.filter((token) => /^[-\d]/.test(token)).sort();
}

function keysIn(value: JsonValue): number {
  if (value === null || typeof value !== 'object') return 0;
  const members = Object.values(value);
  let keys = Array.isArray(value) ? 0 : members.length;
  for (const member of members) keys += keysIn(member);
  return keys;
}

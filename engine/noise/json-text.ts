import { canonicalJson } from '../canonical-json.ts';
import type { JsonValue } from '../result.ts';

const MAX_TEXT_LENGTH = 262_144;
const MAX_DEPTH = 200;

/** Whether a text could be a JSON object or array: cheap enough to ask of every string. */
export function looksLikeJson(text: string): boolean {
  const first = text.trimStart()[0];
  return first === '{' || first === '[';
}

/**
 * Whether two JSON documents say the same: equal after their keys are sorted and blanks dropped; list order counts.
 *
 * Anything short of proof is "no": a text that does not parse, a key given twice, a number that JavaScript would not
 * write the same way (`1.0`, `1e3`, more than 15 digits), nesting over 200, more than 262,144 characters.
 *
 * @param normalise turns a parsed document into the form that is compared
 */
export function sameJson(before: string, after: string, normalise = (value: JsonValue) => value): boolean {
  if (before.length > MAX_TEXT_LENGTH || after.length > MAX_TEXT_LENGTH) return false;
  try {
    const left: JsonValue = JSON.parse(before);
    const right: JsonValue = JSON.parse(after);
    // Most documents differ, and to see that is cheaper than to prove that nothing was lost in reading them.
    if (canonicalJson(normalise(left)) !== canonicalJson(normalise(right))) return false;
    return isProvable(before, left) && isProvable(after, right);
  } catch {
    return false;
  }
}

function isProvable(text: string, value: JsonValue): boolean {
  const keys = countKeys(text);
  return keys !== undefined && keys === keysIn(value);
}

/** Keys written in a valid JSON text, or undefined where its value has lost something: odd numbers, hostile depth. */
function countKeys(text: string): number | undefined {
  let keys = 0;
  let depth = 0;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\]:]|-?\d[\d.eE+-]*/g)) {
    const first = token[0] as string;
    if (first === '"') continue;
    if (first === ':') keys += 1;
    else if (first === '{' || first === '[') depth += 1;
    else if (first === '}' || first === ']') depth -= 1;
    else if (token.length > 16 || String(Number(token)) !== token) return undefined;
    if (depth > MAX_DEPTH) return undefined;
  }
  return keys;
}

function keysIn(value: JsonValue): number {
  if (value === null || typeof value !== 'object') return 0;
  const members = Object.values(value);
  let keys = Array.isArray(value) ? 0 : members.length;
  for (const member of members) keys += keysIn(member);
  return keys;
}

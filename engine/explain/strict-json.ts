import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { scrubText } from '../redact/scrub-text.ts';
import type { Unusable } from './types.ts';

const MAX_LENGTH = 65_536;
const MAX_DEPTH = 8;
const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/;
const SURROGATE_OR_NUL = /[\p{Cs}\0]/u;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);
/** An unterminated string extends to the end of the text, as in `JSON.parse`. */
const TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[{}[\],]/g;

/**
 * Parses the single JSON object of an answer, optionally in a code fence. Rejects other text, duplicate keys, prototype
 * keys, nesting over 8, NUL characters, lone surrogates, and more than 65,536 characters. Masks known secret formats,
 * because a multi-line key could no longer be recognized after splitting into sentences.
 */
export function parseAnswer(text: string): { object: JsonObject } | Unusable {
  if (text.length > MAX_LENGTH) return { unusable: `the answer is longer than ${MAX_LENGTH} characters` };
  const trimmed = text.trim();
  const json = FENCED.exec(trimmed)?.[1] ?? trimmed;
  if (json === '') return { unusable: 'the answer is empty' };
  const fault = findNestingFault(json);
  if (fault !== null) return { unusable: fault };
  let value: JsonValue;
  try {
    value = JSON.parse(json) as JsonValue;
  } catch {
    return { unusable: 'the answer is not JSON' };
  }
  if (!isObject(value)) return { unusable: 'the answer is not a single JSON object' };
  if (hasRepeatedKey(json)) return { unusable: 'the answer has a duplicate key or a key that is not allowed' };
  if (hasInvalidText(value)) return { unusable: 'the answer contains a NUL character or a lone surrogate' };
  return { object: scrubTexts(value) as JsonObject };
}

/** Checks nesting before parsing, to protect the stack. */
function findNestingFault(json: string): string | null {
  let depth = 0;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > MAX_DEPTH) return `the answer is nested deeper than ${MAX_DEPTH} levels`;
  }
  return null;
}

/** Detects duplicate keys, which `JSON.parse` accepts silently. Requires valid JSON. */
function hasRepeatedKey(json: string): boolean {
  const open: (Set<string> | null)[] = [];
  let atKey = false;
  for (const [token] of json.matchAll(TOKEN)) {
    const keys = open.at(-1) ?? null;
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null);
      atKey = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      atKey = false;
    } else if (token === ',') {
      atKey = keys !== null;
    } else if (atKey && keys !== null) {
      const key = JSON.parse(token) as string;
      if (keys.has(key) || FORBIDDEN_KEYS.has(key)) return true;
      keys.add(key);
      atKey = false;
    }
  }
  return false;
}

function hasInvalidText(value: JsonValue): boolean {
  if (typeof value === 'string') return SURROGATE_OR_NUL.test(value);
  if (value === null || typeof value !== 'object') return false;
  return Object.values(value).some(hasInvalidText);
}

function scrubTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return scrubText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(scrubTexts);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, scrubTexts(inner)]));
}

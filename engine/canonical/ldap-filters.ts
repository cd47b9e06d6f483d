/** Reads search filters of LDAP (RFC 4515), such as `(&(objectClass=user)(!(disabled=TRUE)))`. */
import type { BooleanCondition } from './boolean-conditions.ts';

const CHARS_MAX = 10_000;
const DEPTH_MAX = 20;

/** @returns null if the text is no filter */
export function readLdapFilter(text: string): BooleanCondition | null {
  if (text.length > CHARS_MAX || !text.trimStart().startsWith('(')) return null;
  const reader = { text: text.trim(), at: 0 };
  const condition = readFilter(reader, 0);
  return reader.at === reader.text.length ? condition : null;
}

interface Reader {
  text: string;
  at: number;
}

function readFilter(reader: Reader, depth: number): BooleanCondition | null {
  if (reader.text[reader.at] !== '(' || depth > DEPTH_MAX) return null;
  reader.at += 1;
  const sign = reader.text[reader.at];
  if (sign === undefined || !'&|!'.includes(sign)) return readTest(reader);
  reader.at += 1;
  const parts: BooleanCondition[] = [];
  while (reader.text[reader.at] === '(') {
    const part = readFilter(reader, depth + 1);
    if (part === null) return null;
    parts.push(part);
  }
  if (reader.text[reader.at] !== ')' || parts.length === 0) return null;
  reader.at += 1;
  if (sign !== '!') return { kind: sign === '&' ? 'all' : 'any', parts };
  return parts.length === 1 ? { kind: 'not', part: parts[0]! } : null;
}

function readTest(reader: Reader): BooleanCondition | null {
  const end = reader.text.indexOf(')', reader.at);
  const text = end < 0 ? '' : reader.text.slice(reader.at, end).trim();
  if (!text.includes('=') || text.includes('(')) return null;
  reader.at = end + 1;
  return { kind: 'test', text };
}

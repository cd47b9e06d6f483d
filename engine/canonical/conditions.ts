/** Conditions of firewalls and policies whose comparisons are written in one way. */
import { type BooleanCondition, parseCondition } from './boolean-conditions.ts';

const TOKEN =
  /(?<text>"[^"\\\n]*"|'[^'\\\n]*')|(?<word>[\w$.@-]+)|(?<mark>[()[\]{},])|(?<sign>[=!<>~]=|[<>~=!+*/%:])|\s+/y;

/** Reads a condition with spaces between all tokens of its comparisons; null when a part cannot be read exactly. */
export function readCondition(text: string): BooleanCondition | null {
  const condition = parseCondition(text);
  return condition === null ? null : separateTokens(condition);
}

/** The same text for conditions that differ only in spaces, redundant parentheses and the order of their parts. */
export function conditionForm(text: string): string | null {
  const condition = readCondition(text);
  return condition === null ? null : writeCondition(condition);
}

const JOINED = /(?:^|[\s(])(?:AND|OR|NOT)$|\($/;
const JOINS = /^(?:AND|OR)\s|^\)/;

/** The same for a filter of Cloud Logging: a line break between two comparisons means AND. */
export function logFilterForm(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const joined = lines.map((line, at) => {
    const is_joined = at === 0 || JOINED.test(lines[at - 1]!) || JOINS.test(line);
    return is_joined ? line : `AND ${line}`;
  });
  return conditionForm(joined.join(' '));
}

/** The same for a pattern of log events: a condition in braces. */
export function logPatternForm(text: string): string | null {
  const [, inner] = /^\s*\{([^{}]*)\}\s*$/.exec(text) ?? [];
  return inner === undefined ? null : conditionForm(inner);
}

function writeCondition(condition: BooleanCondition): string {
  if (condition.kind === 'test') return condition.text;
  if (condition.kind === 'not') return `not(${writeCondition(condition.part)})`;
  return `${condition.kind}(${condition.parts.map(writeCondition).sort().join('\0')})`;
}

function separateTokens(condition: BooleanCondition): BooleanCondition | null {
  if (condition.kind === 'test') {
    const expanded = expandField(condition.text);
    if (expanded !== null) return expanded;
    const tokens = tokenize(condition.text);
    const text = tokens === null ? undefined : sortSets(tokens).join(' ');
    return text === undefined ? null : { kind: 'test', text };
  }
  if (condition.kind === 'not') {
    const part = separateTokens(condition.part);
    return part === null ? null : { kind: 'not', part };
  }
  const parts = condition.parts.map(separateTokens).filter((part) => part !== null);
  return parts.length === condition.parts.length ? { kind: condition.kind, parts } : null;
}

/** `field:("a" OR "b")`, as log services write it. */
const FIELD_GROUP = /^([\w.$]{1,200}) ?([:=]) ?\(([^()]*)\)$/;
const VALUE = /^(?:"[^"]*"|[\w*.-]+)$/;

/** Writes a field in front of each of its values: `field:"a" OR field:"b"`. */
function expandField(text: string): BooleanCondition | null {
  const [, field, sign, group = ''] = FIELD_GROUP.exec(text) ?? [];
  const values = field === undefined ? null : parseCondition(group);
  return values === null ? null : mapTests(values, (value) => (VALUE.test(value) ? `${field} ${sign} ${value}` : null));
}

function mapTests(condition: BooleanCondition, map: (text: string) => string | null): BooleanCondition | null {
  if (condition.kind === 'test') {
    const text = map(condition.text);
    return text === null ? null : { kind: 'test', text };
  }
  if (condition.kind === 'not') {
    const part = mapTests(condition.part, map);
    return part === null ? null : { kind: 'not', part };
  }
  const parts = condition.parts.map((part) => mapTests(part, map)).filter((part) => part !== null);
  return parts.length === condition.parts.length ? { kind: condition.kind, parts } : null;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** Sorts the items behind `in`, in `{…}` or `[…]`: a value is one of them or not. */
function sortSets(tokens: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    out.push(token);
    const closing = out.at(-2)?.toLowerCase() === 'in' ? CLOSING[token] : undefined;
    const end = closing === undefined ? -1 : tokens.indexOf(closing, at);
    if (end < 0) continue;
    const items = tokens.slice(at + 1, end).filter((item) => item !== ',');
    // Nested lists, and negative or computed items, are kept as they are.
    if (!items.every((item) => /^["\w]/.test(item))) continue;
    out.push(...items.sort(), closing!);
    at = end;
  }
  return out;
}

function tokenize(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return null;
    if (match[0].trim() !== '') tokens.push(writeToken(match[0]));
  }
  return tokens;
}

function writeToken(token: string): string {
  if (token.startsWith("'")) return token.includes('"') ? token : `"${token.slice(1, -1)}"`;
  return token;
}

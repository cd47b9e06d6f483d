/** Canonical forms of policies made of blocks, in which the order of blocks, arguments and list items has no meaning. */
import { hclForm } from './code.ts';

/** What `hclForm` puts between two tokens. */
const BETWEEN = '\u0000';
const MAX_DEPTH = 20;

/**
 * A policy of Vault, Consul or Nomad as a set of blocks.
 *
 * @returns null when two blocks have the same name, of which the last or both would count, and for other syntax
 */
export function policyBlocksForm(text: string): string | null {
  const code = hclForm(text);
  if (code === null) return null;
  const reader = { tokens: code.split(BETWEEN), at: 0 };
  const body = readBody(reader, 0);
  return body === null || reader.at < reader.tokens.length ? null : body;
}

interface Reader {
  tokens: readonly string[];
  at: number;
}

/** Reads the statements up to the end of the block, sorted. */
function readBody(reader: Reader, depth: number): string | null {
  if (depth > MAX_DEPTH) return null;
  const statements = new Map<string, string>();
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || token === '}') return [...statements.values()].sort().join(';');
    if (token === '\n' || token === ',') {
      reader.at++;
      continue;
    }
    const statement = readStatement(reader, depth);
    if (statement === null || statements.has(statement.name)) return null;
    statements.set(statement.name, statement.text);
  }
}

/** Reads a block, or an argument up to the end of its line. */
function readStatement(reader: Reader, depth: number): { name: string; text: string } | null {
  const parts: string[] = [];
  let name = '';
  for (; reader.at < reader.tokens.length; reader.at++) {
    const token = reader.tokens[reader.at]!;
    if (token === '\n' || token === '}' || token === ',') break;
    if (token === '=' || token === ':') name ||= parts.join(' ');
    if (token === '{') {
      reader.at++;
      const body = readBody(reader, depth + 1);
      if (body === null || reader.tokens[reader.at] !== '}') return null;
      reader.at++;
      name ||= parts.join(' ');
      return { name, text: [...parts, `{${body}}`].join(' ') };
    }
    parts.push(token === '[' ? readList(reader) : token);
  }
  return name === '' ? null : { name, text: parts.join(' ') };
}

/** Reads a list of plain values, sorted. */
function readList(reader: Reader): string {
  const items: string[][] = [[]];
  let token = reader.tokens[++reader.at];
  for (; token !== undefined && token !== ']'; token = reader.tokens[++reader.at]) {
    if (token === ',') items.push([]);
    else items.at(-1)!.push(token);
  }
  const kept = items.filter((item) => item.length > 0).map((item) => item.join(' '));
  return `[${kept.sort().join(',')}]`;
}

/** Policies in Rego: a line break separates conditions like a semicolon, except at the ends of braces. */
export function regoForm(text: string): string | null {
  if (text.includes('`') || text.includes('//') || hasComprehension(text)) return null;
  const code = hclForm(text);
  if (code === null) return null;
  const out: string[] = [];
  for (const token of code.split(BETWEEN)) {
    const last = out.at(-1);
    if (token === '\n' || token === ';') {
      if (last !== undefined && last !== '\n' && last !== '{') out.push('\n');
      continue;
    }
    if (token === '}' && last === '\n') out.pop();
    out.push(token);
  }
  return out.join(BETWEEN);
}

/** Whether a comprehension stands in brackets, in which line breaks separate conditions. */
function hasComprehension(text: string): boolean {
  const [, ...lists] = text.split('[');
  return lists.some((list) => list.split(']', 1)[0]!.includes('|'));
}

/** Canonical forms of policies made of blocks, in which the order of blocks, arguments and list items has no meaning. */
import { calendarDurationForm } from './calendar-durations.ts';
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
  return readBlocks({ tokens: code.split(BETWEEN), at: 0, is_policy: true });
}

/** A job of Nomad: the order of arguments has no meaning; that of list items, and of blocks with the same name, has. */
export function jobForm(text: string): string | null {
  const code = hclForm(text);
  if (code === null) return null;
  const tokens = code.split(BETWEEN).map((token) => writeDuration(token) ?? token);
  return readBlocks({ tokens, at: 0, is_policy: false });
}

/** A quoted duration in one notation. */
function writeDuration(token: string): string | null {
  const form = token.startsWith('"') ? calendarDurationForm(token.slice(1, -1)) : null;
  return form === null ? null : `duration ${form}`;
}

interface Reader {
  tokens: readonly string[];
  at: number;
  /** Whether lists have no order, and no name occurs twice. */
  is_policy: boolean;
}

function readBlocks(reader: Reader): string | null {
  const body = readBody(reader, 0);
  return body === null || reader.at < reader.tokens.length ? null : body;
}

/** Reads the statements up to the end of the block, sorted. */
function readBody(reader: Reader, depth: number): string | null {
  if (depth > MAX_DEPTH) return null;
  const statements = new Map<string, string[]>();
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || token === '}') return [...statements.values()].flat().sort().join(';');
    if (token === '\n' || token === ',') {
      reader.at++;
      continue;
    }
    const statement = readStatement(reader, depth);
    const others = statement === null ? undefined : statements.get(statement.name);
    if (statement === null || (others !== undefined && reader.is_policy)) return null;
    statements.set(statement.name, [...(others ?? []), `${others?.length ?? ''}${statement.text}`]);
  }
}

/** Reads a block, or an argument up to the end of its line. */
function readStatement(reader: Reader, depth: number): { name: string; text: string } | null {
  const parts: string[] = [];
  let name = '';
  for (; reader.at < reader.tokens.length; reader.at++) {
    const token = reader.tokens[reader.at]!;
    if (token === '\n' || token === '}' || token === ',') break;
    if (parts.at(-2) === '=' && reader.tokens[reader.at + 1] === '=') break;
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
  return `[${(reader.is_policy ? kept.sort() : kept).join(',')}]`;
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

/**
 * Parses the YAML subset that Kubernetes manifests use: maps and lists by indentation, plain, quoted and block scalars,
 * and flow collections that are JSON except for their quotes. Rejects anchors, tags and multiple documents.
 */
import type { JsonObject, JsonValue } from '../../model/result.ts';

const TEXT_CHARS_MAX = 100_000;
const LINES_MAX = 5_000;
const DEPTH_MAX = 60;
const KEY = /^("[^"]{1,300}"\s{0,20}|'[^']{1,300}'\s{0,20}|[^\s#'"&*!|>%@`{}[\],][^#]{0,320}?):(?:\s(.*))?$/;

const LINE_ENDS = ['\r', '\u2028', '\u2029'];

interface Line {
  indent: number;
  text: string;
}

class Unreadable extends Error {}

/** @returns undefined when the text is too long or uses unsupported syntax */
export function readYaml(source: string): JsonValue | undefined {
  if (source.length === 0 || source.length > TEXT_CHARS_MAX) return undefined;
  const lines: Line[] = [];
  for (const raw of source.split('\n')) {
    const text = raw.trimEnd();
    if (text === '---' && lines.length === 0) continue;
    if (text === '---' || lines.length > LINES_MAX) return undefined;
    lines.push({ indent: text.length - text.trimStart().length, text: text.trimStart() });
  }
  try {
    return new Reader(lines).read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Reader {
  private at = 0;

  constructor(private readonly lines: Line[]) {}

  read(): JsonValue {
    return this.block(0, 0);
  }

  /** Returns the next line with content; skips blank lines and comments. */
  private next(): Line | undefined {
    for (;;) {
      const line = this.lines[this.at];
      if (line === undefined || (line.text !== '' && !line.text.startsWith('#'))) return line;
      this.at++;
    }
  }

  private block(indent: number, depth: number): JsonValue {
    const first = this.next();
    if (first === undefined || first.indent < indent) return null;
    if (depth > DEPTH_MAX || first.text.includes('\t')) throw new Unreadable();
    return isItem(first.text) ? this.list(first.indent, depth) : this.map(first.indent, depth);
  }

  private list(indent: number, depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    for (let line = this.next(); line && line.indent === indent && isItem(line.text); line = this.next()) {
      const rest = line.text.slice(1).trimStart();
      if (rest === '') {
        this.at++;
        items.push(this.block(indent + 1, depth + 1));
      } else if (KEY.test(rest) || isItem(rest)) {
        this.lines[this.at] = { indent: indent + line.text.length - rest.length, text: rest };
        items.push(this.block(indent + 1, depth + 1));
      } else {
        this.at++;
        items.push(scalar(rest));
      }
    }
    return items;
  }

  private map(indent: number, depth: number): JsonObject {
    const out: JsonObject = {};
    for (let line = this.next(); line && line.indent === indent; line = this.next()) {
      const match = KEY.exec(line.text);
      if (!match) throw new Unreadable();
      this.at++;
      const key = unquote(match[1]!.trimEnd());
      const rest = withoutComment((match[2] ?? '').trimStart());
      if (key === '__proto__') throw new Unreadable();
      if (rest === '') {
        const below = this.next();
        const inside = below && (below.indent > indent || (below.indent === indent && isItem(below.text)));
        out[key] = inside ? this.block(below.indent, depth + 1) : null;
      } else if (/^[|>][0-9+-]{0,2}$/.test(rest)) {
        out[key] = this.text(indent);
      } else {
        out[key] = scalar(rest);
      }
    }
    return out;
  }

  /** Reads a block scalar: every line with a deeper indentation. */
  private text(indent: number): string {
    const parts: string[] = [];
    for (
      let line = this.lines[this.at];
      line && (line.text === '' || line.indent > indent);
      line = this.lines[this.at]
    ) {
      parts.push(line.text);
      this.at++;
    }
    return parts.join('\n');
  }
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function withoutComment(text: string): string {
  if (text.startsWith('#')) return '';
  // A comment ends with its line. A single carriage return also ends a line.
  const last_line = Math.max(0, ...LINE_ENDS.map((end) => text.lastIndexOf(end)));
  const comment = text.slice(last_line).search(/\s#/);
  return (comment < 0 ? text : text.slice(0, last_line + comment)).trim();
}

function unquote(text: string): string {
  return /^(?:".*"|'.*')$/s.test(text) ? text.slice(1, -1) : text;
}

function scalar(source: string): JsonValue {
  const text = withoutComment(source);
  if (/^["']/.test(text)) return unquote(text);
  if (/^[&*!]/.test(text)) throw new Unreadable();
  if (/^[[{]/.test(text)) return flow(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === '' || text === 'null' || text === '~') return null;
  return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
}

/** Parses `[get, "list"]`, `{}` or `[{name: a}]`, which are JSON after adding quotes. */
function flow(text: string): JsonValue {
  const quoted = text
    .replaceAll("'", '"')
    .replace(
      /("[^"]{0,300}")|([^\s"[\]{},:][^"[\]{},:]{0,300})/g,
      (_, whole?: string, word?: string) => whole ?? quote(word!),
    );
  try {
    return JSON.parse(quoted) as JsonValue;
  } catch {
    throw new Unreadable();
  }
}

function quote(word: string): string {
  const text = word.trim();
  return /^(?:true|false|null|-?[0-9]{1,15})$/.test(text) ? text : JSON.stringify(text);
}

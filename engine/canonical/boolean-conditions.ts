/** Reads boolean conditions of filter rules: `a and (b or not c)`, `a && (b || !(c))`. */

/** A condition as a tree. The text of a test is written with single blanks. */
export type BooleanCondition =
  | { kind: 'all' | 'any'; parts: readonly BooleanCondition[] }
  | { kind: 'not'; part: BooleanCondition }
  | { kind: 'test'; text: string };

/** Longer conditions than any provider accepts are not read. */
const CHARS_MAX = 20_000;
const DEPTH_MAX = 30;
/** Comments, raw texts, exclusive or, and choices: their meaning depends on the language. */
const UNREAD = /--|\/\/|\/\*|#|`|\^\^|\bxor\b|\br$|\?/;
const OPERATOR = /(?:&&|\|\||\b(?:and|or)\b)/giy;
const NEGATION = /(?:!(?=\s{0,20}\()|\bnot\b)/giy;
const BLANKS = /\s+/gy;

/** @returns null if the text is empty, not balanced or in a language that is not read */
export function parseCondition(text: string): BooleanCondition | null {
  if (text.length > CHARS_MAX) return null;
  const pieces = splitQuoted(text);
  if (pieces === null || pieces.some((piece, at) => at % 2 === 0 && UNREAD.test(piece))) return null;
  const reader = new Reader(text);
  const tree = reader.readAny(0);
  return tree !== null && reader.at_end ? tree : null;
}

/** The text in pieces: outside of quotes at even positions, quoted at odd ones; null if a quote is not closed. */
function splitQuoted(text: string): string[] | null {
  const pieces: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const quote = text[at]!;
    if (quote !== '"' && quote !== "'") continue;
    const end = findQuoteEnd(text, at);
    if (end === null) return null;
    pieces.push(text.slice(start, at), text.slice(at, end));
    start = end;
    at = end - 1;
  }
  return [...pieces, text.slice(start)];
}

/** The position after the closing quote; null if there is none. */
function findQuoteEnd(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[start]) return at + 1;
  }
  return null;
}

class Reader {
  private at = 0;
  /** Whether the last list was written with an operator. */
  private is_joined = false;

  constructor(private readonly text: string) {
    this.skip(BLANKS);
  }

  get at_end(): boolean {
    return this.at === this.text.length;
  }

  readAny(depth: number): BooleanCondition | null {
    return this.readList('any', ['||', 'or'], () => this.readAll(depth));
  }

  private readAll(depth: number): BooleanCondition | null {
    return this.readList('all', ['&&', 'and'], () => this.readOne(depth));
  }

  private readList(
    kind: 'all' | 'any',
    operators: readonly string[],
    readPart: () => BooleanCondition | null,
  ): BooleanCondition | null {
    const parts: BooleanCondition[] = [];
    let [has_joined, has_capitals] = [false, false];
    for (let count = 1; ; count += 1) {
      const part = readPart();
      if (part === null) return null;
      has_joined ||= this.is_joined;
      if (part.kind === kind) parts.push(...part.parts);
      else parts.push(part);
      const operator = this.peek(OPERATOR);
      if (operator === undefined || !operators.includes(operator.toLowerCase())) {
        this.is_joined = count > 1;
        break;
      }
      has_capitals ||= operator === 'OR';
      this.skip(OPERATOR);
      this.skip(BLANKS);
    }
    // Cloud Logging evaluates OR before AND, other languages AND before OR.
    if (kind === 'any' && has_capitals && has_joined) return null;
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  private readOne(depth: number): BooleanCondition | null {
    if (depth > DEPTH_MAX) return null;
    if (this.skip(NEGATION)) {
      this.skip(BLANKS);
      const part = this.readOne(depth + 1);
      return part === null ? null : { kind: 'not', part };
    }
    return this.text[this.at] === '(' ? this.readGroup(depth) : this.readTest();
  }

  private readGroup(depth: number): BooleanCondition | null {
    this.at += 1;
    this.skip(BLANKS);
    const inner = this.readAny(depth + 1);
    if (inner === null || this.text[this.at] !== ')') return null;
    this.at += 1;
    this.skip(BLANKS);
    // A group that a comparison or a call follows is a value.
    return this.at_end || this.text[this.at] === ')' || this.peek(OPERATOR) !== undefined ? inner : null;
  }

  /** Reads until an operator or a closing parenthesis outside of quotes and brackets. */
  private readTest(): BooleanCondition | null {
    const start = this.at;
    let depth = 0;
    while (!this.at_end) {
      const char = this.text[this.at]!;
      if (char === '"' || char === "'") {
        const end = findQuoteEnd(this.text, this.at);
        if (end === null) return null;
        this.at = end;
        continue;
      }
      if (depth === 0 && (char === ')' || this.peek(OPERATOR) !== undefined)) break;
      if ('([{'.includes(char)) depth += 1;
      else if (')]}'.includes(char)) depth -= 1;
      this.at += 1;
    }
    const text = collapse(this.text.slice(start, this.at));
    return depth !== 0 || text === '' ? null : { kind: 'test', text };
  }

  private peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0];
  }

  private skip(pattern: RegExp): boolean {
    const found = this.peek(pattern);
    if (found !== undefined) this.at += found.length;
    return found !== undefined;
  }
}

/** Collapses blanks outside of quotes. */
function collapse(text: string): string {
  const pieces = splitQuoted(text) ?? [text];
  return pieces
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(/\s+/g, ' ')))
    .join('')
    .trim();
}

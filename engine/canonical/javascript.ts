/**
 * JavaScript without comments and without the white space and line breaks that it does not read. What this form cannot
 * represent exactly has no form.
 */
const MAX_CHARS = 262_144;
const TOKEN =
  /(?<comment>\/\/[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\$]*`)|(?<word>[\w$]+)|(?<sign>\+\+|--|=>|[-+*/%&|^!=<>?:.~]+)|(?<mark>[()[\]{},;])|(?<line>\n)|[^\S\n]+/y;
/** Something that only programs in JavaScript have. */
const EVIDENCE = /\bfunction\b|=>|\bmodule\.exports\b|\bexports\.|\b(?:const|let|var)\s{1,20}[\w$]+\s{0,20}=/;
/** Words after which a line break ends no statement. */
const OPEN_WORDS: ReadonlySet<string> = new Set(
  'else do try finally var let const case new typeof delete in of instanceof'.split(' '),
);
/** Words whose parentheses are followed by a statement. */
const HEADERS: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'function']);
const STARTS: ReadonlySet<string> = new Set(['(', '[', '{', ',', ';', '}']);
const ENDS: ReadonlySet<string> = new Set([')', ']', '}', ',', ';', '(', '[']);

/** @returns null for texts that are no JavaScript, or contain regular expressions or templates with values */
export function javascriptForm(text: string): string | null {
  if (text.length > MAX_CHARS || !EVIDENCE.test(text)) return null;
  const tokens = tokenize(text);
  return tokens === null ? null : sortFunctions(dropOptionalEnds(tokens)).join('\0');
}

/** The tokens, with `;` for each line break that ends a statement. */
function tokenize(text: string): string[] | null {
  const out: string[] = [];
  /** For each open parenthesis, whether it belongs to a header such as `if (…)`. */
  const headers: boolean[] = [];
  let has_line = false;
  let closes_header = false;
  for (let at = 0; at < text.length; ) {
    const comment_end = text.startsWith('/*', at) ? text.indexOf('*/', at + 2) : at;
    if (comment_end < 0) return null;
    if (comment_end > at) {
      has_line ||= text.slice(at, comment_end).includes('\n');
      at = comment_end + 2;
      continue;
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return null;
    const [piece] = match;
    const { comment, line, word, sign, mark, text: quoted } = match.groups!;
    // A slash that follows no value starts a regular expression; an operator that ends in one hides a comment.
    if (sign?.includes('/') && !isDivision(sign, out.at(-1))) return null;
    at += piece.length;
    has_line ||= line !== undefined;
    const token = word ?? sign ?? mark ?? quoted;
    if (comment !== undefined || token === undefined) continue;
    if (has_line && !closes_header && endsStatement(out.at(-1), token)) out.push(';');
    has_line = false;
    closes_header = false;
    if (token === '(') headers.push(HEADERS.has(out.at(-1) ?? '') || HEADERS.has(out.at(-2) ?? ''));
    else if (token === ')') closes_header = headers.pop() ?? false;
    out.push(token);
  }
  return out;
}

function isDivision(sign: string, previous = ''): boolean {
  if (sign !== '/' && sign !== '/=') return false;
  return previous === ']' || (/^[\w$]+$/.test(previous) && !OPEN_WORDS.has(previous) && previous !== 'return');
}

/** Whether a line break between two tokens ends a statement, as automatic semicolon insertion does. */
function endsStatement(previous: string | undefined, next: string): boolean {
  if (previous === undefined || STARTS.has(previous) || OPEN_WORDS.has(previous)) return false;
  if (isOperator(previous)) return false;
  return !ENDS.has(next) && !next.startsWith('`') && !isOperator(next);
}

function isOperator(token: string): boolean {
  return /^[-+*/%&|^!=<>?:.~]+$/.test(token) && token !== '++' && token !== '--';
}

/** Removes semicolons before a closing brace, behind another one, and at the end. */
function dropOptionalEnds(tokens: readonly string[]): string[] {
  return tokens.filter((token, at) => {
    if (token !== ';') return true;
    const next = tokens[at + 1];
    const previous = tokens[at - 1];
    return next !== undefined && next !== '}' && previous !== ';' && previous !== undefined;
  });
}

/** Sorts the functions of a program that declares nothing but functions, because they exist before it runs. */
function sortFunctions(tokens: readonly string[]): string[] {
  const functions = splitFunctions(tokens);
  if (functions === null) return [...tokens];
  const names = new Set(functions.map(([, name]) => name));
  return names.size === functions.length ? functions.map((one) => one.join('\0')).sort() : [...tokens];
}

function splitFunctions(tokens: readonly string[]): string[][] | null {
  const functions: string[][] = [];
  let depth = 0;
  let start = 0;
  for (const [at, token] of tokens.entries()) {
    if (token === '{') depth++;
    if (token !== '}' || --depth > 0) continue;
    if (tokens[start] !== 'function' || !/^[\w$]+$/.test(tokens[start + 1] ?? '')) return null;
    functions.push(tokens.slice(start, at + 1));
    start = at + 1;
  }
  return start === tokens.length ? functions : null;
}

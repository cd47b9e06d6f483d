/**
 * Canonical forms of code that providers store as text: without comments and without the white space that the language
 * does not read. Everything that a form cannot represent exactly has no form.
 */

interface Language {
  /** Matches the next token at a position: a comment, a quoted text, a name or number, or other characters. */
  token: RegExp;
  /** Line breaks separate statements, except inside parentheses. */
  has_lines: boolean;
  /** Names are the same in every case. */
  ignores_case: boolean;
  /** Text in single quotation marks is the same in double ones. */
  has_equal_quotes: boolean;
  /** Syntax that is not read: here documents, raw strings, escapes. */
  unread: RegExp;
}

const WORDS = String.raw`(?<word>[\w$]+)|(?<mark>[()[\]{},;])|(?<sign>[^\s\w$"'()[\]{},;#/-]+|[/-])`;
const HASH = String.raw`(?<comment>#[^\n]*|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)`;
const SQL_COMMENT = String.raw`(?<comment>--[^\n]*|\/\*(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\/)`;
const DOUBLE = String.raw`(?<text>"[^"\n]*")`;

function define(comment: string, text: string, options: Partial<Language> & Pick<Language, 'unread'>): Language {
  const token = new RegExp(`(?:${comment}|${text}|${WORDS}|(?<line>\\n)|(?<blank>[^\\S\\n]+))`, 'gy');
  return { has_lines: false, ignores_case: false, has_equal_quotes: false, ...options, token };
}

const HCL = define(HASH, String.raw`(?<text>"(?:[^"\\\n]|\\.)*")`, { has_lines: true, unread: /<<|\$\{|%\{/ });
const VCL = define(HASH, DOUBLE, { unread: /\{"|"\}|C\{/ });
const SQL = define(SQL_COMMENT, String.raw`(?<text>"[^"]*"|'[^']*')`, {
  ignores_case: true,
  unread: /\\|\$\$|\/\/|#|\b[a-z]'/i,
});
const CEL = define('(?<comment>(?!))', String.raw`(?<text>"[^"'\n]*"|'[^'"\n]*')`, {
  has_equal_quotes: true,
  unread: /\\|\/\/|#|\b[rRbB]{1,2}["']|"""|'''/,
});

const MAX_CHARS = 262_144;

/** Policies of Vault, Consul and Nomad. */
export const hclForm = (text: string): string | null => writeCode(text, HCL);
/** Configuration of Varnish and Fastly. */
export const vclForm = (text: string): string | null => writeCode(text, VCL);
/** SQL in which names without quotation marks have no case. */
export const sqlForm = (text: string): string | null => writeCode(text.replace(/;\s*$/, ''), SQL);
/** Conditions in the Common Expression Language. */
export const celForm = (text: string): string | null => writeCode(text, CEL);

function writeCode(text: string, language: Language): string | null {
  if (text.length > MAX_CHARS || language.unread.test(text)) return null;
  const { token, has_lines, ignores_case, has_equal_quotes } = language;
  const out: string[] = [];
  let depth = 0;
  let at = 0;
  for (const { 0: piece, index, groups } of text.matchAll(token)) {
    if (index !== at) return null;
    at += piece.length;
    const { word, mark, sign, text: quoted, line } = groups!;
    if (mark === '(' || mark === '[') depth++;
    else if (mark === ')' || mark === ']') depth--;
    if (line !== undefined) {
      if (has_lines && depth === 0 && out.at(-1) !== '\n') out.push('\n');
    } else if (word !== undefined) out.push(ignores_case ? word.toLowerCase() : word);
    else if (quoted !== undefined) out.push(has_equal_quotes ? `"${quoted.slice(1, -1)}"` : quoted);
    else if (mark !== undefined || sign !== undefined) out.push(piece);
  }
  return at === text.length ? out.join('\u0000').replace(/^[\n\0]+|[\n\0]+$/g, '') : null;
}

/** A Corefile: comments, empty lines and the width of white space have no meaning. */
export function corefileForm(text: string): string | null {
  if (text.length > MAX_CHARS || /["\\`]/.test(text)) return null;
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const kept = lines.map((words) => {
    const comment = words.findIndex((word) => word.startsWith('#'));
    return (comment < 0 ? words : words.slice(0, comment)).join(' ');
  });
  return kept.filter((line) => line !== '').join('\n');
}

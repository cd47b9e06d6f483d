/**
 * Canonical forms of code that providers store as text: without comments and without the white space that the language
 * does not read. Everything that a form cannot represent exactly has no form.
 */

import { dropLeading, dropTrailing } from '../lib/trim.ts';

interface Language {
  /** Matches the next token at a position: a comment to the end of its line, a quoted text, a name or number, or other characters. */
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

const PLAIN = { has_lines: false, ignores_case: false, has_equal_quotes: false };
const HCL: Language = {
  ...PLAIN,
  has_lines: true,
  token:
    /#[^\n]*|\/\/[^\n]*|(?<text>"(?:[^"\\\n]|\\.)*")|(?<word>[\w$]+)|(?<mark>[()[\]{},;])|(?<sign>[^\s\w$"'()[\]{},;#/-]+|[/-])|(?<line>\n)|[^\S\n]+/y,
  // A reference is a part of the text; an expression in a text can contain quotation marks.
  unread: /<<|\$\{(?![\w.-]{1,100}\})|%\{/,
};
const VCL: Language = {
  ...PLAIN,
  token:
    /#[^\n]*|\/\/[^\n]*|(?<text>"[^"\n]*")|(?<word>[\w$]+)|(?<mark>[()[\]{},;])|(?<sign>[^\s\w$"'()[\]{},;#/-]+|[/-])|(?<line>\n)|[^\S\n]+/y,
  unread: /\{"|"\}|C\{/,
};
const SQL: Language = {
  ...PLAIN,
  ignores_case: true,
  token:
    /--[^\n]*|(?<text>"[^"]*"|'[^']*')|(?<word>[\w$]+)|(?<mark>[()[\]{},;])|(?<sign>[^\s\w$"'()[\]{},;#/-]+|[/-])|(?<line>\n)|[^\S\n]+/y,
  unread: /\\|\$\$|\/\/|#/,
};
const CEL: Language = {
  ...PLAIN,
  has_equal_quotes: true,
  token:
    /(?<text>"[^"'\n]*"|'[^'"\n]*')|(?<word>[\w$]+)|(?<mark>[()[\]{},;])|(?<sign>[^\s\w$"'()[\]{},;#/-]+|[/-])|(?<line>\n)|[^\S\n]+/y,
  unread: /\\|\/\/|\/\*|#|"""|'''/,
};

const KQL: Language = {
  ...PLAIN,
  token:
    /\/\/[^\n]*|(?<text>"[^"'\n]*"|'[^'"\n]*')|(?<word>[\w$]+)|(?<mark>[()[\]{},;])|(?<sign>[^\s\w$"'()[\]{},;/-]+|[/-])|(?<line>\n)|[^\S\n]+/y,
  unread: /\\|```|@["']|\/\*/,
};

const MAX_CHARS = 262_144;

/** Policies of Vault, Consul and Nomad. */
export const hclForm = (text: string): string | null => writeCode(text, HCL);
/** Configuration of Varnish and Fastly. */
export const vclForm = (text: string): string | null => writeCode(text, VCL);
/** SQL in which names without quotation marks have no case. */
export const sqlForm = (text: string): string | null => writeCode(text.replace(/;\s*$/, ''), SQL);
/** Conditions in the Common Expression Language. */
export const celForm = (text: string): string | null => writeCode(text, CEL);
/** Queries in the Kusto Query Language. */
export const kqlForm = (text: string): string | null => writeCode(text, KQL);

function writeCode(text: string, language: Language): string | null {
  if (text.length > MAX_CHARS || language.unread.test(text)) return null;
  const { token, has_lines, ignores_case, has_equal_quotes } = language;
  const out: string[] = [];
  let depth = 0;
  let at = 0;
  let follows_word = false;
  while (at < text.length) {
    const comment_end = findCommentEnd(text, at);
    if (comment_end === null) return null;
    if (comment_end > at) {
      at = comment_end;
      follows_word = false;
      continue;
    }
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) return null;
    const piece = match[0];
    at += piece.length;
    const { word, mark, sign, text: quoted, line } = match.groups!;
    // A letter before a quotation mark changes how the text is read: `r'…'`, `E'…'`.
    if (quoted !== undefined && follows_word) return null;
    follows_word = word !== undefined;
    if (mark === '(' || mark === '[') depth++;
    else if (mark === ')' || mark === ']') depth--;
    if (line !== undefined) {
      if (has_lines && depth === 0 && out.at(-1) !== '\n') out.push('\n');
    } else if (word !== undefined) out.push(ignores_case ? word.toLowerCase() : word);
    else if (quoted !== undefined) out.push(has_equal_quotes ? `"${quoted.slice(1, -1)}"` : quoted);
    else if (mark !== undefined || sign !== undefined) out.push(piece);
  }
  return dropLeading(dropTrailing(out.join('\u0000'), '\n\0'), '\n\0');
}

/**
 * The end of the block comment that starts at a position; the position itself when none does.
 *
 * @returns null for a comment that does not end, or contains the start of another, which some languages nest
 */
function findCommentEnd(text: string, at: number): number | null {
  if (!text.startsWith('/*', at)) return at;
  const end = text.indexOf('*/', at + 2);
  const is_nested = text.slice(at + 2, end).includes('/*');
  return end < 0 || is_nested ? null : end + 2;
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

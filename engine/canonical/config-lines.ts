/** Canonical forms of configuration files of servers. */

const MAX_CHARS = 262_144;
const COMMENT = /^\s*#/;
const BLOCK_TOKEN = /#[^\n]*|(?<text>"[^"\\\n]*"|'[^'\\\n]*')|(?<mark>[{};])|(?<word>[^\s{};"'#\\][^\s{};"'\\]*)|\s+/y;
/** Code inside a block is not read. */
const UNREAD = /_block\b|\\|\$\{/;

/**
 * A configuration of directives that end with a semicolon and of blocks in braces, as nginx reads it: comments and
 * white space between words have no meaning.
 *
 * @returns null for any other text
 */
export function directivesForm(text: string): string | null {
  if (text.length > MAX_CHARS || UNREAD.test(text) || !endsDirectives(text)) return null;
  const tokens: string[] = [];
  BLOCK_TOKEN.lastIndex = 0;
  let follows_token = false;
  while (BLOCK_TOKEN.lastIndex < text.length) {
    const match = BLOCK_TOKEN.exec(text);
    if (match === null) return null;
    const { text: quoted, word, mark } = match.groups!;
    const token = quoted ?? word ?? mark;
    // A quoted text that touches a word is a part of it.
    if (quoted !== undefined && follows_token) return null;
    if (token !== undefined) tokens.push(token);
    follows_token = word !== undefined || quoted !== undefined;
  }
  return tokens.join('\0');
}

function endsDirectives(text: string): boolean {
  const lines = text.split('\n').map((line) => line.split('#', 1)[0]!.trim());
  const written = lines.filter((line) => line !== '');
  return written.length > 0 && written.every((line) => /[;{}]$/.test(line));
}

/**
 * A configuration with one setting in each line: empty lines, lines that are comments, the width of the indent, and of
 * the gap after the first word have no meaning.
 */
export function settingLinesForm(text: string): string | null {
  if (text.length > MAX_CHARS || text.includes('\\')) return null;
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !COMMENT.test(line));
  return lines.map((line) => line.trim().replace(/^(\S+)\s+/, '$1 ')).join('\n');
}

/** A file with columns in each line, such as CODEOWNERS: comments, empty lines and the width of gaps have no meaning. */
export function columnLinesForm(text: string): string | null {
  if (text.length > MAX_CHARS || /[\\"']/.test(text)) return null;
  const lines = text.split('\n').map((line) => line.split(/(?:^|\s)#/, 1)[0]!.trim());
  return lines.flatMap((line) => (line === '' ? [] : line.split(/\s+/).join(' '))).join('\n');
}

/** The same with a keyword at the start of each line, which has no case, as in the configuration of SSH. */
export function keywordLinesForm(text: string): string | null {
  const form = columnLinesForm(text);
  return form === null ? null : form.replace(/^\S+/gm, (keyword) => keyword.toLowerCase());
}

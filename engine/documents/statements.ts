import { dropTrailing } from '../lib/trim.ts';

/** A line that starts like a comment but has a meaning: an interpreter, or the format of cloud-init content. */
const DIRECTIVE = /^#(?:!|cloud-config|include|part-handler|upstart-job|cloud-boothook|jinja|## template)/;
const LINE_COMMENT = /^(?:#|\/\/|--(?:\s|$))/;
/** Text that a script writes to a file: a line in it that looks like a comment may have a meaning there. */
const HERE_DOCUMENT = /<<[-~]?\s*['"\\]?[A-Za-z_]/;
const SQL_LINE_COMMENT = /--[^\n]*/g;

/** The lines of a text without blank lines, indentation and comments. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && (!LINE_COMMENT.test(line) || DIRECTIVE.test(line)));
}

/** The lines of a text without blank lines and without spaces at their ends. Shells read a carriage return. */
export function splitExactLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => dropTrailing(line, ' \t'))
    .filter((line) => line !== '');
}

/** Whether SQL contains quotes, in which a comment or spaces can have a meaning. */
export function hasQuotes(sql: string): boolean {
  return /['"$`]/.test(sql);
}

const SHELL = /^#!\s?\/\S*(?:\/|env\s+)(?:sh|bash|ash|dash|zsh|ksh)\b/;

/** Whether a text is a shell script in which indentation and comments have no meaning. */
export function isPlainShell(text: string): boolean {
  return (
    SHELL.test(text.trimStart()) &&
    !text.includes('\r') &&
    !HERE_DOCUMENT.test(text) &&
    !/\\\n|'[^'\n]*\n|"[^"\n]*\n/.test(text)
  );
}

/** The statements of SQL, without comments, with single spaces, in order. */
export function splitSql(text: string): string[] {
  return dropBlockComments(text)
    .replace(SQL_LINE_COMMENT, ' ')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** Replaces each block comment by a space; one that does not end stays. */
function dropBlockComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = text.indexOf('/*'); start >= 0; start = text.indexOf('/*', at)) {
    const end = text.indexOf('*/', start + 2);
    if (end < 0) break;
    parts.push(text.slice(at, start), ' ');
    at = end + 2;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

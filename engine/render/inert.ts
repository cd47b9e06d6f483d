/**
 * The author of the code under review controls the names in a plan. These functions make such text inert in terminals
 * and comments: no control or bidirectional characters, markup, mentions or links.
 */

/** Control, format (bidirectional, zero-width, tag), separator and lone surrogate characters, and invisible blanks. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Zero-width space that prevents mentions, references and links. */
const BREAK = '\u200b';

/** Replaces control and invisible characters with visible escapes such as `\n` and `\u{202e}`. Returns one line. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0) as number;
    return SHORT_ESCAPES.get(character) ?? `\\u{${code.toString(16)}}`;
  });
}

/** A Markdown code span for any text; not for table cells. */
export function codeSpan(text: string): string {
  const shown = escapeInvisible(text);
  if (shown.trim() === '') return '`""`';
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/**
 * A code span for a table cell. Renderers disagree on a pipe after a backslash inside a code span, so a text with a
 * pipe is written as `<code>` with every mark as a character reference.
 */
export function codeCell(text: string): string {
  return text.includes('|') ? codeHtml(text) : codeSpan(text);
}

/** An HTML `<code>` element, for places without Markdown such as `<summary>`; encodes all punctuation. */
export function codeHtml(text: string): string {
  return `<code>${escapeInvisible(text).replace(/[^\p{L}\p{N} ]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`;
}

/** Escapes text for Markdown prose: no emphasis, lists, links, HTML, mentions, references or commands. */
export function prose(text: string): string {
  return escapeLineStart(proseWithin(text.trim()));
}

/** The same for a fragment inside a sentence: keeps its spaces and does not escape the start of the line. */
export function proseWithin(text: string): string {
  return escapeInvisible(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*[\]|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/([@#!%~$^])(?=[\p{L}\p{N}_"'])/gu, `$1${BREAK}`)
    .replace(/(&amp;(?=\d)|\[(?=\w+:)|\*(?=iteration:))/gu, `$1${BREAK}`)
    .replace(/\bGH-(?=\d)/gi, `$&${BREAK}`)
    .replace(/:\/\//g, `:${BREAK}//`)
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}${BREAK}.`);
}

/** Escapes the beginning of a line so that it does not become a list, a heading or a command. */
function escapeLineStart(markdown: string): string {
  return markdown.replace(/^(\d*)([-+.)/]|#+)(?=[-\s]|$)|^(?=\/)/, '$1\\$2');
}

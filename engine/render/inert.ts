/**
 * Names in a plan are written by whoever wrote the code under review. Here they become text that can do nothing: no
 * control or bidirectional characters, no markup, no mentions, no links, in a terminal and in a comment.
 */

/** Control, format (bidirectional, zero-width, tag), separator and lone surrogate characters, and blanks that show nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Splits what a host would turn into a mention, a reference or a link; shows as nothing. */
const BREAK = '\u200b';

/** Shows every character that would act or hide as an escape: `\n`, `\u{202e}`. One line comes out. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0) as number;
    return SHORT_ESCAPES.get(character) ?? `\\u{${code.toString(16)}}`;
  });
}

/** A Markdown code span that holds the text whatever it holds; not for table cells. */
export function codeSpan(text: string): string {
  const shown = escapeInvisible(text);
  if (shown.trim() === '') return '`""`';
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/**
 * A code span for a table cell. Renderers disagree on a pipe after a backslash inside a code span, so a text with a pipe
 * is written as `<code>` with every mark as a character reference.
 */
export function codeCell(text: string): string {
  return text.includes('|') ? codeHtml(text) : codeSpan(text);
}

/** The same where Markdown is not read, as in the title of a fold: every mark is a character reference. */
export function codeHtml(text: string): string {
  return `<code>${escapeInvisible(text).replace(/[^\p{L}\p{N} ]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`;
}

/** Markdown prose that shows the text as it is: no emphasis, lists, links, HTML, mentions, references or commands. */
export function prose(text: string): string {
  return escapeLineStart(proseWithin(text.trim()));
}

/** The same of a piece of a sentence: its blanks stay, and it begins nothing. */
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

/** Inert Markdown at the beginning of a line, where it is no list, no heading and no command. */
function escapeLineStart(markdown: string): string {
  return markdown.replace(/^(\d*)([-+.)/]|#+)(?=[-\s]|$)|^(?=\/)/, '$1\\$2');
}

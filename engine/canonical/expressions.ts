import { dropTrailing } from '../trim.ts';

/** Or another kind of quote. */
const COMMENT = /--|\/\/|\/\*|#|`/;
/** Quoted text; its groups hold the closing quote, empty where there is none. */
const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*("?)|'[^'\\]*(?:\\.[^'\\]*)*('?)/g;

/**
 * A filter or a query with one blank for each run of blanks outside of quotes, and none at its ends.
 *
 * @returns null where a comment may end with its line, or a quote does not end
 */
export function expressionForm(text: string): string | null {
  const trimmed = text.trim();
  let form = '';
  let kept = 0;
  for (const { 0: quoted, 1: double, 2: single, index } of trimmed.matchAll(QUOTED)) {
    const code = codeForm(trimmed.slice(kept, index));
    if (code === null || (double ?? single) === '') return null;
    form += code + quoted;
    kept = index + quoted.length;
  }
  const rest = codeForm(trimmed.slice(kept));
  return rest === null ? null : form + rest;
}

/** @returns null where a comment may begin */
function codeForm(code: string): string | null {
  return COMMENT.test(code) ? null : code.replace(/\s+/g, ' ');
}

/**
 * A YAML document without the line ends after it.
 *
 * @returns null where a block of text may end in them
 */
export function yamlForm(text: string): string | null {
  return /[|>]/.test(text) ? null : dropTrailing(text, '\r\n');
}

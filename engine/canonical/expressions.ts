import { dropTrailing } from '../lib/trim.ts';

/** The start of a comment, or a backtick quote. */
const COMMENT = /--|\/\/|\/\*|#|`/;
/** Quoted text. The groups contain the closing quote; empty when it is missing. */
const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*("?)|'[^'\\]*(?:\\.[^'\\]*)*('?)/g;

/**
 * Returns a filter or query with whitespace outside quotes collapsed to one space and trimmed at both ends.
 *
 * @returns null when the text may contain a comment, or a quote is not closed
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

/** @returns null when the code may contain a comment */
function codeForm(code: string): string | null {
  return COMMENT.test(code) ? null : code.replace(/\s+/g, ' ');
}

/**
 * Returns a YAML document without the line breaks at its end.
 *
 * @returns null when a block scalar may include these line breaks
 */
export function yamlForm(text: string): string | null {
  return /[|>]/.test(text) ? null : dropTrailing(text, '\r\n');
}

const COMMENT = /--|\/\/|\/\*|#/;

/**
 * A filter or a query with one blank for each run of blanks outside of quotes, and none at its ends.
 *
 * @returns null where a comment may end with its line, or a quote does not end
 */
export function expressionForm(text: string): string | null {
  const parts = text.trim().split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/);
  const code = parts.filter((_part, i) => i % 2 === 0);
  if (code.some((part) => COMMENT.test(part) || /["'`]/.test(part))) return null;
  return parts.map((part, i) => (i % 2 === 0 ? part.replace(/\s+/g, ' ') : part)).join('');
}

/**
 * A YAML document without the line ends after it.
 *
 * @returns null where a block of text may end in them
 */
export function yamlForm(text: string): string | null {
  return /[|>]/.test(text) ? null : text.replace(/[\r\n]+$/, '');
}

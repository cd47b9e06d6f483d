import type { Cell } from './types.ts';

/** A spreadsheet runs a cell that begins with one of these as a formula; the last four are their full-width forms. */
const FORMULA_STARTS = new Set(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * One record with its line end. Lists are joined by spaces; null is empty. Texts that a spreadsheet would run as a
 * formula are prefixed by an apostrophe.
 *
 * @see RFC 4180
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = typeof cell === 'string' ? cell : cell.join(' ');
  const guarded = FORMULA_STARTS.has(text.charAt(0)) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ScoreError } from './score-error.ts';

/** One line of a table. */
export interface TsvRow {
  /** Trimmed; empty if the table has no such column. */
  cell(name: string): string;
  /** An error that names the file and the line. */
  error(message: string): ScoreError;
}

/**
 * Reads a file of tab-separated values with a header line. Skips empty lines.
 *
 * @throws ScoreError if the header lacks a required column
 */
export function readTsv(path: string, required: readonly string[]): TsvRow[] {
  const [head = '', ...lines] = readFileSync(path, 'utf8')
    .replace(/^\ufeff/, '')
    .split('\n');
  const names = head.split('\t').map((name) => name.trim());
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new ScoreError(
      `${basename(path)}: the header has no column "${missing.join('", "')}". Separate columns with tabs.`,
    );
  }
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [readRow(line, names, `${basename(path)}:${index + 2}`)],
  );
}

function readRow(line: string, names: readonly string[], place: string): TsvRow {
  const cells = line.split('\t');
  return {
    cell: (name) => cells[names.indexOf(name)]?.trim() ?? '',
    error: (message) => new ScoreError(`${place}: ${message}`),
  };
}

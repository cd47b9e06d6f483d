import { escapeInvisible } from '../../engine/index.ts';

const GAP = '  ';

/** Formats a header line and rows in columns as wide as their longest cell. Control characters are shown as escapes. */
export function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = [head, ...rows.map((row) => row.map(escapeInvisible))];
  const widths = head.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const lines = shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

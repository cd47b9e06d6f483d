import { codeHtml, escapeInvisible } from '../../engine/index.ts';

/** Far below the comment limit of any Git host. */
const MAX_BYTES = 8_000;
/** Reserved for a line that counts omitted lines. */
const REST_BYTES = 120;
const SEPARATOR = '\n\n';
/** Text that would close a code fence, or that GitLab could execute as a quick action. */
const UNFENCED = /^[^\S\n\r\u2028\u2029]*(?:\/|`{3}|~{3})/m;

/** Lines of a list or table; lines that do not fit are omitted. */
export interface Part {
  /** Text before the first line; omitted together with the lines. */
  head?: string;
  lines: readonly string[];
  /** Between two lines. */
  separator: string;
  /** What the lines are, in the plural. */
  kind: string;
}

/**
 * Joins the parts of an answer with blank lines. Texts get space first, each completely or not at all; then lists, line by
 * line.
 *
 * @returns at most 8,000 UTF-8 bytes
 */
export function writeBody(parts: readonly (Part | string)[]): string {
  let room = MAX_BYTES - REST_BYTES;
  const take = (text: string) => {
    const bytes = Buffer.byteLength(text) + SEPARATOR.length;
    if (bytes > room) return '';
    room -= bytes;
    return text;
  };
  const texts = parts.map((part) => (typeof part === 'string' ? take(part) : ''));
  const written = parts.map((part, i) =>
    typeof part === 'string' ? (texts[i] ?? '') : take(linesWithin(part, room - SEPARATOR.length)),
  );
  const is_cut = parts.some((part, i) => part !== '' && written[i] === '');
  return [...written, is_cut ? 'This answer is truncated.' : ''].filter((text) => text !== '').join(SEPARATOR);
}

function linesWithin({ head = '', lines, separator, kind }: Part, room: number): string {
  const shown: string[] = [];
  let bytes = Buffer.byteLength(head) + REST_BYTES;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + Buffer.byteLength(separator);
    if (bytes > room) break;
    shown.push(line);
  }
  const more = lines.length - shown.length;
  if (shown.length === 0) return '';
  return `${head}${shown.join(separator)}${more === 0 ? '' : `${SEPARATOR}… and ${more} more ${kind}.`}`;
}

/** A list with a title line. */
export function buildList(title: string, lines: readonly string[], kind: string): Part {
  return { head: `${title}\n\n`, lines: lines.map((line) => `- ${line}`), separator: '\n', kind };
}

/** A table; its cells are Markdown that is safe in a table. */
export function buildTable(columns: readonly string[], rows: readonly (readonly string[])[], kind: string): Part {
  const head = `| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n`;
  return { head, lines: rows.map((cells) => `| ${cells.join(' | ')} |`), separator: '\n', kind };
}

/** A code block that its content cannot close. */
export function codeBlock(text: string, language: 'hcl' | 'sh'): string {
  const lines = text.split('\n');
  if (!UNFENCED.test(text)) return `\`\`\`${language}\n${lines.map(escapeInvisible).join('\n')}\n\`\`\``;
  return `<pre>\n${lines.map(codeHtml).join('\n')}\n</pre>`;
}

/** Puts Markdown on one line, so that it stays in its list item. */
export function oneLine(markdown: string): string {
  return markdown.replace(/\s+/g, ' ').trim();
}

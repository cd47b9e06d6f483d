import { codeHtml, escapeInvisible } from '../../engine/index.ts';

/** Far below what any host takes for a comment. */
const MAX_BYTES = 8_000;
/** For a line that counts what was left out. */
const REST_BYTES = 120;
const SEPARATOR = '\n\n';
/** What would end a fence, or is an order to GitLab where it mistakes the end of one. */
const UNFENCED = /^[^\S\n\r\u2028\u2029]*(?:\/|`{3}|~{3})/m;

/** Lines of a list, a table or paragraphs, of which some may be left out for want of room. */
export interface Part {
  /** Before the first of the lines; left out with them. */
  head?: string;
  lines: readonly string[];
  /** Between two lines. */
  separator: string;
  /** Plural of what a line stands for. */
  kind: string;
}

/**
 * An answer: parts as they come, blank lines between them. Texts are given room first, each as a whole or not at all, then
 * lists, line by line.
 *
 * @returns at most 8,000 UTF-8 bytes
 */
export function writeBody(parts: readonly (Part | string)[]): string {
  let room = MAX_BYTES - REST_BYTES;
  const take = (text: string) => {
    const bytes = countBytes(text) + SEPARATOR.length;
    if (bytes > room) return '';
    room -= bytes;
    return text;
  };
  const texts = parts.map((part) => (typeof part === 'string' ? take(part) : ''));
  const written = parts.map((part, i) =>
    typeof part === 'string' ? (texts[i] ?? '') : take(linesWithin(part, room - SEPARATOR.length)),
  );
  const is_cut = parts.some((part, i) => part !== '' && written[i] === '');
  return [...written, is_cut ? 'There is no room here for all of it.' : '']
    .filter((text) => text !== '')
    .join(SEPARATOR);
}

function linesWithin({ head = '', lines, separator, kind }: Part, room: number): string {
  const shown: string[] = [];
  let bytes = countBytes(head) + REST_BYTES;
  for (const line of lines) {
    bytes += countBytes(line) + countBytes(separator);
    if (bytes > room) break;
    shown.push(line);
  }
  const more = lines.length - shown.length;
  if (shown.length === 0) return '';
  return `${head}${shown.join(separator)}${more === 0 ? '' : `${SEPARATOR}… and ${more} more ${kind}.`}`;
}

/** A list with dashes, under a line of its own. */
export function buildList(title: string, lines: readonly string[], kind: string): Part {
  return { head: `${title}\n\n`, lines: lines.map((line) => `- ${line}`), separator: '\n', kind };
}

/** A table; its cells are Markdown that is inert in one. */
export function buildTable(columns: readonly string[], rows: readonly (readonly string[])[], kind: string): Part {
  const head = `| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n`;
  return { head, lines: rows.map((cells) => `| ${cells.join(' | ')} |`), separator: '\n', kind };
}

/** Lines to be copied, as a block that they cannot end. */
export function codeBlock(text: string, language: 'hcl' | 'sh'): string {
  const lines = text.split('\n');
  if (!UNFENCED.test(text)) return `\`\`\`${language}\n${lines.map(escapeInvisible).join('\n')}\n\`\`\``;
  return `<pre>\n${lines.map(codeHtml).join('\n')}\n</pre>`;
}

/** Markdown of our own making on one line, so that it stays in its list. */
export function oneLine(markdown: string): string {
  return markdown.replace(/\s+/g, ' ').trim();
}

function countBytes(text: string): number {
  return Buffer.byteLength(text);
}

import type { JsonObject } from '../model/result.ts';

const COMMENT = /^[#;!]/;
const SECTION = /^\[([^\]\n]{1,200})\]$/;
const NAME = /^(?:export\s+)?([^=:\s][^=]{0,200}?)\s*=\s*(.*)$/;

/**
 * Parses assignments in lines: environment files, INI files with sections, Java properties.
 *
 * @returns names with their values, those of a section in an object; undefined when a line is neither an assignment, a
 *   section nor a comment
 */
export function parseProperties(text: string): JsonObject | undefined {
  const root: JsonObject = Object.create(null) as JsonObject;
  let section = root;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || COMMENT.test(line)) continue;
    const title = SECTION.exec(line)?.[1];
    if (title !== undefined) {
      section = Object.create(null) as JsonObject;
      root[title] = section;
      continue;
    }
    const match = NAME.exec(line);
    if (match === null) return undefined;
    section[match[1]!] = unquote(match[2]!);
  }
  return root;
}

function unquote(value: string): string {
  const quote = value[0];
  const is_quoted = (quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote);
  return is_quoted ? value.slice(1, -1) : value;
}

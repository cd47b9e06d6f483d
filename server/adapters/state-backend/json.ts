import { isObject } from '../../lib/is-object.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';

/** The JSON object that a backend sent; undefined for anything else, such as a web page. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseStrictJson(Buffer.from(text));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

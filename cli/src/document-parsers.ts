import type { DocumentParsers } from '../../engine/index.ts';

/** Bytes of a plan in which a document that needs a parser is possible: a line break in a text, `<`, encoded content. */
const SIGNS = ['\\n', '\\u003c', 'H4sI', 'I2Nsb3VkLWNvbmZpZ'].map((sign) => Buffer.from(sign));
const LONGEST_SIGN = 17;

/**
 * Loads the parsers of documents before the first part of a plan that may need them. Loading takes milliseconds, which a
 * small plan should not pay.
 */
export function createParserLoader() {
  let parsers: DocumentParsers | undefined;
  let end: Uint8Array = new Uint8Array();

  /** Call with each chunk of the plan before it is analyzed. */
  async function observe(chunk: Uint8Array): Promise<void> {
    if (parsers !== undefined) return;
    const text = Buffer.concat([end, chunk]);
    end = text.subarray(-LONGEST_SIGN);
    if (SIGNS.some((sign) => text.includes(sign))) await load();
  }

  async function load(): Promise<void> {
    parsers = (await import('../../engine/documents/index.ts')).documentParsers;
  }

  return { observe, parsers: () => parsers };
}

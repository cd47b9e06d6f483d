import { readAllowedValues } from './documentation.ts';
import type { Block, Schema } from './sources/types.ts';

/** A word of a documented choice; texts with blanks, slashes or long numbers are examples. */
const WORD = /^[a-z][\w.*:+-]{1,49}$/;
const EXAMPLE = /\d{6}|example|^my[-_.]?|\.(?:com|net|org|io|gz|json)\b/;

/** Adds the values that the documentation of a provider lists as allowed, in lower case. */
export function collectValues(schema: Schema, values: Set<string>): void {
  for (const block of schema.values()) collectFromBlock(block, values);
}

function collectFromBlock(block: Block, values: Set<string>): void {
  for (const { doc, block: inner } of block.values()) {
    for (const value of readAllowedValues(doc)) {
      const word = value.toLowerCase();
      if (WORD.test(word) && !EXAMPLE.test(word)) values.add(word);
    }
    if (inner !== undefined) collectFromBlock(inner, values);
  }
}

/** The file as JSON: all words in one text, in alphabetical order. */
export function formatValues(values: ReadonlySet<string>): string {
  return `${JSON.stringify({ words: [...values].sort().join(' ') })}\n`;
}

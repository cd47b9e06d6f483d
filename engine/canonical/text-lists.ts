/** Texts that list values without order, such as `compact,delete` or `TLSv1.2 TLSv1.3`. */
import { parseCidr } from '../lib/cidr.ts';

const MAX_ITEMS = 500;
/** Values of which a list means "any of these", wherever it is written. */
const VALUES = [
  /^(?:TLS|SSL|DTLS)v?\d(?:[._]\d)?$/i,
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT)$/i,
  /^(?:compact|delete)$/,
  /^(?:mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?$/i,
  /^(?:PLAIN|GSSAPI|OAUTHBEARER|SCRAM-SHA-(?:256|512)|EXTERNAL|CRAM-MD5)$/,
];

/**
 * The items of a text that lists values without order, sorted.
 *
 * @param is_set whether the name of the attribute says that its items have no order
 * @returns null for a text of one item, and for items that may have an order
 */
export function textListForm(text: string, is_set: boolean): string | null {
  const items = splitItems(text);
  if (items === null) return null;
  if (!(is_set ? items.every((item) => WORD.test(item)) : isUnordered(items))) return null;
  return [...new Set(items)].sort().join(',');
}

const WORD = /^[\w.:/@*+-]{1,200}$/;

function isUnordered(items: readonly string[]): boolean {
  if (items.every((item) => item.includes('/') && parseCidr(item) !== undefined)) return true;
  return VALUES.some((pattern) => items.every((item) => pattern.test(item)));
}

function splitItems(text: string): string[] | null {
  if (text.length > 20_000) return null;
  const by_comma = text.includes(',');
  const items = text
    .trim()
    .split(by_comma ? ',' : /\s+/, MAX_ITEMS + 1)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items.length < 2 || items.length > MAX_ITEMS ? null : items;
}

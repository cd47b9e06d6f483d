import type { EffectName, SafeEnd, Sentinel } from '../../engine/effects/types.ts';
import { rankTls, rankValue } from '../../engine/effects/values.ts';

const VALUES =
  /(?:(?:valid|possible|allowed|supported|accepted|permitted|available)\s+(?:\w+\s+)?(?:values?|options?)|values? (?:are|is|include)|one of|either|can be(?: set to)?|must be)/i;
const TOKEN = /[`"']([\w.*:-]{1,60})[`"']/g;
const UNLIMITED = /unlimited|no limit|never|indefinite|forever|infinite|not expire|no expiration|without expiration/i;
const DISABLED = /disable|turn(s|ed)? off/i;
const SENTINEL = /(?:^|[\s`"'(])(0|-1)[`"')]?(?=[\s,.:;)=])/;

/** The values that a documentation text lists as allowed, in the order of the text. */
export function readAllowedValues(doc: string): string[] {
  const start = VALUES.exec(doc)?.index;
  if (start === undefined) return [];
  const sentence = doc.slice(start, start + 600).split(/\.\s+(?=[A-Z])|\n\n/)[0]!;
  return [...new Set([...sentence.matchAll(TOKEN)].map((match) => match[1]!))];
}

/** Values in order of strength, weakest first, one for each strength; null if their strength is not known. */
export function orderValues(effect: EffectName, values: readonly string[]): SafeEnd | null {
  const byRank = new Map<number, string>();
  for (const value of values) {
    const rank = (effect === 'encryption' ? rankTls(value) : undefined) ?? rankValue(effect, value);
    if (rank !== undefined && !byRank.has(rank)) byRank.set(rank, value);
  }
  return byRank.size < 2 ? null : [...byRank].sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** A number that the text says to mean unlimited, or disabled where less would be safer. */
export function readSentinel(doc: string, end: SafeEnd | null): Sentinel | null {
  if (end !== 'more' && end !== 'less') return null;
  for (const sentence of doc.split(/\.\s|\n/)) {
    const value = SENTINEL.exec(sentence)?.[1];
    if (value === undefined) continue;
    if (UNLIMITED.test(sentence) || (end === 'less' && DISABLED.test(sentence)))
      return { value: Number(value), as: 'most' };
  }
  return null;
}

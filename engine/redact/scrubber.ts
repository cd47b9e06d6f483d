import type { JsonObject, JsonValue } from '../model/result.ts';
import { isSecretArgument } from './arguments.ts';
import { decodeBase64, isKnownFormat, maskConcealed } from './concealed.ts';
import { isSecretEntry, isValueKey } from './documents.ts';
import { isSecretKey } from './known-attributes.ts';
import { memoize } from './memoize.ts';
import { MIN_LENGTH, type SecretSet } from './secret-set.ts';
import { createNamingCache, type Naming, namesSecret } from './secrets.ts';

/** Replacement for a secret. */
export const MASK = '(sensitive)';

const ARN = /^arn:[a-z-]{2,20}:[a-z0-9-]{1,40}:[^\s]{1,2048}$/;
/** Numbers of six or more digits under a secret name are codes; smaller ones are lengths, counts or days. */
const MIN_SECRET_NUMBER = 100_000;
const MAX_DEPTH = 256;

export interface Scrubber {
  /**
   * Removes secrets: masks known secrets inside longer texts, and replaces other secret values with the mask.
   *
   * @param at facts from the names on the path
   * @param secret whether the whole value is known to be secret
   * @returns the same value if it contains no secret
   */
  clean(value: JsonValue, at: Naming, secret: boolean): JsonValue;
  cleanKey(key: string): string;
}

/** @param mask the replacement for a secret */
export function createScrubber(secrets: SecretSet, mask = MASK): Scrubber {
  const extend = createNamingCache();

  function clean(value: JsonValue, at: Naming, secret: boolean, depth = 0): JsonValue {
    if (value === null || typeof value === 'boolean') return value;
    if (depth > MAX_DEPTH) return mask;
    if (typeof value === 'object') {
      return Array.isArray(value) ? cleanList(value, at, secret, depth) : cleanObject(value, at, secret, depth);
    }
    const named = secret || namesSecret(at);
    if (typeof value === 'string') return cleanText(value, named);
    return named && Math.abs(value) >= MIN_SECRET_NUMBER ? mask : value;
  }

  function cleanText(text: string, named: boolean): string {
    if (text === '') return text;
    if (named && !ARN.test(text)) return mask;
    // Neither a known secret nor a search has so few characters.
    if (text.length < MIN_LENGTH) return text;
    if (secrets.overflowed()) return mask;
    return search(text);
  }

  const search = memoize((text) => {
    const rest = secrets.scrub(text, mask);
    if (rest === mask || (rest !== text && isKnownFormat(text))) return mask;
    const decoded = decodeBase64(text);
    if (decoded !== undefined && secrets.scrub(decoded, mask) !== decoded) return mask;
    return maskConcealed(rest, mask);
  }, secrets.size);

  function cleanList(list: JsonValue[], at: Naming, secret: boolean, depth: number): JsonValue {
    const cleaned = list.map((item, i) => clean(item, at, secret || isSecretArgument(list, i), depth + 1));
    return cleaned.some((item, i) => item !== list[i]) ? cleaned : list;
  }

  function cleanObject(object: JsonObject, at: Naming, secret: boolean, depth: number): JsonValue {
    const hidden = isSecretEntry(object);
    let same = true;
    const entries = Object.keys(object).map((key) => {
      const member = object[key] as JsonValue;
      const below = extend(at, key);
      const entry = [
        cleanKey(key),
        clean(member, below, secret || isSecretKey(key) || (hidden && isValueKey(key)), depth + 1),
      ] as const;
      same &&= entry[0] === key && entry[1] === member;
      return entry;
    });
    return same ? object : Object.fromEntries(entries);
  }

  const cleanKey = memoize((key) => maskConcealed(secrets.scrub(key, mask), mask), secrets.size);

  return { clean: (value, at, secret) => clean(value, at, secret), cleanKey };
}

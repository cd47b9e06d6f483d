import type { JsonObject, JsonValue } from '../result.ts';
import { concealsSecret, decodeBase64, namesItsValueSecret } from './concealed.ts';
import { remember } from './remember.ts';
import { MIN_LENGTH, type SecretSet } from './secret-set.ts';
import { isSecretName } from './secrets.ts';

/** Stands where a secret was taken out of something longer. */
export const MASK = '(sensitive)';

const ARN = /^arn:[a-z-]{2,20}:[a-z0-9-]{1,40}:[^\s]{1,2048}$/;
/** A number of six digits or more under a secret's name is a code; smaller ones are lengths, counts and days. */
const MIN_SECRET_NUMBER = 100_000;
const MAX_DEPTH = 256;

export interface Scrubber {
  /**
   * The value without secrets: known ones cut out of longer texts, everything else that is one replaced by `MASK`.
   *
   * @param path of the value, whose names may say that it is a secret
   * @param secret the caller knows that all of it is
   * @returns the same value when it holds none
   */
  clean(value: JsonValue, path: readonly (string | number)[], secret: boolean): JsonValue;
  cleanKey(key: string): string;
}

export function createScrubber(secrets: SecretSet): Scrubber {
  function clean(value: JsonValue, path: readonly (string | number)[], secret: boolean): JsonValue {
    if (value === null || typeof value === 'boolean') return value;
    if (path.length > MAX_DEPTH) return MASK;
    if (typeof value === 'object')
      return Array.isArray(value) ? cleanList(value, path, secret) : cleanObject(value, path, secret);
    const named = secret || isSecretName(path);
    if (typeof value === 'string') return cleanText(value, named);
    return named && Math.abs(value) >= MIN_SECRET_NUMBER ? MASK : value;
  }

  function cleanText(text: string, named: boolean): string {
    if (text === '') return text;
    if (named && !ARN.test(text)) return MASK;
    if (secrets.overflowed() && text.length >= MIN_LENGTH) return MASK;
    return search(text);
  }

  const search = remember((text) => {
    const rest = secrets.scrub(text, MASK);
    if (rest === MASK || concealsSecret(rest)) return MASK;
    const decoded = decodeBase64(text);
    if (decoded === undefined) return rest;
    return secrets.scrub(decoded, MASK) !== decoded || concealsSecret(decoded) ? MASK : rest;
  }, secrets.size);

  function cleanList(list: JsonValue[], path: readonly (string | number)[], secret: boolean): JsonValue {
    const cleaned = list.map((item, i) => clean(item, [...path, i], secret));
    return cleaned.some((item, i) => item !== list[i]) ? cleaned : list;
  }

  function cleanObject(object: JsonObject, path: readonly (string | number)[], secret: boolean): JsonValue {
    const hidden = namesItsValueSecret(object);
    let same = true;
    const entries = Object.keys(object).map((key) => {
      const member = object[key] as JsonValue;
      const entry = [cleanKey(key), clean(member, [...path, key], secret || (hidden && isValueKey(key)))] as const;
      same &&= entry[0] === key && entry[1] === member;
      return entry;
    });
    return same ? object : Object.fromEntries(entries);
  }

  const cleanKey = remember((key) => {
    const rest = secrets.scrub(key, MASK);
    return concealsSecret(rest) ? MASK : rest;
  }, secrets.size);

  return { clean, cleanKey };
}

export function isValueKey(key: string | number | undefined): boolean {
  return key === 'value' || key === 'Value';
}

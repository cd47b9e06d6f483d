import { createBucket, findLongest } from '../redact/matcher.ts';
import type { KnownFacts, KnownName } from './types.ts';

/** A simple name needs no search: it is found as a word. */
const SIMPLE = /^[A-Za-z0-9_.-]+$/;
const MIN_LENGTH = 3;

/** A name where it stands in a text. */
export interface NameFound {
  start: number;
  name: string;
  known: KnownName;
}

export interface NameFinder {
  /** From left to right, at each place the longest name that begins there; none lies over another. */
  find(text: string): NameFound[];
}

/**
 * Finds the names that hold quotes, brackets or blanks. Made once for an answer: a plan has thousands of names, an answer
 * hundreds of texts, and to look for each name in each text would take their product.
 */
export function createNameFinder({ names }: KnownFacts): NameFinder {
  const complexNames = [...names.keys()].filter((name) => name.length >= MIN_LENGTH && !SIMPLE.test(name));
  const beginnings = new Set(complexNames.map((name) => name.slice(0, MIN_LENGTH)));
  const longest = complexNames.reduce((length, name) => Math.max(length, name.length), 0);
  const bucket = createBucket(complexNames);

  function find(text: string): NameFound[] {
    const found: NameFound[] = [];
    for (let at = 0; at + MIN_LENGTH <= text.length; at += 1) {
      if (!beginnings.has(text.slice(at, at + MIN_LENGTH))) continue;
      const name = findLongest(bucket, text.slice(at, at + longest));
      const known = name === undefined ? undefined : names.get(name);
      if (name === undefined || known === undefined) continue;
      found.push({ start: at, name, known });
      at += name.length - 1;
    }
    return found;
  }

  return { find };
}

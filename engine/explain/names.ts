import { createBucket, findLongest } from '../redact/matcher.ts';
import type { KnownFacts, KnownName } from './types.ts';

/** Simple names are found as words and need no search. */
const SIMPLE = /^[A-Za-z0-9_.-]+$/;
const MIN_LENGTH = 3;

/** A name found in a text. */
export interface NameFound {
  start: number;
  name: string;
  known: KnownName;
}

export interface NameFinder {
  /** Longest names from left to right, without overlaps. */
  find(text: string): NameFound[];
}

/**
 * Finds names with quotes, brackets or spaces. Created once per answer, because a plan has thousands of names and an
 * answer hundreds of texts.
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

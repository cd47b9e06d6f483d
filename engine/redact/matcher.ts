/** Keys with a common prefix. */
export interface Bucket {
  /** Sorted by UTF-16 code units. */
  readonly keys: string[];
  /** For each key, the index of the longest other key that is a prefix of it, or -1. */
  readonly parents: number[];
}

export interface Matcher {
  mask(text: string, mask: string): string;
}

const BASE = 31;
const MIN_FILTER_BITS = 12;
const MAX_FILTER_BITS = 22;

/**
 * Finds many strings in a text in one pass. A rolling hash with a filter rejects most positions; otherwise a binary
 * search finds the longest key at that position. Overlapping matches are masked as one. The time does not depend on the
 * number or similarity of keys.
 *
 * @param minLength shorter keys are ignored
 * @param maxLength only this many characters of longer keys are compared; a match then extends to the end of the text
 */
export function buildMatcher(keys: Iterable<string>, minLength: number, maxLength: number): Matcher {
  const cut = new Set<string>();
  const groups = groupKeys(keys, minLength, maxLength, cut);
  const buckets = new Map<string, Bucket>();
  for (const [prefix, members] of groups) buckets.set(prefix, createBucket(members));
  const bits = Math.min(MAX_FILTER_BITS, Math.max(MIN_FILTER_BITS, Math.ceil(Math.log2(groups.size * 16))));
  const shift = 32 - bits;
  const filter = new Uint8Array(1 << bits);
  for (const prefix of groups.keys()) filter[spread(computeHash(prefix, minLength)) >>> shift] = 1;
  const leaving = computePower(BASE, minLength - 1);

  /** End of the longest key at `start`, or `start` if there is none. */
  function findEnd(text: string, start: number): number {
    const bucket = buckets.get(text.slice(start, start + minLength));
    if (bucket === undefined) return start;
    const key = findLongest(bucket, text.slice(start, start + maxLength));
    if (key === undefined) return start;
    return cut.has(key) ? text.length : start + key.length;
  }

  function mask(text: string, replacement: string): string {
    let masked = '';
    let kept = 0;
    let covered = -1;
    let hash = computeHash(text, minLength);
    for (let i = 0; i + minLength <= text.length; i++) {
      if (i > 0) hash = roll(hash, text.charCodeAt(i - 1), text.charCodeAt(i + minLength - 1), leaving);
      if (filter[spread(hash) >>> shift] === 0) continue;
      const end = findEnd(text, i);
      if (end === i) continue;
      if (i > covered) {
        masked += text.slice(kept, i) + replacement;
      }
      covered = Math.max(covered, end);
      kept = covered;
      if (kept === text.length) break;
    }
    return covered < 0 ? text : masked + text.slice(kept);
  }

  return { mask };
}

function groupKeys(keys: Iterable<string>, minLength: number, maxLength: number, cut: Set<string>) {
  const groups = new Map<string, Set<string>>();
  for (const full of keys) {
    if (full.length < minLength) continue;
    const key = full.slice(0, maxLength);
    if (full.length > maxLength) cut.add(key);
    const prefix = key.slice(0, minLength);
    const group = groups.get(prefix);
    if (group === undefined) groups.set(prefix, new Set([key]));
    else group.add(key);
  }
  return groups;
}

/** @param members unique keys */
export function createBucket(members: Iterable<string>): Bucket {
  const keys = [...members].sort();
  const parents: number[] = [];
  const open: number[] = [];
  for (const [i, key] of keys.entries()) {
    while (open.length > 0 && !key.startsWith(keys[open.at(-1) as number] as string)) open.pop();
    parents.push(open.at(-1) ?? -1);
    open.push(i);
  }
  return { keys, parents };
}

/**
 * The longest key that is a prefix of the text, by binary search.
 *
 * Every such key is the last key that sorts before or equal to the text, or one of its parents.
 */
export function findLongest({ keys, parents }: Bucket, text: string): string | undefined {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) <= text) low = middle + 1;
    else high = middle;
  }
  let at = low - 1;
  const shared = at < 0 ? 0 : countShared(keys[at] as string, text);
  while (at >= 0 && (keys[at] as string).length > shared) at = parents[at] as number;
  return keys[at];
}

function countShared(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}

function computeHash(text: string, length: number): number {
  let hash = 0;
  for (let i = 0; i < length && i < text.length; i++) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
  return hash;
}

function roll(hash: number, out: number, next: number, leaving: number): number {
  return (Math.imul(hash - Math.imul(out, leaving), BASE) + next) | 0;
}

/** Moves the entropy of the low bits to the high bits, which index the filter. */
function spread(hash: number): number {
  return Math.imul(hash, 0x9e3779b1);
}

function computePower(base: number, exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power = Math.imul(power, base);
  return power;
}

import { matchesWildcard } from '../risk/attributes/identity/wildcard.ts';

/**
 * Globs over names that consist of parts: `*` is any text within one part, `**` any number of parts (none too), `?` one
 * character; everything else, brackets included, means itself. The time is bounded by the length of the glob times the
 * length of the name.
 */
export type Parts = readonly string[];
export type PartsTest = (parts: Parts) => boolean;

const ANY_PARTS = '**';

/** The parts of an address: it is divided at dots outside brackets, so that `logs["a.b"]` is one part. The root has none. */
export function splitAddress(address: string): string[] {
  if (address === '') return [];
  const parts: string[] = [];
  let start = 0;
  for (let i = 0; i < address.length; i++) {
    if (address[i] === '[') i = endOfBracket(address, i);
    else if (address[i] === '.') {
      parts.push(address.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(address.slice(start));
  return parts;
}

/** The parts of `owner/name` and of a branch. */
export function splitPath(text: string): string[] {
  return text.split('/');
}

/** Index of the `]` that closes a bracket, or of the last character where none does; quoted text closes nothing. */
function endOfBracket(text: string, open: number): number {
  let quoted = false;
  for (let i = open + 1; i < text.length; i++) {
    if (quoted && text[i] === '\\') i++;
    else if (text[i] === '"') quoted = !quoted;
    else if (text[i] === ']' && !quoted) return i;
  }
  return text.length - 1;
}

/** One test for a list of globs, each given as its parts; one that matches is enough. */
export function compileParts(globs: readonly Parts[]): PartsTest {
  const exact = new Set<string>();
  const patterns: Parts[] = [];
  for (const glob of globs) {
    if (glob.some(isPattern)) patterns.push(glob);
    else exact.add(toKey(glob));
  }
  return (parts) =>
    (exact.size > 0 && exact.has(toKey(parts))) || patterns.some((pattern) => matchesParts(pattern, parts));
}

/** No parts and one empty part are not the same. */
function toKey(parts: Parts): string {
  return `${parts.length}\0${parts.join('\0')}`;
}

/** Greedy: of several `**` only the last one passed can still need more parts, so no choice is tried twice. */
export function matchesParts(pattern: Parts, parts: Parts): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < parts.length) {
    if (pattern[p] === ANY_PARTS) {
      star = p++;
      resume = t;
    } else if (p < pattern.length && matchesPart(pattern[p] as string, parts[t] as string)) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === ANY_PARTS) p++;
  return p === pattern.length;
}

/** One part against one part. */
export function matchesPart(pattern: string, part: string): boolean {
  return pattern === '*' || pattern === part || (isPattern(pattern) && matchesWildcard(pattern, part));
}

export function isPattern(part: string): boolean {
  return part.includes('*') || part.includes('?');
}

/** The parts before the first that is a pattern: whatever matches the glob begins with them. */
export function literalStart(glob: Parts): Parts {
  const first = glob.findIndex(isPattern);
  return first < 0 ? glob : glob.slice(0, first);
}

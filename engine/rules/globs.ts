import { matchesWildcard } from '../risk/attributes/identity/wildcard.ts';

/**
 * Globs over names with parts: `*` matches any text within one part, `**` any number of parts including none, `?` one
 * character; everything else, including brackets, is literal. Time is at most proportional to glob length times name
 * length.
 */
export type Parts = readonly string[];
export type PartsTest = (parts: Parts) => boolean;

const ANY_PARTS = '**';

/** Splits an address at dots outside brackets, so that `logs["a.b"]` is one part. The root module has no parts. */
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

/** Splits `owner/name` or a branch name. */
export function splitPath(text: string): string[] {
  return text.split('/');
}

/** Index of the closing `]` outside quotes, or of the last character if there is none. */
function endOfBracket(text: string, open: number): number {
  let quoted = false;
  for (let i = open + 1; i < text.length; i++) {
    if (quoted && text[i] === '\\') i++;
    else if (text[i] === '"') quoted = !quoted;
    else if (text[i] === ']' && !quoted) return i;
  }
  return text.length - 1;
}

/** Compiles a list of globs into a test that is true if any of them matches. */
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

/** Distinguishes no parts from one empty part. */
function toKey(parts: Parts): string {
  return `${parts.length}\0${parts.join('\0')}`;
}

/** Greedy: only the last `**` may need to match more parts, so no alternative is tried twice. */
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

/** Matches one part. */
export function matchesPart(pattern: string, part: string): boolean {
  return pattern === '*' || pattern === part || (isPattern(pattern) && matchesWildcard(pattern, part));
}

export function isPattern(part: string): boolean {
  return part.includes('*') || part.includes('?');
}

/** The literal parts before the first pattern: every match starts with them. */
export function literalStart(glob: Parts): Parts {
  const first = glob.findIndex(isPattern);
  return first < 0 ? glob : glob.slice(0, first);
}

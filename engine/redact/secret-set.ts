import { isCommonWord } from './common-words.ts';
import { buildMatcher, type Matcher } from './matcher.ts';
import { writeVariants } from './variants.ts';

/** Shorter strings are withheld only where they are marked; masking them everywhere would make results unreadable. */
export const MIN_LENGTH = 6;
/** Only the beginning of longer secrets is stored; text after such a match is withheld too. */
const MAX_LENGTH = 256;
const MAX_SECRETS = 100_000;
/** Shorter texts that were found, not marked, are withheld only where they were found. */
const MIN_FOUND_LENGTH = 8;
const MAX_FOUND = 20_000;
const MAX_CHARACTERS = 16_777_216;

export interface SecretSet {
  /** Adds the text as is and without surrounding whitespace. */
  add(text: string): void;
  /** Adds a secret that was found in a text; beyond 20,000 of them, further ones are ignored. */
  addFound(text: string): void;
  /**
   * Replaces every secret of the set with `mask`: plain, JSON-escaped, URL-encoded or in base64. Returns the same
   * string if it contains none.
   */
  scrub(text: string, mask: string): string;
  /** Number of stored secrets; cached results are valid while it does not change. */
  size(): number;
  /** Whether the limit was exceeded; then no unmarked text can be considered clean. */
  overflowed(): boolean;
}

/**
 * Collects the values that a plan marks as sensitive, at most 100,000 of them or 16 Mi characters, and the secrets found
 * in its texts. Common words are not collected: they are withheld only at their own place.
 */
export function createSecretSet(): SecretSet {
  const secrets = new Set<string>();
  let characters = 0;
  let found = 0;
  let overflow = false;
  let matcher: Matcher | undefined;

  function add(text: string): void {
    keep(text);
    // Files end with a line break that other copies of the value may lack.
    const trimmed = text.trim();
    if (trimmed !== text) keep(trimmed);
  }

  function addFound(text: string): void {
    if (text.length < MIN_FOUND_LENGTH || found >= MAX_FOUND || secrets.size >= MAX_SECRETS) return;
    const known = secrets.size;
    add(text);
    found += secrets.size - known;
  }

  function keep(text: string): void {
    if (text.length < MIN_LENGTH || text.trim() === '' || isCommonWord(text)) return;
    const secret = text.length > MAX_LENGTH ? copy(text.slice(0, MAX_LENGTH + 1)) : text;
    if (secrets.has(secret)) return;
    if (secrets.size >= MAX_SECRETS || characters > MAX_CHARACTERS) {
      overflow = true;
      return;
    }
    secrets.add(secret);
    characters += secret.length;
    matcher = undefined;
  }

  function scrub(text: string, mask: string): string {
    if (secrets.size === 0 || text.length < MIN_LENGTH) return text;
    matcher ??= buildMatcher(writeVariants(secrets), MIN_LENGTH, MAX_LENGTH);
    return matcher.mask(text, mask);
  }

  return { add, addFound, scrub, size: () => secrets.size, overflowed: () => overflow };
}

/** A slice keeps the whole text it came from in memory; a copy does not. */
function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

import { buildMatcher, type Matcher } from './matcher.ts';
import { writeVariants } from './variants.ts';

/** Shorter strings are withheld in place only: scrubbed everywhere they would make the result unreadable. */
export const MIN_LENGTH = 6;
/** Of a longer secret its beginning is kept; whatever follows that beginning in a text is withheld with it. */
const MAX_LENGTH = 256;
const MAX_SECRETS = 100_000;
const MAX_CHARACTERS = 16_777_216;

export interface SecretSet {
  /** Kept as it is, and without the white space around it. */
  add(text: string): void;
  /**
   * The text with every secret of the set replaced by `mask`, as it stands, escaped for JSON or an address, or in base64;
   * the very same string when it holds none.
   */
  scrub(text: string, mask: string): string;
  /** How many are kept; what was found clean stays so while this stays. */
  size(): number;
  /** More secrets were added than are kept: from then on no unmarked text can be called clean. */
  overflowed(): boolean;
}

/** Collects the values that a plan marks as sensitive, at most 100,000 of them or 16 Mi characters. */
export function createSecretSet(): SecretSet {
  const secrets = new Set<string>();
  let characters = 0;
  let overflow = false;
  let matcher: Matcher | undefined;

  function add(text: string): void {
    keep(text);
    // A file ends with a line break; what was read of it elsewhere does not.
    const trimmed = text.trim();
    if (trimmed !== text) keep(trimmed);
  }

  function keep(text: string): void {
    if (text.length < MIN_LENGTH || text.trim() === '') return;
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

  return { add, scrub, size: () => secrets.size, overflowed: () => overflow };
}

/** A slice keeps the whole text it came from in memory; a copy does not. */
function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
